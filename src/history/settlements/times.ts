import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { ALLOWED_INTERVALS_HOURS } from '../../market/interval.ts';

export const DAY_MINUTES = DAY_MS / MINUTE_MS;
/** Prints are kept in blocks of this many days, counted from the epoch. */
export const BLOCK_DAYS = 32;
export const BLOCK_MINUTES = BLOCK_DAYS * DAY_MINUTES;
const LONGEST_INTERVAL_MINUTES = DAY_MINUTES;
/** A print has a say in the intervals of those this far away, and no further: two intervals at most. */
export const REACH_MINUTES = 2 * LONGEST_INTERVAL_MINUTES + 60;

const ALLOWED_MINUTES = new Set(ALLOWED_INTERVALS_HOURS.map((hours) => hours * 60));

/** The minute that a settlement is for: venues stamp it some milliseconds or seconds off, never more than a minute. */
export function settlementMinute(settledAtMs: number): number {
  const hour = Math.round(settledAtMs / HOUR_MS);
  if (Math.abs(settledAtMs - hour * HOUR_MS) <= MINUTE_MS) return hour * 60;
  return Math.round(settledAtMs / MINUTE_MS);
}

export function blockOf(minute: number): number {
  return Math.floor(minute / BLOCK_MINUTES);
}

/** Settled prints of one contract, oldest first: the minute of each, and its rate in percent. */
export interface Prints {
  minutes: number[];
  ratesPct: number[];
}

export function noPrints(): Prints {
  return { minutes: [], ratesPct: [] };
}

/** The first index whose minute is not before the given one. */
export function firstIndexFrom(minutes: ArrayLike<number>, minute: number): number {
  let [low, high] = [0, minutes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((minutes[middle] ?? 0) < minute) low = middle + 1;
    else high = middle;
  }
  return low;
}

export interface Intervals {
  /** Minutes that each print is for; 0 when nothing tells. */
  minutes: Int32Array<ArrayBuffer>;
  /** Indexes of prints before which others are missing. */
  holesBefore: number[];
}

/**
 * A print is for the time since the one before; the first, for as long as the next. A stretch that is longer than the
 * intervals on both its sides is not an interval but missing prints: then the print is for as long as its neighbours.
 */
export function intervalsOf(minutes: ArrayLike<number>): Intervals {
  const count = minutes.length;
  const intervals: Intervals = { minutes: new Int32Array(count), holesBefore: [] };
  const gap = (i: number) => (i >= 1 && i < count ? (minutes[i] ?? 0) - (minutes[i - 1] ?? 0) : 0);
  for (let i = 1; i < count; i++) {
    const [before, own, after] = [gap(i - 1), gap(i), gap(i + 1)];
    if (isHole(before, own, after, minutes[i] ?? 0)) {
      intervals.holesBefore.push(i);
      const near = after > 0 && (before === 0 || after <= own) ? after : before;
      intervals.minutes[i] = near > 0 && near < own && near <= LONGEST_INTERVAL_MINUTES ? near : 0;
    } else intervals.minutes[i] = own;
  }
  if (count > 1) intervals.minutes[0] = intervals.minutes[1] ?? 0;
  return intervals;
}

function isHole(before: number, own: number, after: number, atMinute: number): boolean {
  if (own > LONGEST_INTERVAL_MINUTES) return true;
  if (before > 0 && after > 0) {
    if (own > before && own > after) return true;
    return own > Math.min(before, after) && !ALLOWED_MINUTES.has(own);
  }
  const known = before || after;
  // With one neighbour only, a longer interval is believed if it is one, and on the venues' grid.
  return known > 0 && own > known && !(ALLOWED_MINUTES.has(own) && atMinute % own === 0);
}

/** Whole hours, as they are published; null when nothing tells. */
export function intervalHours(intervalMinutes: number): number | null {
  return intervalMinutes === 0 ? null : Math.max(1, Math.round(intervalMinutes / 60));
}
