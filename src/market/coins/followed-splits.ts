import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import type { Storage } from '../../storage/storage.ts';
import { readSplits } from './split-keeper.ts';
import type { SplitTicker } from './stored-splits.ts';

export interface FollowedSplitsOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
}

const READ_EVERY_MS = 10 * SECOND_MS;

/** What the process that computes snapshots stores, for the others. */
export class FollowedSplits {
  readonly #options: FollowedSplitsOptions;
  #tickers: readonly SplitTicker[] = [];
  #task: RepeatingTask | null = null;

  private constructor(options: FollowedSplitsOptions) {
    this.#options = options;
  }

  static async open(options: FollowedSplitsOptions): Promise<FollowedSplits> {
    const followed = new FollowedSplits(options);
    await followed.#read();
    followed.#task = startRepeatingTask({
      name: 'read which tickers are two coins',
      everyMs: READ_EVERY_MS,
      firstDelayMs: READ_EVERY_MS,
      clock: options.clock,
      log: options.log,
      run: () => followed.#read(),
    });
    return followed;
  }

  tickers(): readonly SplitTicker[] {
    return this.#tickers;
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
  }

  async #read(): Promise<undefined> {
    const { storage, log } = this.#options;
    try {
      this.#tickers = (await readSplits(storage, log))?.tickers ?? this.#tickers;
    } catch (error) {
      // What was read last stays until the database is back.
      if (!isStorageUnavailable(error)) throw error;
    }
  }
}
