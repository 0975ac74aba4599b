import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { VenueHealth } from '../../venues/health.ts';
import type { Part } from '../part.ts';

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
  /** The watched minutes of a venue as text, 1 for each in which it was available; for who watches it next. */
  minutesOf(slug: string): string;
  /** Goes on from what another process has seen. */
  goOn(slug: string, minutes: string): void;
  /** Looks at all venues now; done once a minute by itself. */
  sample(): void;
}

/** From watched minutes as text, 1 for each in which the venue was available. */
export function availabilityOf(minutes: string): Availability {
  const good = [...minutes].filter((minute) => minute === '1').length;
  return { pct: minutes === '' ? null : (good / minutes.length) * 100, watchedMinutes: minutes.length };
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

  const minutesOf = (slug: string) =>
    (minutes.get(slug) ?? []).map((isGood) => (isGood ? '1' : '0')).join('');

  return {
    sample,
    minutesOf,
    goOn: (slug, seen) =>
      minutes.set(
        slug,
        [...seen.slice(-MINUTES_KEPT)].map((one) => one === '1'),
      ),
    of: (slug) => availabilityOf(minutesOf(slug)),
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
