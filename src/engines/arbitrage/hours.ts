import { HOUR_MS } from '../../base/times.ts';

/** Hours of carry that are kept of each contract: 30 days, and the rest of the first UTC day. */
export const STORED_HOURS = 31 * 24;
const MINUTES_PER_HOUR = 60;

/** Settled prints with the time that each is for, oldest first. */
export interface SettledPrints {
  minutes: ArrayLike<number>;
  ratesPct: ArrayLike<number>;
  /** 0: unknown. */
  intervalMinutes: ArrayLike<number>;
}

/** The last full hour before the time, as hours since 1970. The hour with this number has ended. */
export function lastFullHour(asOfMs: number): number {
  return Math.floor(asOfMs / HOUR_MS) - 1;
}

/** The funding of one contract over the last 31 days, prepared for comparing it with many others. */
export interface LegHours {
  /** Percent by hour, each print spread evenly over its interval. NaN: no print covers the whole hour. */
  carry: Float32Array;
  /** All known hours are in [first, end). */
  first: number;
  end: number;
  /** Carry up to the start of each hour in millionths of a percent; null if an hour is missing or it does not fit. */
  cumulative: Int32Array | null;
  /** 8, 4, 2 or 1: within aligned blocks of so many hours the carry is constant. */
  stepHours: number;
  /** Percent by UTC day, for the 30 days before the one of the last hour. NaN: less than 95 % of the day is known. */
  days: Float64Array;
}

export const CUMULATIVE_STEPS_PER_PCT = 1e6;
/** The difference of two such numbers still fits into 32 bits. */
const MAX_CUMULATIVE = 2 ** 30 - 1;
const HOURS_PER_DAY = 24;
export const WINDOW_DAYS = 30;
/** Figures need this share of a window's hours. */
export const LEAST_COVERAGE = 0.95;
const LONGEST_STEP_HOURS = 8;

/** The first entry is the hour `lastHour - STORED_HOURS + 1`. */
export function legHours(prints: SettledPrints, lastHour: number): LegHours {
  const firstHour = lastHour - STORED_HOURS + 1;
  const carry = hourlyCarry(prints, firstHour, lastHour);
  let first = 0;
  while (first < STORED_HOURS && Number.isNaN(carry[first])) first++;
  let end = STORED_HOURS;
  while (end > first && Number.isNaN(carry[end - 1])) end--;
  const cumulative = cumulativeOf(carry, first, end);
  return {
    carry,
    first,
    end,
    cumulative,
    stepHours: cumulative ? stepOf(carry, firstHour) : 1,
    days: daysOf(carry, lastHour),
  };
}

/** Percent by hour from `firstHour` to `lastHour`, each print spread evenly over its interval. NaN: no print covers the whole hour. */
export function hourlyCarry(prints: SettledPrints, firstHour: number, lastHour: number): Float32Array {
  const carry = new Float32Array(lastHour - firstHour + 1);
  const covered = new Uint8Array(carry.length);
  for (let i = 0; i < prints.minutes.length; i++) {
    const intervalMinutes = prints.intervalMinutes[i] as number;
    if (intervalMinutes === 0) continue;
    const endMinute = prints.minutes[i] as number;
    const startMinute = endMinute - intervalMinutes;
    const pctPerMinute = (prints.ratesPct[i] as number) / intervalMinutes;
    const fromHour = Math.max(firstHour, Math.floor(startMinute / MINUTES_PER_HOUR));
    const toHour = Math.min(lastHour, Math.ceil(endMinute / MINUTES_PER_HOUR) - 1);
    for (let hour = fromHour; hour <= toHour; hour++) {
      const hourStart = hour * MINUTES_PER_HOUR;
      const minutes = Math.min(endMinute, hourStart + MINUTES_PER_HOUR) - Math.max(startMinute, hourStart);
      const place = hour - firstHour;
      carry[place] = (carry[place] as number) + pctPerMinute * minutes;
      covered[place] = (covered[place] as number) + minutes;
    }
  }
  for (let place = 0; place < carry.length; place++)
    if ((covered[place] as number) < MINUTES_PER_HOUR) carry[place] = Number.NaN;
  return carry;
}

function cumulativeOf(carry: Float32Array, first: number, end: number): Int32Array | null {
  const cumulative = new Int32Array(STORED_HOURS + 1);
  let total = 0;
  for (let place = first; place < end; place++) {
    total += (carry[place] as number) * CUMULATIVE_STEPS_PER_PCT;
    // A missing hour makes the total NaN, which is in no range.
    if (!(Math.abs(total) <= MAX_CUMULATIVE)) return null;
    cumulative[place + 1] = Math.round(total);
  }
  return cumulative;
}

/** The longest step that every change of the carry falls on a multiple of. */
function stepOf(carry: Float32Array, firstHour: number): number {
  let step = LONGEST_STEP_HOURS;
  for (let place = 1; place < STORED_HOURS && step > 1; place++)
    while (step > 1 && (firstHour + place) % step !== 0 && !Object.is(carry[place], carry[place - 1]))
      step /= 2;
  return step;
}

function daysOf(carry: Float32Array, lastHour: number): Float64Array {
  const firstHour = lastHour - STORED_HOURS + 1;
  const today = Math.floor((lastHour + 1) / HOURS_PER_DAY);
  const days = new Float64Array(WINDOW_DAYS);
  for (let day = 0; day < WINDOW_DAYS; day++) {
    const start = (today - WINDOW_DAYS + day) * HOURS_PER_DAY - firstHour;
    let [pct, known] = [0, 0];
    for (let place = start; place < start + HOURS_PER_DAY; place++) {
      if (Number.isNaN(carry[place])) continue;
      pct += carry[place] as number;
      known++;
    }
    days[day] = known < HOURS_PER_DAY * LEAST_COVERAGE ? Number.NaN : pct;
  }
  return days;
}
