import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { MINUTE_MS } from '../base/times.ts';
import { type AvailableDay, daysText, parseDays, withMinute } from './availability-days.ts';
import type { VenueHealth } from './health.ts';

const STORED_MINUTES = 24 * 60;
/** A venue counts as available in a minute if valid data arrived at most this long before its end. */
const FRESH_MS = 2 * MINUTE_MS;

export interface Availability {
  /** Percent of the watched minutes of the last 24 hours; null before the first minute. */
  pct: number | null;
  watchedMinutes: number;
  /** The recorded ones of the last 90 days, oldest first. */
  days: readonly AvailableDay[];
}

/** What is stored of the availability of a venue. */
export interface AvailabilityRecord {
  /** One character a minute, oldest first: 1 if the venue was available, else 0. */
  minutes: string;
  /** The minutes of each day, as `daysText` writes them. */
  days: string;
}

interface VenueAvailabilityOptions {
  health: () => readonly VenueHealth[];
  clock: Clock;
  log: Log;
}

export function availabilityOf({ minutes, days }: AvailabilityRecord): Availability {
  const good = [...minutes].filter((minute) => minute === '1').length;
  return {
    pct: minutes === '' ? null : (good / minutes.length) * 100,
    watchedMinutes: minutes.length,
    days: parseDays(days) ?? [],
  };
}

/** Records once a minute which venues deliver valid data. */
export class VenueAvailability {
  readonly #options: VenueAvailabilityOptions;
  /** By venue: the watched minutes, oldest first. */
  readonly #minutes = new Map<string, boolean[]>();
  readonly #days = new Map<string, AvailableDay[]>();
  #task: RepeatingTask | null = null;

  constructor(options: VenueAvailabilityOptions) {
    this.#options = options;
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#task = startRepeatingTask({
      name: 'record the availability of venues',
      everyMs: MINUTE_MS,
      firstDelayMs: MINUTE_MS,
      clock,
      log,
      run: async () => {
        this.sample();
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
  }

  of(slug: string): Availability {
    return availabilityOf(this.recordOf(slug));
  }

  /** What is known of a venue, for the next owner. */
  recordOf(slug: string): AvailabilityRecord {
    const minutes = (this.#minutes.get(slug) ?? []).map((isGood) => (isGood ? '1' : '0')).join('');
    return { minutes, days: daysText(this.#days.get(slug) ?? []) };
  }

  /** Continues from what the former owner recorded. */
  resume(slug: string, { minutes, days }: AvailabilityRecord): void {
    this.#days.set(slug, parseDays(days) ?? []);
    this.#minutes.set(
      slug,
      [...minutes.slice(-STORED_MINUTES)].map((one) => one === '1'),
    );
  }

  /** Records all venues now; done once a minute by itself. */
  sample(): void {
    const nowMs = this.#options.clock.nowMs();
    for (const { slug, lastGoodAtMs } of this.#options.health()) {
      const seen = this.#minutes.get(slug) ?? [];
      const isAvailable = lastGoodAtMs !== null && nowMs - lastGoodAtMs <= FRESH_MS;
      this.#days.set(slug, withMinute(this.#days.get(slug) ?? [], nowMs, isAvailable));
      seen.push(isAvailable);
      if (seen.length > STORED_MINUTES) seen.shift();
      this.#minutes.set(slug, seen);
    }
  }
}
