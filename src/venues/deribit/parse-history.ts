import { percentFromFraction, roundPercent } from '../../base/numbers.ts';
import { DAY_MS } from '../../base/times.ts';
import { epochMsOf } from '../fields.ts';
import type { Contract } from '../observations.ts';
import { readPrints } from '../prints.ts';
import { listOf, resultOf } from '../reading.ts';
import type { SettlementPage, SettlementWindow } from '../venue.ts';
import { HISTORY_PAGE_DAYS, HISTORY_PAGE_ROWS } from './wire.ts';

/** The part of a window that one call may request. */
export function windowToRequest(window: SettlementWindow): { fromMs: number; toMs: number } {
  return { fromMs: window.fromMs, toMs: Math.min(window.toMs, window.fromMs + HISTORY_PAGE_DAYS * DAY_MS) };
}

/** The hourly prints: `interest_1h` is what was exchanged in the hour that ends at `timestamp`. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const rows = listOf(resultOf(payload, 'get_funding_rate_history'), 'result');
  const { settlements, rejected, newestMs } = readPrints(rows, { contract }, {}, (row) => {
    const percent = percentFromFraction(row.interest_1h);
    return {
      ratePct: percent === null ? null : roundPercent(percent),
      settledAtMs: epochMsOf(row.timestamp),
    };
  });
  // A full page may have been cut; any other page covers the whole requested range, even if it is empty.
  const isCut = rows.length >= HISTORY_PAGE_ROWS && newestMs !== null && newestMs >= window.fromMs;
  const { toMs } = window;
  const doneMs = isCut ? newestMs : windowToRequest(window).toMs;
  return { settlements, rejected, next: doneMs < toMs ? { fromMs: doneMs + 1, toMs } : null };
}
