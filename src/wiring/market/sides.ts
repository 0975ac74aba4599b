import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { Storage } from '../../storage/storage.ts';
import { loadVenueSides } from '../../storage/venue-sides.ts';
import { chosenSides } from '../../venues/counting/chosen.ts';
import { type ChosenSides, COUNTED_FIGURES, FIGURE_WORDS, sidesOf } from '../../venues/counting/sides.ts';
import type { Venue } from '../../venues/venue.ts';

const READ_EVERY_MS = 10 * SECOND_MS;
const NOTHING: ChosenSides = {};

interface SidesKeeperOptions {
  storage: Storage;
  venues: readonly Venue[];
  clock: Clock;
  log: Log;
}

/** What operators decided about the counts of venues. Another process writes it, so it is read every ten seconds. */
export class SidesKeeper {
  readonly #options: SidesKeeperOptions;
  readonly #chosen = new Map<string, ChosenSides>();
  #task: RepeatingTask | null = null;

  constructor(options: SidesKeeperOptions) {
    this.#options = options;
  }

  of({ slug }: Venue): ChosenSides {
    return this.#chosen.get(slug) ?? NOTHING;
  }

  /** Logs each decision when it comes into force and when it ends. */
  async read(): Promise<void> {
    const { storage, venues, log } = this.#options;
    const stored = await loadVenueSides(storage);
    for (const venue of venues) {
      const { slug, facts } = venue;
      const [before, now] = [this.of(venue), chosenSides(stored, facts)];
      this.#chosen.set(slug, now);
      for (const figure of COUNTED_FIGURES) {
        if (before[figure] === now[figure]) continue;
        const release = facts.counts[figure].sides;
        log.warn(
          { venue: slug, figure, counts: sidesOf(facts.counts, now, figure), release },
          now[figure] === undefined
            ? `${FIGURE_WORDS[figure]} counts what the release says again`
            : `${FIGURE_WORDS[figure]} counts what the operator decided`,
        );
      }
    }
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#task = startRepeatingTask({
      name: 'sides of venues',
      everyMs: READ_EVERY_MS,
      firstDelayMs: READ_EVERY_MS,
      clock,
      log,
      run: async () => {
        await this.read();
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
  }
}
