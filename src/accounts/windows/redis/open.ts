import { within } from '../../../base/async/within.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { MINUTE_MS, SECOND_MS } from '../../../base/times.ts';
import type { Heartbeats } from '../../../storage/heartbeats.ts';
import { RedisUnavailableError } from '../../../storage/redis/redis.ts';
import type { Storage } from '../../../storage/storage.ts';
import { UsageLedger } from '../../usage/ledger.ts';
import { readSlotMonth } from '../../usage/rows.ts';
import { keepStoring } from '../../usage/storing.ts';
import { CurrentMonth } from '../months.ts';
import type { CountedWindows } from '../stored.ts';
import { LocalShare } from './local-share.ts';
import { OwnRequests } from './own-requests.ts';
import { RedisWindows, type RedisWindowsOptions } from './windows.ts';

interface SharedWindowsOptions
  extends Pick<RedisWindowsOptions, 'redis' | 'names' | 'directory' | 'reportUnreadable'> {
  storage: Storage;
  heartbeats: Heartbeats;
  clock: Clock;
  log: Log;
  metrics?: Metrics;
}

/** How long a request waits for the database before it continues without. */
const DATABASE_TIMEOUT_MS = 1_000;
/** How long a process still decides by its share when Redis is back: meanwhile the others give Redis their last minute. */
const RETURN_MS = SECOND_MS;

/** Counts that Redis has lost, or that processes of another version have stored, are missing for no longer than this. */
const COMPARE_EVERY_MS = MINUTE_MS;

/** Windows in Redis. The months are also stored in the database twice a second. */
export function openSharedWindows(options: SharedWindowsOptions): CountedWindows<RedisWindows> {
  const { redis, heartbeats, clock, log, metrics } = options;
  const { db } = options.storage;
  const ledger = new UsageLedger(db, clock.nowMs());
  const own = new OwnRequests();
  const reading = new Map<string, Promise<number>>();
  /** Parallel requests of a slot share one look at the database. */
  const storedMonth = (slotId: string, startMs: number): Promise<number> => {
    const name = `${slotId} ${startMs}`;
    const read = async () => {
      await stored.flush();
      return await readSlotMonth(db, slotId, startMs);
    };
    const total =
      reading.get(name) ?? within(DATABASE_TIMEOUT_MS, read()).finally(() => reading.delete(name));
    reading.set(name, total);
    return total;
  };
  const counting = {
    ...{ own, ledger, storedMonth, liveCount: heartbeats.liveCount, month: new CurrentMonth() },
    // Whole milliseconds, so that differences are exact.
    clock: { nowMs: () => clock.nowMs(), monotonicMs: () => Math.floor(clock.monotonicMs()) },
  };
  const share = new LocalShare(counting);
  const windows = new RedisWindows({
    ...{ ...options, ...counting, share, processId: heartbeats.processId },
    scriptNowMs: () => (clock === systemClock ? -1 : clock.nowMs()),
  });
  let comparedMs = clock.monotonicMs();
  const stored = keepStoring({
    ...{ ledger, clock, log },
    onStored: (totals) => {
      for (const total of totals) {
        share.noteStored(total);
        windows.onStored(total);
      }
    },
    sweep: () => {
      const nowMs = clock.monotonicMs();
      const slots = own.sweep(nowMs);
      if (nowMs - comparedMs < COMPARE_EVERY_MS) return;
      comparedMs = nowMs;
      windows.compareMonths(slots.keys());
    },
  });

  const setShared = (isShared: boolean) => {
    windows.isShared = isShared;
    metrics?.windowsStanding.set({ standing: 'shared' }, isShared ? 1 : 0);
    metrics?.windowsStanding.set({ standing: 'apart' }, isShared ? 0 : 1);
  };
  let returning = new AbortController();
  const comeBack = async ({ signal }: AbortController) => {
    await windows.restoreMinutes();
    await systemClock.sleep(RETURN_MS, signal);
    // By now the other processes have stored what they counted, too.
    await windows.restoreMonths().catch((error: unknown) => {
      if (error instanceof RedisUnavailableError) throw error;
    });
    await windows.restoreMinutes();
    if (!signal.aborted) setShared(true);
  };
  const removeListener = redis.onChange((isUp) => {
    returning.abort();
    if (isUp) {
      returning = new AbortController();
      comeBack(returning).catch((error: unknown) => {
        // If Redis is lost again, the next return starts over.
        if (error instanceof RedisUnavailableError) return;
        log.error({ err: error }, 'could not give Redis what was counted without it');
        setShared(true);
      });
      return;
    }
    setShared(false);
    share.beginOutage();
    void heartbeats.beat();
  });
  setShared(redis.isUp);
  return {
    windows,
    flush: stored.flush,
    close: async () => {
      removeListener();
      returning.abort();
      await stored.close();
    },
  };
}
