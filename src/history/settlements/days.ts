import { DAY_MINUTES } from './times.ts';

/** The funding paid in one UTC day. */
export interface DaySum {
  /** Days since the epoch. */
  day: number;
  sumPct: number;
  /** The summed intervals of the day's prints. */
  coveredMinutes: number;
}

/** Rates are summed as integers in this unit, so that the result does not depend on the order of addition. */
const UNITS_PER_PCT = 1e12;

export function rateUnits(ratePct: number): number {
  return Math.round(ratePct * UNITS_PER_PCT);
}

export function pctOfUnits(units: number): number {
  return units / UNITS_PER_PCT;
}

/** Day sums of the prints with index in [fromIndex, toIndex); days without prints are left out. */
export function daySums(
  minutes: ArrayLike<number>,
  ratesPct: ArrayLike<number>,
  intervalMinutes: ArrayLike<number>,
  fromIndex: number,
  toIndex: number,
): DaySum[] {
  const days: DaySum[] = [];
  for (let i = fromIndex; i < toIndex; ) {
    const day = Math.floor((minutes[i] ?? 0) / DAY_MINUTES);
    const endMinute = (day + 1) * DAY_MINUTES;
    let [units, coveredMinutes] = [0, 0];
    for (; i < toIndex && (minutes[i] ?? 0) < endMinute; i++) {
      units += rateUnits(ratesPct[i] ?? 0);
      coveredMinutes += intervalMinutes[i] ?? 0;
    }
    days.push({ day, sumPct: pctOfUnits(units), coveredMinutes });
  }
  return days;
}
