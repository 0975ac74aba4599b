import { decimalOrNull, roundPercent } from '../../base/numbers.ts';
import { epochMsOf } from '../fields.ts';
import type { Contract } from '../observations.ts';
import { isRow, listOf, rowOf } from '../reading.ts';
import type { SettlementPage } from '../venue.ts';
import { PRINT_EVERY_MS, PRINTS_PER_PAGE, READING_MAX_AGE_MS } from './wire.ts';

/** The funding index at a print time. */
export interface IndexReading {
  /** USDC that one unit held long has paid since the market opened. */
  index: number;
  /** USDC price of one unit, to which the payment is related; null while the rate is 0, which hides the price. */
  price: number | null;
}

/** Print times of the next page, oldest first: those in the window, and the one before, where the first print starts. */
export function printTimes(
  window: { fromMs: number; toMs: number },
  listedAtMs: number | null,
): { atMs: number[]; next: { fromMs: number; toMs: number } | null } {
  const fromMs = Math.max(window.fromMs, (listedAtMs ?? 0) + PRINT_EVERY_MS);
  const firstMs = Math.ceil(fromMs / PRINT_EVERY_MS) * PRINT_EVERY_MS;
  const left = Math.floor((window.toMs - firstMs) / PRINT_EVERY_MS) + 1;
  if (left <= 0) return { atMs: [], next: null };
  const count = Math.min(left, PRINTS_PER_PAGE);
  const atMs = Array.from({ length: count + 1 }, (_, i) => firstMs + (i - 1) * PRINT_EVERY_MS);
  const lastMs = firstMs + (count - 1) * PRINT_EVERY_MS;
  return { atMs, next: left > count ? { fromMs: lastMs + 1, toMs: window.toMs } : null };
}

/** The newest reading up to that time; null if none is recent enough. The newest row is the first. */
export function parseIndexReading(payload: unknown, atMs: number): IndexReading | null {
  const row = listOf(rowOf(payload, 'funding/data').results, 'results')[0];
  if (!isRow(row)) return null;
  const createdAtMs = epochMsOf(row.created_at);
  const index = decimalOrNull(row.funding_index);
  if (createdAtMs === null || index === null) return null;
  if (createdAtMs > atMs || createdAtMs < atMs - READING_MAX_AGE_MS) return null;
  // The premium is the rate times the price, both for the market's own period.
  const rate = decimalOrNull(row.funding_rate);
  const premium = decimalOrNull(row.funding_premium);
  const price = rate === null || rate === 0 || premium === null ? null : premium / rate;
  return { index, price: price !== null && price > 0 ? price : null };
}

/** Payments between consecutive readings, in percent of the price at the end. A missing reading leaves a gap. */
export function settlementsOf(
  contract: Contract,
  times: { atMs: readonly number[]; next: SettlementPage['next'] },
  readings: readonly (IndexReading | null)[],
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: times.next };
  const { venueSymbol } = contract;
  for (const [i, settledAtMs] of times.atMs.entries()) {
    const [before, after] = [readings[i - 1], readings[i]];
    if (!before || !after) continue;
    const paid = after.index - before.index;
    const price = after.price ?? before.price;
    if (price === null && paid !== 0) {
      page.rejected.push({ venueSymbol, reason: 'no price to relate the payment to' });
      continue;
    }
    page.settlements.push({
      venueSymbol,
      ratePct: price === null ? 0 : roundPercent((paid / price) * 100),
      settledAtMs,
    });
  }
  return page;
}
