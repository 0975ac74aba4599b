import { DAY_MS } from '../../../../base/times.ts';

export type Span = 'month' | 'week';

/** A month or week of a calendar, as whole weeks from Monday, in UTC. Days are written like 2026-11-15. */
export interface CalendarGrid {
  span: Span;
  title: string;
  /** The first day of the month or week. */
  start: string;
  weeks: readonly (readonly CalendarDay[])[];
  /** The range of all shown days; `to` is exclusive. */
  from: string;
  to: string;
  /** The first days of the previous and the next span. */
  before: string;
  after: string;
}

export interface CalendarDay {
  day: string;
  /** The next midnight. */
  endsAt: string;
  /** Belongs to the previous or next month and fills up a week. */
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
/** The grid that contains a day. */
export function gridOf(span: Span, day: string): CalendarGrid {
  const atMs = dayMs(day);
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
    title: isWeek ? weekTitle(startMs) : monthWords(start),
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

function monthWords(day: string): string {
  return `${MONTHS[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;
}

/** Such as `16 to 22 November 2026`, or `28 December 2026 to 3 January 2027`. */
function weekTitle(startMs: number): string {
  const [first, last] = [dayText(startMs), dayText(startMs + 6 * DAY_MS)];
  const date = (day: string) => Number(day.slice(8));
  const start =
    monthWords(first) === monthWords(last) ? `${date(first)}` : `${date(first)} ${monthWords(first)}`;
  return `${start} to ${date(last)} ${monthWords(last)}`;
}

/** Whether the text is an existing day of this century. */
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
