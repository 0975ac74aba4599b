import { DAY_MS } from '../../base/times.ts';
import type { DaySum } from '../../history/settlements/days.ts';
import { DAY_MINUTES, intervalHours, type Prints } from '../../history/settlements/times.ts';
import { aprPct } from './table.ts';

/** A day needs prints for at least half of it. */
const LEAST_COVERED_MINUTES = DAY_MINUTES / 2;

export interface DayPoint {
  day: number;
  aprPct: number | null;
}

/** True if the prints of the day are for less than half of it. The day is complete all the same if none is missing. */
export function isShort({ coveredMinutes }: DaySum): boolean {
  return coveredMinutes < LEAST_COVERED_MINUTES;
}

/** A day's settled rates as an annual rate, net of fees. */
function dailyAprPct({ sumPct, coveredMinutes }: DaySum, takerFeePct: number): number | null {
  return aprPct(sumPct, coveredMinutes / 60, takerFeePct);
}

export interface DayWindow {
  fromDay: number;
  toDay: number;
  /** First and last stored print of the contract. A day between them without prints is a gap: a point without a value. */
  heldSinceMs: number | null;
  lastPrintMs: number | null;
  takerFeePct: number;
  /** Short days of which no print is missing. */
  completeDays: ReadonlySet<number>;
}

/** One point per day between the contract's first and last print; none if the window has no prints. */
export function dayPoints(days: readonly DaySum[], window: DayWindow): DayPoint[] {
  if (days.length === 0) return [];
  const known = new Map(days.map((sum) => [sum.day, sum]));
  const firstDay = Math.max(window.fromDay, Math.floor((window.heldSinceMs ?? 0) / DAY_MS));
  const lastDay = Math.min(
    window.toDay,
    Math.floor((window.lastPrintMs ?? Number.POSITIVE_INFINITY) / DAY_MS),
  );
  const points: DayPoint[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    const sum = known.get(day);
    const isKnown = sum && sum.coveredMinutes > 0 && (!isShort(sum) || window.completeDays.has(day));
    points.push({ day, aprPct: isKnown ? dailyAprPct(sum, window.takerFeePct) : null });
  }
  return points;
}

export type Order = 'asc' | 'desc';

/** The points in the given order, at most `limit` of them counted after ordering. */
export function ordered<T>(points: readonly T[], order: Order, limit: number): T[] {
  return (order === 'asc' ? points : points.toReversed()).slice(0, limit);
}

/** One settled print as the API shows it. */
export interface PrintPoint {
  time: string;
  rate_pct: number;
  interval_hours: number | null;
}

export function printPoints(
  prints: Prints & { intervalMinutes: ArrayLike<number> },
  order: Order,
  limit: number,
): PrintPoint[] {
  const count = prints.minutes.length;
  const points: PrintPoint[] = [];
  for (let i = 0; i < Math.min(count, limit); i++) {
    const at = order === 'asc' ? i : count - 1 - i;
    const minute = prints.minutes[at] ?? 0;
    const day = Math.floor(minute / DAY_MINUTES);
    points.push({
      time: `${dayText(day)}T${CLOCK_TEXTS[minute - day * DAY_MINUTES]}:00Z`,
      rate_pct: prints.ratesPct[at] ?? 0,
      interval_hours: intervalHours(prints.intervalMinutes[at] ?? 0),
    });
  }
  return points;
}

const dayTexts = new Map<number, string>();

/** `2026-11-14`. All series of an answer have the same days, so each is formatted once. */
export function dayText(day: number): string {
  let text = dayTexts.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, 10);
    dayTexts.set(day, text);
  }
  return text;
}

/** `08:00` by minute of the day. */
const CLOCK_TEXTS = Array.from({ length: DAY_MINUTES }, (_, minute) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':'),
);
