import type { Row } from './answer.ts';
import { isNumber, usdt } from './words.ts';

/** How alerts describe a row of a list to people. */
export interface RowWords {
  /** What the row is about: "BTC funding on Bybit". Uses only identity columns, or says less without the others. */
  subject(row: Row): string;
  /** Its main figures, after the subject: "is +0.052 % per 8 h (57 % APR)". */
  state(row: Row): string;
  /** The columns that `state` shows, so that a crossing of one of them needs no further words. */
  stateFigures: readonly string[];
  /** Figures that cannot be quoted by name and value alone, as a funding rate needs its venue and interval. */
  figures?: Readonly<Record<string, (row: Row) => string>>;
}

/** A percentage with a sign where it has a meaning, and no more digits than people read: "+0.052 %". */
export function percent(value: unknown): string {
  return isNumber(value) ? `${value > 0 ? '+' : ''}${digits(value)} %` : 'unknown';
}

/** A yearly rate, without decimals from 10 on: "57 %". */
export function yearly(value: unknown): string {
  if (!isNumber(value)) return 'unknown';
  return `${Math.abs(value) >= 10 ? Math.round(value) : digits(Number(value.toFixed(1)))} %`;
}

/** At most four significant digits after the first that counts. */
function digits(value: number): string {
  if (value === 0) return '0';
  const decimals = Math.max(0, Math.min(6, 3 - Math.floor(Math.log10(Math.abs(value)))));
  return String(Number(value.toFixed(decimals)));
}

/** A figure of a row in words: "open interest is 12M USDT". */
export function figureSentence({ figures }: RowWords, column: string, row: Row): string {
  return figures?.[column]?.(row) ?? `${figureName(column)} is ${figureText(column, row[column])}`;
}

/** The value of a column with its unit, which its name carries. */
export function figureText(column: string, value: unknown): string {
  if (!isNumber(value)) return 'unknown';
  if (column.endsWith('apr_pct')) return yearly(value);
  if (/_pct(_|$)/.test(column)) return percent(value);
  if (column.endsWith('_usdt')) return usdt(value);
  if (column.endsWith('_usd')) return usdt(value).replace('USDT', 'USD');
  if (/_hours(_|$)/.test(column)) return `${digits(value)} h`;
  return digits(value);
}

/** The name of a column as words, without its unit: "open interest", "7-day sum". */
export function figureName(column: string): string {
  const days = /^(.*)_(\d+)d_pct$/.exec(column);
  if (days) return `${days[2]}-day ${words(days[1] ?? '')}`;
  return words(column.replace(/_(pct|usdt|usd)(?=_|$)/, ''));
}

function words(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replace(/\bapr\b/, 'APR')
    .replace(/\b24h\b/, '24 h')
    .replace(/^est\b/, 'estimated');
}

/** For lists that have no words of their own. */
export function plainWords(identity: readonly string[]): RowWords {
  return {
    subject: (row) => identity.map((name) => String(row[name] ?? '')).join(' '),
    state: () => 'is listed',
    stateFigures: [],
  };
}
