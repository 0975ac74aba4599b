import { DAY_MINUTES, firstIndexFrom } from './times.ts';

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

/**
 * The minutes of a UTC day that prints are for. Each print is for the time since the one before it, so a day on which the
 * interval changes is covered whole if no print is missing. After the last print that is held, the next one is not due
 * until its interval has passed.
 */
export function coveredMinutesOf(
  minutes: readonly number[],
  intervalMinutes: ArrayLike<number>,
  day: number,
): number {
  const [start, end] = [day * DAY_MINUTES, (day + 1) * DAY_MINUTES];
  let covered = 0;
  for (let i = firstIndexFrom(minutes, start + 1); i < minutes.length; i++) {
    const minute = minutes[i] ?? 0;
    const from = Math.max(start, minute - (intervalMinutes[i] ?? 0));
    covered += Math.max(0, Math.min(end, minute) - from);
    if (minute >= end) return covered;
  }
  const last = minutes.at(-1) ?? 0;
  if (last < start) return covered;
  return covered + Math.min(end - last, intervalMinutes[minutes.length - 1] ?? 0);
}
