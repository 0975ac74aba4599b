import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { MINUTE_MS } from '../base/times.ts';
import type { VenueHealth } from '../venues/health.ts';
import type { Part } from './part.ts';

const MINUTES_KEPT = 24 * 60;
/** A venue counts as available in a minute when good data came within this time before its end. */
const FRESH_MS = 2 * MINUTE_MS;

export interface Availability {
  /** Percent of the watched minutes, at most the last 24 hours; null before the first. */
  pct: number | null;
  watchedMinutes: number;
}

export interface AvailabilityPart extends Part {
  of(slug: string): Availability;
  /** Looks at all venues now; done once a minute by itself. */
  sample(): void;
}

/** Once a minute: which venues are giving good data. */
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

  return {
    sample,
    of: (slug) => {
      const seen = minutes.get(slug) ?? [];
      const good = seen.filter(Boolean).length;
      return { pct: seen.length === 0 ? null : (good / seen.length) * 100, watchedMinutes: seen.length };
    },
    start: () => {
      task = startRepeatingTask({
        name: 'venue availability',
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
