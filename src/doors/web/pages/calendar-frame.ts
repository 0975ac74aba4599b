import { DAY_MS } from '../../../base/times.ts';

export type Span = 'month' | 'week';

/** A month or a week as a calendar shows it: whole weeks from Monday on, in UTC. Days are written like 2026-11-15. */
export interface CalendarFrame {
  span: Span;
  title: string;
  /** First day of the month or week itself. */
  start: string;
  weeks: readonly (readonly CalendarDay[])[];
  /** All days that are shown lie in this range of times; the end is no part of it. */
  from: string;
  to: string;
  /** First days of the spans beside it. */
  before: string;
  after: string;
}

export interface CalendarDay {
  day: string;
  /** Midnight after it. */
  endsAt: string;
  /** Of the month before or after, shown to fill a week. */
  isOther: boolean;
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const MOST_KEPT = 100;
const kept = new Map<string, CalendarFrame>();

/** The frame that a day is in. Writing forty dates takes longer than all else about a calendar: each is made once. */
export function frameOf(span: Span, day: string): CalendarFrame {
  const key = `${span} ${day}`;
  let frame = kept.get(key);
  if (!frame) {
    if (kept.size >= MOST_KEPT) kept.clear();
    frame = makeFrame(span, dayMs(day));
    kept.set(key, frame);
  }
  return frame;
}

function makeFrame(span: Span, atMs: number): CalendarFrame {
  const isWeek = span === 'week';
  const startMs = isWeek ? mondayMs(atMs) : monthStartMs(atMs, 0);
  const [beforeMs, afterMs] = isWeek
    ? [startMs - 7 * DAY_MS, startMs + 7 * DAY_MS]
    : [monthStartMs(atMs, -1), monthStartMs(atMs, 1)];
  const fromMs = mondayMs(startMs);
  const toMs = isWeek ? afterMs : mondayMs(afterMs + 6 * DAY_MS);
  const start = dayText(startMs);
  const dayAt = (timeMs: number): CalendarDay => ({
    day: dayText(timeMs),
    endsAt: midnight(dayText(timeMs + DAY_MS)),
    isOther: !isWeek && (timeMs < startMs || timeMs >= afterMs),
  });
  return {
    span,
    title: isWeek ? `Week from ${start}` : `${MONTHS[Number(start.slice(5, 7)) - 1]} ${start.slice(0, 4)}`,
    start,
    weeks: Array.from({ length: Math.round((toMs - fromMs) / (7 * DAY_MS)) }, (_, week) =>
      Array.from({ length: 7 }, (_day, day) => dayAt(fromMs + (week * 7 + day) * DAY_MS)),
    ),
    from: midnight(dayText(fromMs)),
    to: midnight(dayText(toMs)),
    before: dayText(beforeMs),
    after: dayText(afterMs),
  };
}

/** Whether the text is a day that exists, of this century. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const timeMs = dayMs(text);
  return !Number.isNaN(timeMs) && dayText(timeMs) === text;
}

export function midnight(day: string): string {
  return `${day}T00:00:00Z`;
}

function dayMs(day: string): number {
  return Date.parse(midnight(day));
}

function dayText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

function mondayMs(timeMs: number): number {
  return timeMs - ((new Date(timeMs).getUTCDay() + 6) % 7) * DAY_MS;
}

function monthStartMs(timeMs: number, monthsOn: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsOn, 1);
}
