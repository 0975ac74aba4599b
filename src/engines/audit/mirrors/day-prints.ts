import { DAY_MINUTES } from '../../../history/settlements/times.ts';

/** The settled prints of one contract, oldest first, with the interval that each settles (0: unknown). */
export interface ContractPrints {
  minutes: ArrayLike<number>;
  ratesPct: ArrayLike<number>;
  intervalMinutes: ArrayLike<number>;
}

/** Prints of one settlement; venues date them seconds off. */
const SAME_SETTLEMENT_MINUTES = 2;
/** Prints must cover this share of a day, as for the sums of settled rates. */
const LEAST_COVERAGE = 0.95;
/** One equal rate may be chance at a venue with few decimals, and one that never changes is a setting, such as a cap. */
const LEAST_TELLING = 2;
/** A rate that so many contracts of a venue have had is where rates rest or are capped: it tells nothing of a copy. */
const COMMON_SHARE = 0.05;
const COMMON_LEAST = 3;

/** The rates of a venue that say nothing, because many of its contracts have had them, and 0. */
export function commonRates(contracts: readonly ContractPrints[]): Set<number> {
  const counts = new Map<number, number>();
  for (const { ratesPct } of contracts)
    for (const rate of new Set(Array.from(ratesPct))) counts.set(rate, (counts.get(rate) ?? 0) + 1);
  const least = Math.max(COMMON_LEAST, COMMON_SHARE * contracts.length);
  const common = new Set([0]);
  for (const [rate, count] of counts) if (count >= least) common.add(rate);
  return common;
}

/**
 * Whether two contracts were charged the same rates, to the digit, at every settlement that both had in the day that ends with
 * the newest one. Null: less than a day is known, or too few rates say anything.
 */
export function hasEqualDay(
  a: ContractPrints,
  b: ContractPrints,
  isCommon: (ratePct: number) => boolean,
): boolean | null {
  let [i, j] = [a.minutes.length - 1, b.minutes.length - 1];
  let newest: number | null = null;
  let coveredMinutes = 0;
  const telling = new Set<number>();
  while (i >= 0 && j >= 0) {
    const [minuteA, minuteB] = [a.minutes[i] as number, b.minutes[j] as number];
    if (Math.abs(minuteA - minuteB) > SAME_SETTLEMENT_MINUTES) {
      if (minuteA > minuteB) i--;
      else j--;
      continue;
    }
    newest ??= minuteA;
    if (newest - minuteA >= DAY_MINUTES) break;
    const rate = a.ratesPct[i] as number;
    if (rate !== b.ratesPct[j]) return false;
    coveredMinutes += Math.min(a.intervalMinutes[i] as number, b.intervalMinutes[j] as number);
    if (!isCommon(rate)) telling.add(rate);
    i--;
    j--;
  }
  return coveredMinutes >= LEAST_COVERAGE * DAY_MINUTES && telling.size >= LEAST_TELLING ? true : null;
}
