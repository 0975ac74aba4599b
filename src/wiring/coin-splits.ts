import type { Log } from '../base/log.ts';
import { parsedOrNull } from '../base/parsing.ts';
import { type RepeatingTask, startRepeatingTask } from '../base/repeating-task.ts';
import { MINUTE_MS, SECOND_MS } from '../base/times.ts';
import { CoinSplits } from '../market/coins/splits.ts';
import { parseSplits, type SplitTicker, type StoredSplits } from '../market/coins/stored-splits.ts';
import { loadCoinSplits, saveCoinSplits } from '../storage/coin-splits.ts';
import { isStorageUnavailable } from '../storage/errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { Foundation } from './foundation.ts';
import type { Part, PartContext } from './part.ts';

export interface CoinSplitsPart extends Part {
  splits: CoinSplits;
}

const SAVE_EVERY_MS = MINUTE_MS;
const FOLLOW_EVERY_MS = 10 * SECOND_MS;

/** What is stored; null if nothing is, or another version wrote it. */
export async function readSplits(storage: Storage, log: Log): Promise<StoredSplits | null> {
  const value = await loadCoinSplits(storage);
  const stored = parsedOrNull(parseSplits, value);
  if (value !== null && stored === null)
    log.warn('cannot read which tickers are two coins: they are one until prices have differed for an hour');
  return stored;
}

/** Which tickers are more than one coin, for the process that computes snapshots. Stored every minute. */
export async function coinSplitsPart({
  storage,
  clock,
  log,
  engineLease,
}: Pick<PartContext, 'storage' | 'clock' | 'log' | 'engineLease'>): Promise<CoinSplitsPart> {
  const splits = new CoinSplits(await readSplits(storage, log));
  let task: RepeatingTask | null = null;
  const save = async () => {
    if (!engineLease.isHeld()) return;
    try {
      await saveCoinSplits(storage, splits.stored(), clock.nowMs(), engineLease.fence());
    } catch (error) {
      log.warn({ err: error }, 'could not store which tickers are two coins');
    }
  };
  return {
    splits,
    start: () => {
      task = startRepeatingTask({
        name: 'store which tickers are two coins',
        everyMs: SAVE_EVERY_MS,
        firstDelayMs: SAVE_EVERY_MS,
        clock,
        log,
        run: async () => {
          await save();
          return undefined;
        },
      });
    },
    stop: async () => {
      await task?.stop();
      await save();
    },
  };
}

export interface FollowedSplits {
  tickers(): readonly SplitTicker[];
  stop(): Promise<void>;
}

/** What the process that computes snapshots stores, for the others. */
export async function followSplits({
  storage,
  clock,
  log,
}: Pick<Foundation, 'storage' | 'clock' | 'log'>): Promise<FollowedSplits> {
  let tickers: readonly SplitTicker[] = [];
  const read = async () => {
    try {
      tickers = (await readSplits(storage, log))?.tickers ?? tickers;
    } catch (error) {
      // What was read last stays until the database is back.
      if (!isStorageUnavailable(error)) throw error;
    }
  };
  await read();
  const task = startRepeatingTask({
    name: 'read which tickers are two coins',
    everyMs: FOLLOW_EVERY_MS,
    firstDelayMs: FOLLOW_EVERY_MS,
    clock,
    log,
    run: async () => {
      await read();
      return undefined;
    },
  });
  return { tickers: () => tickers, stop: () => task.stop() };
}
