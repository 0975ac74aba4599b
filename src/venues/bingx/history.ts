import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import { epochMsOf, isRow, listOf, readRows } from '../reading.ts';
import type { Ask, SettlementPage, SettlementWindow } from '../venue.ts';
import { dataOf } from './reply.ts';
import { FUNDING_PAGE_ROWS } from './wire.ts';

/** The prints of a reply, or null when the venue answers null instead of a list. */
export function printsOf(payload: unknown): readonly unknown[] | null {
  const data = dataOf(payload, 'fundingRate') ?? null;
  return data === null ? null : listOf(data, 'fundingRate');
}

/** Replies hold the newest prints up to `endTime`; a full one continues below its oldest timestamp. */
export function parseFundingRates(
  rows: readonly unknown[],
  window: SettlementWindow,
  limit: number,
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const batch = emptyBatch();
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    const ratePct = percentFromFraction(row.fundingRate);
    const settledAtMs = epochMsOf(row.fundingTime);
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= window.fromMs && settledAtMs <= window.toMs)
      page.settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  });
  page.rejected = batch.rejected;
  const oldestMs = oldestOf(rows);
  if (rows.length >= limit && oldestMs > window.fromMs && oldestMs <= window.toMs)
    page.next = { fromMs: window.fromMs, toMs: oldestMs - 1 };
  return page;
}

function oldestOf(rows: readonly unknown[]): number {
  const times = rows.map((row) => (isRow(row) ? epochMsOf(row.fundingTime) : null));
  return Math.min(...times.filter((timeMs) => timeMs !== null));
}

/**
 * The venue answers null for an `endTime` in the running period, for one before the first print, and now and then for
 * no reason. So null is asked again without `endTime`, and where that only gives newer prints, once more with it.
 */
export async function askSettlements(
  contract: Contract,
  window: SettlementWindow,
  ask: Ask,
): Promise<SettlementPage> {
  // No contract settles more often than hourly, so a short window needs few rows; a full reply continues anyway.
  const hours = Math.ceil((window.toMs - window.fromMs) / HOUR_MS);
  const limit = Math.max(2, Math.min(FUNDING_PAGE_ROWS, hours + 1));
  const askRows = async (endTime: number | undefined) => {
    const query = { symbol: contract.venueSymbol, endTime, limit };
    return printsOf((await ask({ path: '/openApi/swap/v2/quote/fundingRate', query })).payload);
  };
  let rows = await askRows(window.toMs);
  if (rows === null) {
    rows = await askRows(undefined);
    if (rows !== null && oldestOf(rows) > window.toMs) rows = await askRows(window.toMs);
  }
  return parseFundingRates(rows ?? [], window, limit);
}
