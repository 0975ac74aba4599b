import assert from 'node:assert/strict';
import type { Reply } from '../support/service.ts';
import type { FilledMarket } from './filled-market.ts';
import { figureOf } from './page-text.ts';

export type Row = Record<string, unknown>;

/** The contracts that a coin's figures compare: of each venue the largest linear one, without those hardly traded. */
export function comparedRates(rates: readonly Row[]): Row[] {
  const largest = new Map<string, Row>();
  for (const row of rates) {
    const known = largest.get(String(row.exchange));
    const isLarger = !known || Number(row.volume_24h_usdt) > Number(known.volume_24h_usdt);
    if (row.is_inverse === false && row.interval_hours !== null && isLarger)
      largest.set(String(row.exchange), row);
  }
  const all = [...largest.values()];
  const traded = all.filter((row) => Number(row.volume_24h_usdt) >= 1e6);
  return traded.length >= 2 ? traded : all;
}

/** The expected content of a cell: a text, a number with the decimals of the page, or an approximate number. */
export type Shown =
  | string
  | { value: unknown; decimals: number }
  | { about: unknown; isLowerBound?: boolean };

export const digits = (value: unknown, decimals: number) => ({ value, decimals });

export function assertShown(cell: string | undefined, shown: Shown, where: string): void {
  if (typeof shown === 'string') {
    assert.equal(cell, shown, where);
    return;
  }
  const isLowerBound = cell?.startsWith('≥') ?? false;
  const figure = figureOf(cell?.replace(/^≥\s*/, '') ?? '');
  if ('about' in shown) {
    assert.equal(isLowerBound, shown.isLowerBound ?? false, `${where}: ${cell}`);
    if (shown.about === null) {
      assert.equal(figure, null, where);
      return;
    }
    const value = Number(shown.about);
    const difference = Math.abs((figure ?? Number.NaN) - value);
    assert.ok(difference <= Math.max(0.5, value * 0.05), `${where}: ${cell} for ${value}`);
    return;
  }
  // Adding 0 turns -0 into 0: a small negative number is shown as 0.0000 without a sign.
  const wanted = shown.value === null ? null : Number(Number(shown.value).toFixed(shown.decimals)) + 0;
  assert.equal(figure === null ? null : figure + 0, wanted, `${where}: ${cell}`);
}

/** A value of the API in Markdown. */
export function markdownOf(value: unknown): string {
  if (value === null) return '–';
  if (Array.isArray(value)) return value.join(', ');
  return /^https?:/.test(String(value)) ? `<${value}>` : String(value);
}

export function asMarkdown(row: Row): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, markdownOf(value)]));
}

export const dataOf = (reply: Reply) => (reply.body as { data: unknown }).data;

/** The HTML of a page, requested without a session. */
export async function textAt({ service }: FilledMarket, path: string): Promise<string> {
  const reply = await fetch(`${service.baseUrl}${path}`);
  const text = await reply.text();
  assert.equal(reply.status, 200, `${path}: ${text.slice(0, 300)}`);
  return text;
}

/** The API's answer on the Demo plan, with a new key for each call, so that the minute window does not fill up. */
export async function demoAnswer(market: FilledMarket, path: string): Promise<Reply> {
  const { accounts, keys } = market.service.accounts;
  const account = await accounts.create({ name: 'reader', plan: 'demo' });
  const { text } = await keys.create({ accountId: account.id, name: 'reader', kind: 'test' });
  return await market.get(path, { headers: { authorization: `Bearer ${text}` } });
}
