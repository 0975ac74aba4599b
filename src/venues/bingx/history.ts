import { percentFromFraction } from '../../base/numbers.ts';
import { HOUR_MS } from '../../base/times.ts';
import { epochMsOf } from '../fields.ts';
import type { Contract } from '../observations.ts';
import { type PrintRows, pageBackward, readPrints } from '../prints.ts';
import { listOf } from '../reading.ts';
import type { SendRequest, SettlementPage, SettlementWindow } from '../venue.ts';
import { dataOf } from './parse.ts';
import { FUNDING_PAGE_ROWS } from './wire.ts';

/** The prints of a reply, or null when the venue answers null instead of a list. */
export function printsOf(payload: unknown): readonly unknown[] | null {
  const data = dataOf(payload, 'fundingRate') ?? null;
  return data === null ? null : listOf(data, 'fundingRate');
}

function readRates(rows: readonly unknown[], window: SettlementWindow): PrintRows {
  return readPrints(rows, { symbolField: 'symbol' }, window, (row) => ({
    ratePct: percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
}

/** Replies hold the newest prints up to `endTime`. */
export function parseFundingRates(
  rows: readonly unknown[],
  window: SettlementWindow,
  limit: number,
): SettlementPage {
  return pageBackward(readRates(rows, window), window, rows.length >= limit);
}

/**
 * The venue answers null for an `endTime` in the running period, for one before the first print, and sometimes for no
 * reason. So null is retried without `endTime`, and if that returns only newer prints, once more with it.
 */
export async function requestSettlements(
  contract: Contract,
  window: SettlementWindow,
  send: SendRequest,
): Promise<SettlementPage> {
  // No contract settles more often than hourly, so a short window needs few rows; a full reply continues anyway.
  const hours = Math.ceil((window.toMs - window.fromMs) / HOUR_MS);
  const limit = Math.max(2, Math.min(FUNDING_PAGE_ROWS, hours + 1));
  const requestRows = async (endTime: number | undefined) => {
    const query = { symbol: contract.venueSymbol, endTime, limit };
    return printsOf((await send({ path: '/openApi/swap/v2/quote/fundingRate', query })).payload);
  };
  let rows = await requestRows(window.toMs);
  if (rows === null) {
    rows = await requestRows(undefined);
    const isNewer = rows !== null && (readRates(rows, window).oldestMs ?? window.toMs) > window.toMs;
    if (isNewer) rows = await requestRows(window.toMs);
  }
  return parseFundingRates(rows ?? [], window, limit);
}
