import { DAY_MS } from '../base/times.ts';

/** The days that are stored and shown. */
export const DAYS_STORED = 90;

/** How many of the watched minutes of a UTC day a venue was available. */
export interface AvailableDay {
  /** Days since the epoch. */
  day: number;
  available: number;
  watched: number;
}

/** Counts a minute; days that are too old are left out. */
export function withMinute(
  days: readonly AvailableDay[],
  nowMs: number,
  isAvailable: boolean,
): AvailableDay[] {
  const day = Math.floor(nowMs / DAY_MS);
  const today = days.find((one) => one.day === day) ?? { day, available: 0, watched: 0 };
  const counted = { day, available: today.available + (isAvailable ? 1 : 0), watched: today.watched + 1 };
  return [...days.filter((one) => one.day !== day && one.day > day - DAYS_STORED), counted];
}

/** As stored: `20410:1438/1440,20411:1440/1440`. */
export function daysText(days: readonly AvailableDay[]): string {
  return days.map(({ day, available, watched }) => `${day}:${available}/${watched}`).join(',');
}

/** Null: the text is of another form. */
export function parseDays(text: string): AvailableDay[] | null {
  const days: AvailableDay[] = [];
  for (const part of text === '' ? [] : text.split(',')) {
    const found = /^(\d+):(\d+)\/(\d+)$/.exec(part);
    if (!found) return null;
    const [, day, available, watched] = found.map(Number) as [number, number, number, number];
    days.push({ day, available, watched });
  }
  return days;
}
