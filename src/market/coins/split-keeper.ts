import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { parsedOrNull } from '../../base/parsing.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { loadCoinSplits, saveCoinSplits } from '../../storage/coin-splits.ts';
import type { EngineLease } from '../../storage/engine-lease.ts';
import type { Storage } from '../../storage/storage.ts';
import { CoinSplits } from './splits.ts';
import { parseSplits, type StoredSplits } from './stored-splits.ts';

interface CoinSplitKeeperOptions {
  storage: Storage;
  engineLease: EngineLease;
  clock: Clock;
  log: Log;
}

const SAVE_EVERY_MS = MINUTE_MS;

/** What is stored; null if nothing is, or another version wrote it. */
export async function readSplits(storage: Storage, log: Log): Promise<StoredSplits | null> {
  const value = await loadCoinSplits(storage);
  const stored = parsedOrNull(parseSplits, value);
  if (value !== null && stored === null)
    log.warn('cannot read which tickers are two coins: they are one until prices have differed for an hour');
  return stored;
}

/** Which tickers are more than one coin, for the process that computes snapshots. Stored every minute. */
export class CoinSplitKeeper {
  readonly splits: CoinSplits;
  readonly #options: CoinSplitKeeperOptions;
  #task: RepeatingTask | null = null;

  private constructor(options: CoinSplitKeeperOptions, stored: StoredSplits | null) {
    this.#options = options;
    this.splits = new CoinSplits(stored);
  }

  static async open(options: CoinSplitKeeperOptions): Promise<CoinSplitKeeper> {
    return new CoinSplitKeeper(options, await readSplits(options.storage, options.log));
  }

  start(): void {
    const { clock, log } = this.#options;
    this.#task = startRepeatingTask({
      name: 'store which tickers are two coins',
      everyMs: SAVE_EVERY_MS,
      firstDelayMs: SAVE_EVERY_MS,
      clock,
      log,
      run: () => this.#save(),
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
    await this.#save();
  }

  async #save(): Promise<undefined> {
    const { storage, engineLease, clock, log } = this.#options;
    if (!engineLease.isHeld()) return;
    try {
      await saveCoinSplits(storage, this.splits.stored(), clock.nowMs(), engineLease.fence());
    } catch (error) {
      log.warn({ err: error }, 'could not store which tickers are two coins');
    }
  }
}
