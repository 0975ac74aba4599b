/** The time axis of a chart, in UTC or in the reader's zone. Sums per day are of days of UTC in every zone. */
import { isLocal, shortDate, zonedTime, zoneOfSpan } from '../times.ts';

export const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;
const DAY_STEPS = [1, 2, 3, 5, 7, 10, 14, 21, 30, 60];
const HOUR_STEPS = [1, 3, 6, 12];

const dateOf = (seconds: number) => new Date(seconds * 1000);

/** The distances between labels, in seconds. Figures per day have no hours to name. */
export function timeSteps(isDaily: boolean): number[] {
  const hours = isDaily ? [] : HOUR_STEPS.map((count) => count * HOUR_SECONDS);
  return [...hours, ...DAY_STEPS.map((count) => count * DAY_SECONDS)];
}

/** The times with a label: midnights, or hours counted from midnight, also on days with 23 or 25 hours. */
export function timeSplits(from: number, to: number, step: number, isDaily: boolean): number[] {
  const first = dateOf(from);
  const inZone = isLocal() && !isDaily;
  const [year, month, day] = inZone
    ? [first.getFullYear(), first.getMonth(), first.getDate()]
    : [first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate()];
  const at = (days: number, hours: number) => {
    const parts = [year, month, day + days, hours] as const;
    return (inZone ? new Date(...parts).getTime() : Date.UTC(...parts)) / 1000;
  };
  const [stepDays, stepHours] = step < DAY_SECONDS ? [0, step / HOUR_SECONDS] : [step / DAY_SECONDS, 0];
  // Steps of days begin at the first midnight in sight.
  const firstDay = stepDays > 0 && at(0, 0) < from ? 1 : 0;
  const splits: number[] = [];
  for (let count = 0; ; count++) {
    const seconds = at(firstDay + count * stepDays, count * stepHours);
    if (seconds > to) break;
    // An hour that clocks skip is the same time as the next.
    if (seconds >= from && seconds > (splits.at(-1) ?? Number.NEGATIVE_INFINITY)) splits.push(seconds);
  }
  return splits;
}

/** `16 Nov` at the start of a day, otherwise `18:00`. */
export function tickText(seconds: number, isDaily: boolean): string {
  if (isDaily) return shortDate(dateOf(seconds).toISOString().slice(0, 10));
  const { date, clock } = zonedTime(dateOf(seconds));
  return zonedTime(dateOf(seconds - 1)).date === date ? clock.slice(0, 5) : shortDate(date);
}

/** The time at the crosshair. */
export function pointText(seconds: number, isDaily: boolean): string {
  if (isDaily) return `${dateOf(seconds).toISOString().slice(0, 10)}, UTC day`;
  const { date, clock, zone } = zonedTime(dateOf(seconds));
  return `${date} ${clock.slice(0, 5)} ${zone}`;
}

/** What the labels of the axis are of. */
export function axisZone(from: number, to: number, isDaily: boolean): string {
  return isDaily ? 'UTC day' : zoneOfSpan(dateOf(from), dateOf(to));
}
