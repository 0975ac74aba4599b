import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { VenueHealth } from '../../venues/health.ts';
import type { Part } from '../part.ts';

const MINUTES_KEPT = 24 * 60;
/** A venue counts as available in a minute if valid data arrived at most this long before its end. */
const FRESH_MS = 2 * MINUTE_MS;

export interface Availability {
  /** Percent of the watched minutes of the last 24 hours; null before the first minute. */
  pct: number | null;
  watchedMinutes: number;
}

export interface AvailabilityPart extends Part {
  of(slug: string): Availability;
  /** The watched minutes of a venue for its next owner: one character each, 1 if it was available, else 0. */
  minutesOf(slug: string): string;
  /** Continues from the minutes that the former owner recorded. */
  resume(slug: string, minutes: string): void;
  /** Records all venues now; called once a minute by the part itself. */
  sample(): void;
}

/** Computed from minutes as `minutesOf` returns them. */
export function availabilityOf(minutes: string): Availability {
  const good = [...minutes].filter((minute) => minute === '1').length;
  return { pct: minutes === '' ? null : (good / minutes.length) * 100, watchedMinutes: minutes.length };
}

/** Records once a minute which venues deliver valid data. */
export function availabilityPart(options: {
  clock: Clock;
  log: Log;
  health: () => readonly VenueHealth[];
}): AvailabilityPart {
  const minutes = new Map<string, boolean[]>();
  let task: RepeatingTask | null = null;

  const sample = () => {
    const nowMs = options.clock.nowMs();
    for (const venue of options.health()) {
      const seen = minutes.get(venue.slug) ?? [];
      seen.push(venue.lastGoodAtMs !== null && nowMs - venue.lastGoodAtMs <= FRESH_MS);
      if (seen.length > MINUTES_KEPT) seen.shift();
      minutes.set(venue.slug, seen);
    }
  };

  const minutesOf = (slug: string) =>
    (minutes.get(slug) ?? []).map((isGood) => (isGood ? '1' : '0')).join('');

  return {
    sample,
    minutesOf,
    resume: (slug, seen) =>
      minutes.set(
        slug,
        [...seen.slice(-MINUTES_KEPT)].map((one) => one === '1'),
      ),
    of: (slug) => availabilityOf(minutesOf(slug)),
    start: () => {
      task = startRepeatingTask({
        name: 'record the availability of venues',
        everyMs: MINUTE_MS,
        firstDelayMs: MINUTE_MS,
        clock: options.clock,
        log: options.log,
        run: async () => {
          sample();
          return undefined;
        },
      });
    },
    stop: async () => {
      await task?.stop();
    },
  };
}
