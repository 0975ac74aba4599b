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

/** A day's settled rates as an annual rate, net of fees; null when prints cover less than half of the day. */
export function dailyAprPct({ sumPct, coveredMinutes }: DaySum, takerFeePct: number): number | null {
  if (coveredMinutes < LEAST_COVERED_MINUTES) return null;
  return aprPct(sumPct, coveredMinutes / 60, takerFeePct);
}

export interface DayWindow {
  fromDay: number;
  toDay: number;
  /** First and last stored print of the contract. A day between them without prints is a gap: a point without a value. */
  heldSinceMs: number | null;
  lastPrintMs: number | null;
  takerFeePct: number;
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
    points.push({ day, aprPct: sum ? dailyAprPct(sum, window.takerFeePct) : null });
  }
  return points;
}

export type Order = 'asc' | 'desc';

/** Indexes of the returned points in order: sorted first, then limited. */
function* indexes(count: number, order: Order, limit: number): Generator<number> {
  const shown = Math.min(count, limit);
  for (let i = 0; i < shown; i++) yield order === 'asc' ? i : count - 1 - i;
}

export function dayPointsJson(points: readonly DayPoint[], order: Order, limit: number): string {
  let json = '';
  for (const i of indexes(points.length, order, limit)) {
    const point = points[i];
    if (point) json += `${json === '' ? '' : ','}{"day":"${dayText(point.day)}","apr_pct":${point.aprPct}}`;
  }
  return `[${json}]`;
}

export function printsJson(
  prints: Prints & { intervalMinutes: ArrayLike<number> },
  order: Order,
  limit: number,
): string {
  let json = '';
  let [knownDay, prefix] = [-1, ''];
  for (const i of indexes(prints.minutes.length, order, limit)) {
    const minute = prints.minutes[i] ?? 0;
    const day = Math.floor(minute / DAY_MINUTES);
    if (day !== knownDay) {
      knownDay = day;
      prefix = dayText(day);
    }
    const hours = intervalHours(prints.intervalMinutes[i] ?? 0);
    json += `${json === '' ? '' : ','}{"time":"${prefix}T${CLOCK_TEXTS[minute - day * DAY_MINUTES]}:00Z","rate_pct":${prints.ratesPct[i]},"interval_hours":${hours}}`;
  }
  return `[${json}]`;
}

const dayTexts = new Map<number, string>();

/** `2026-11-14`. Every series of an answer has the same days, so each is spelled out once. */
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
