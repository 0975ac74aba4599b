import { isoTime } from '../../src/base/times.ts';
import type { Cell } from '../../src/market/table.ts';
import type { Endpoint } from './rest-queries.ts';
import { AS_OF_MS, fundingRows, type Row, spreadRows } from './rest-tables.ts';

const PAGE_ROWS = 100;
const TIMES = new Set([
  'next_funding_at',
  'last_funding_at',
  'next_funding_at_a',
  'next_funding_at_b',
  'updated_at',
]);
const COLUMN_OF: Record<string, string> = {
  rate: 'rate_pct',
  apr: 'apr_pct',
  volume: 'volume_24h_usdt',
  spread: 'spread_pct',
};

/** Answers the same queries the naive way: filters, sorts and serialises the objects for each request. */
export function naiveAnswers(): (endpoint: Endpoint, query: URLSearchParams) => string {
  const published = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        TIMES.has(name) && typeof value === 'number' ? isoTime(value) : value,
      ]),
    );
  const all = { funding: fundingRows().map(published), spreads: spreadRows().map(published) };
  return (endpoint, query) => {
    const kept = all[endpoint].filter((row) => passes(row, query));
    const sorted = kept.sort(comparing(endpoint, query.get('sort')));
    const data = sorted.slice(0, PAGE_ROWS);
    const meta = {
      as_of: isoTime(AS_OF_MS),
      delayed_seconds: 0,
      source: 'naive',
      count: data.length,
      total: kept.length,
    };
    return JSON.stringify({ data, meta });
  };
}

function passes(row: Row, query: URLSearchParams): boolean {
  for (const [name, value] of query) {
    const listed = () => value.split(',');
    if (name === 'coin' && !listed().includes(String(row.coin))) return false;
    if (name === 'exchange' && !listed().some((venue) => venuesOf(row).includes(venue))) return false;
    if (name === 'exclude_exchange' && listed().some((venue) => venuesOf(row).includes(venue))) return false;
    if (name === 'interval_hours' && !listed().includes(String(row.interval_hours))) return false;
    if (name === 'direction' && row.direction !== value) return false;
    const bound = /^(min|max)_(.+)$/.exec(name);
    if (
      bound &&
      !cellsOf(row, bound[2] ?? '').every((cell) => isWithin(cell, bound[1] === 'min', Number(value)))
    )
      return false;
  }
  return true;
}

function venuesOf(row: Row): Cell[] {
  return [row.exchange ?? null, row.exchange_a ?? null, row.exchange_b ?? null];
}

function cellsOf(row: Row, name: string): (Cell | undefined)[] {
  if (name === 'abs_rate_pct') return [Math.abs(Number(row.rate_pct))];
  if (name === 'volume_usdt')
    return 'volume_a_usdt' in row ? [row.volume_a_usdt, row.volume_b_usdt] : [row.volume_24h_usdt];
  return [row[name]];
}

function isWithin(cell: Cell | undefined, isMin: boolean, limit: number): boolean {
  return typeof cell === 'number' && (isMin ? cell >= limit : cell <= limit);
}

function comparing(endpoint: Endpoint, sort: string | null): (a: Row, b: Row) => number {
  const [, name = '', direction] = /^(\w+)_(asc|desc)$/.exec(sort ?? 'spread_desc') ?? [];
  const size = (row: Row): number => {
    if (sort === null && endpoint === 'funding') return Math.abs(Number(row.rate_pct));
    if (name === 'volume' && endpoint === 'spreads')
      return Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));
    return Number(row[COLUMN_OF[name] ?? name]);
  };
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => sign * (size(a) - size(b));
}
