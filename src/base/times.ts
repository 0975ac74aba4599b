export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const EARLIEST_MS = Date.UTC(2015, 0, 1);
const LATEST_MS = Date.UTC(2100, 0, 1);

/** True for times from 2015 to 2100. A time in the wrong unit falls outside. */
export function isPlausibleMs(timeMs: number): boolean {
  return timeMs >= EARLIEST_MS && timeMs < LATEST_MS;
}

/** `YYYY-MM-DDTHH:mm:ssZ`, with milliseconds only if they are not zero. */
export function isoTime(timeMs: number): string {
  const text = new Date(timeMs).toISOString();
  return timeMs % 1000 === 0 ? `${text.slice(0, 19)}Z` : text;
}

/** The next full hour strictly after the given time. */
export function nextFullHourMs(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS + HOUR_MS;
}
