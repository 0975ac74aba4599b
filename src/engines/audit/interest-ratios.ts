import { median } from '../../base/numbers.ts';
import type { FrozenContract } from '../../market/freeze.ts';
import { medianWithout } from './checks.ts';

/** A coin says something about a venue if so many others have it. */
const LEAST_OTHERS = 3;
/** Single coins differ for their own reasons. */
export const LEAST_COINS = 10;

interface Sums {
  openInterestUsdt: number;
  volume24hUsdt: number;
}

/**
 * Open interest / day volume of each venue against the other venues: the median over its coins of its own ratio / the
 * median of the others'. Venues with too few coins to compare are left out.
 */
export function interestFactors(rows: readonly FrozenContract[]): Map<string, number> {
  const coins = new Map<string, Map<string, Sums>>();
  for (const row of rows) {
    const { coin, exchange, openInterestUsdt, volume24hUsdt } = row;
    if (row.isPriceOutlier || openInterestUsdt === null) continue;
    const venues = coins.get(coin) ?? new Map<string, Sums>();
    coins.set(coin, venues);
    const sums = venues.get(exchange) ?? { openInterestUsdt: 0, volume24hUsdt: 0 };
    venues.set(exchange, sums);
    sums.openInterestUsdt += openInterestUsdt;
    sums.volume24hUsdt += volume24hUsdt;
  }
  const factors = new Map<string, number[]>();
  for (const venues of coins.values()) {
    const ratios = [...venues]
      .map(([exchange, sums]) => ({ exchange, ratio: sums.openInterestUsdt / sums.volume24hUsdt }))
      .filter(({ ratio }) => ratio > 0 && Number.isFinite(ratio));
    if (ratios.length <= LEAST_OTHERS) continue;
    const sorted = Float64Array.from(ratios, ({ ratio }) => ratio).sort();
    for (const { exchange, ratio } of ratios) {
      const own = factors.get(exchange) ?? [];
      factors.set(exchange, own);
      own.push(ratio / medianWithout(sorted, ratio));
    }
  }
  const found = new Map<string, number>();
  for (const [exchange, list] of factors) if (list.length >= LEAST_COINS) found.set(exchange, median(list));
  return found;
}
