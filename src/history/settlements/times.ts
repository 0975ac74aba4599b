import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { ALLOWED_INTERVALS_HOURS } from '../../market/interval.ts';
import { SETTLEMENT_BLOCK_DAYS } from '../../storage/blocks.ts';

export const DAY_MINUTES = DAY_MS / MINUTE_MS;
export const BLOCK_DAYS = SETTLEMENT_BLOCK_DAYS;
export const BLOCK_MINUTES = BLOCK_DAYS * DAY_MINUTES;
const LONGEST_INTERVAL_MINUTES = DAY_MINUTES;
/** A print can affect the computed interval of prints at most this many minutes away: two intervals. */
export const REACH_MINUTES = 2 * LONGEST_INTERVAL_MINUTES + 60;

const ALLOWED_MINUTES = new Set(ALLOWED_INTERVALS_HOURS.map((hours) => hours * 60));

/** The scheduled minute of a settlement. Venues stamp it milliseconds to seconds off, at most one minute. */
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

/** Binary search: the first index whose minute is at or after the given one. */
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
  /** Length of the interval that each print settles, in minutes; 0 when unknown. */
  minutes: Int32Array<ArrayBuffer>;
  /** Indexes of prints whose predecessor is missing. */
  holesBefore: number[];
}

/**
 * A print settles the time since the previous print; the first is given the interval of the second. A distance longer
 * than the intervals on both sides means missing prints; the print after it is given the interval of a neighbour.
 */
export function intervalsOf(minutes: ArrayLike<number>): Intervals {
  const count = minutes.length;
  const intervals: Intervals = { minutes: new Int32Array(count), holesBefore: [] };
  const gap = (i: number) => (i >= 1 && i < count ? (minutes[i] ?? 0) - (minutes[i - 1] ?? 0) : 0);
  for (let i = 1; i < count; i++) {
    const [before, own, after] = [gap(i - 1), gap(i), gap(i + 1)];
    if (isHole(before, own, after, minutes[i] ?? 0)) intervals.holesBefore.push(i);
    intervals.minutes[i] = intervalMinutes(before, own, after, minutes[i] ?? 0);
  }
  if (count > 1) intervals.minutes[0] = intervals.minutes[1] ?? 0;
  return intervals;
}

/** The interval of a print from the distance to the one before it and the distances beside; a distance of 0 is unknown. */
export function intervalMinutes(before: number, own: number, after: number, atMinute: number): number {
  if (!isHole(before, own, after, atMinute)) return own;
  const near = after > 0 && (before === 0 || after <= own) ? after : before;
  return near > 0 && near < own && near <= LONGEST_INTERVAL_MINUTES ? near : 0;
}

function isHole(before: number, own: number, after: number, atMinute: number): boolean {
  if (own > LONGEST_INTERVAL_MINUTES) return true;
  if (before > 0 && after > 0) {
    if (own > before && own > after) return true;
    return own > Math.min(before, after) && !ALLOWED_MINUTES.has(own);
  }
  const known = before || after;
  // With one neighbour only, a longer distance counts as an interval if venues use that length and it ends on its grid.
  return known > 0 && own > known && !(ALLOWED_MINUTES.has(own) && atMinute % own === 0);
}

/** Whole hours, as published; null when unknown. */
export function intervalHours(intervalMinutes: number): number | null {
  return intervalMinutes === 0 ? null : Math.max(1, Math.round(intervalMinutes / 60));
}
