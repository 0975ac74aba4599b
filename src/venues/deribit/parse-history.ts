import { percentFromFraction, roundPercent } from '../../base/numbers.ts';
import { DAY_MS } from '../../base/times.ts';
import type { Contract } from '../observations.ts';
import { epochMsOf, isRow, listOf } from '../reading.ts';
import type { SettlementPage, SettlementWindow } from '../venue.ts';
import { resultOf } from './parse.ts';
import { HISTORY_PAGE_DAYS, HISTORY_PAGE_ROWS } from './wire.ts';

/** The part of a window that one call may be asked for. */
export function askedWindow(window: SettlementWindow): { fromMs: number; toMs: number } {
  return { fromMs: window.fromMs, toMs: Math.min(window.toMs, window.fromMs + HISTORY_PAGE_DAYS * DAY_MS) };
}

/** The hourly prints: `interest_1h` is what was exchanged in the hour that ends at `timestamp`. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const { venueSymbol } = contract;
  const rows = listOf(resultOf(payload, 'get_funding_rate_history'), 'result');
  let newestMs = 0;
  for (const row of rows) {
    const percent = isRow(row) ? percentFromFraction(row.interest_1h) : null;
    const settledAtMs = isRow(row) ? epochMsOf(row.timestamp) : null;
    if (percent === null || settledAtMs === null) {
      page.rejected.push({ venueSymbol, reason: 'no rate or time' });
      continue;
    }
    newestMs = Math.max(newestMs, settledAtMs);
    page.settlements.push({ venueSymbol, ratePct: roundPercent(percent), settledAtMs });
  }
  // A full page may have been cut; any other reaches the end of what was asked for, even an empty one.
  const isCut = rows.length >= HISTORY_PAGE_ROWS && newestMs >= window.fromMs;
  const doneMs = isCut ? newestMs : askedWindow(window).toMs;
  if (doneMs < window.toMs) page.next = { fromMs: doneMs + 1, toMs: window.toMs };
  return page;
}
