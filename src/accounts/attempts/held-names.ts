import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS } from '../../base/times.ts';

/** Something that holds names from outside for a limited time. */
export interface HoldsNames {
  readonly nameCount: number;
  /** Drops the names whose time is over. */
  sweep(): void;
}

/** Drops names by time, also when no further attempt comes, and reports how many there are. */
export class HeldNames {
  readonly #limits = new Map<string, HoldsNames>();
  readonly #metrics: Metrics | null;
  readonly #task: RepeatingTask;

  constructor(clock: Clock, log: Log, metrics: Metrics | null) {
    this.#metrics = metrics;
    this.#task = startRepeatingTask({
      name: 'drop old attempts',
      everyMs: MINUTE_MS,
      clock,
      log,
      run: async () => {
        this.#sweep();
        return undefined;
      },
    });
  }

  add<Names extends HoldsNames>(limit: string, names: Names): Names {
    this.#limits.set(limit, names);
    return names;
  }

  stop(): Promise<void> {
    return this.#task.stop();
  }

  #sweep(): void {
    for (const [limit, names] of this.#limits) {
      names.sweep();
      this.#metrics?.attemptNames.set({ limit }, names.nameCount);
    }
  }
}
