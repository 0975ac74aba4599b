import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import { within } from '../../../base/within.ts';
import type { Redis } from '../../../storage/redis/redis.ts';
import type { Schema } from '../../../storage/schema.ts';
import type { DirectoryChange } from '../../keys/changes.ts';
import type { DirectoryFeed } from '../../keys/directory-feed.ts';
import { openSharedDirectory } from '../../keys/shared-directory.ts';
import type { RedisNames } from '../../redis-names.ts';
import { monthStartMs } from '../months.ts';
import { type CountedWindows, keepStoring } from '../stored.ts';
import { UsageLedger } from '../usage-ledger.ts';
import { readSlotMonth, readSlotMonths } from '../usage-rows.ts';
import { ApartWindows } from './apart.ts';
import { Members } from './members.ts';
import { OwnTakes } from './own-takes.ts';
import { WindowPeers } from './peers.ts';
import { Standing } from './standing.ts';
import { RedisWindows } from './windows.ts';

export interface SharedWindowsOptions {
  redis: Redis;
  names: RedisNames;
  db: Kysely<Schema>;
  feed: DirectoryFeed;
  clock: Clock;
  log: Log;
  metrics?: Metrics;
}

export interface SharedWindows extends CountedWindows<RedisWindows> {
  /** After a change to keys or accounts: no process goes on without knowing it. */
  publishChange(change: DirectoryChange): Promise<void>;
  /** Brings in what other processes have changed. */
  freshenDirectory(): Promise<void>;
  /** Where requests are counted now. */
  mode(): 'shared' | 'apart' | 'moving';
}

/** How long a request waits for the database before it goes on with what is known. */
const PATIENCE_MS = 1_000;

/** Windows in Redis, the month written through to the database twice a second. */
export async function openSharedWindows(options: SharedWindowsOptions): Promise<SharedWindows> {
  const { redis, names, db, feed, clock, log, metrics } = options;
  const processId = randomUUID().slice(0, 13);
  const isClockMoved = clock !== systemClock;
  let skewMs = 0;
  const nowMs = () => (isClockMoved ? clock.nowMs() : Math.round(clock.nowMs() + skewMs));
  const ledger = new UsageLedger(db, clock.nowMs());
  const own = new OwnTakes();
  const directory = openSharedDirectory(redis, names, feed, log);

  // Months as they were when windows were last shared: for slots that Redis has not seen since.
  let monthsStartMs = 0;
  let months = new Map<string, number>();
  const loadMonths = async () => {
    const startMs = monthStartMs(nowMs());
    const rows = await readSlotMonths(db, startMs);
    monthsStartMs = startMs;
    months = new Map(rows.map((row) => [row.slotId, row.used]));
  };
  await loadMonths();

  let sweptAtMs = nowMs();
  const stored = keepStoring({
    ledger,
    clock,
    log,
    onStored: (totals) => {
      for (const { slotId, monthStartMs: startMs, used } of totals)
        if (startMs === monthsStartMs) months.set(slotId, used);
    },
    sweep: () => {
      if (nowMs() - sweptAtMs < MINUTE_MS) return;
      sweptAtMs = nowMs();
      own.sweep(sweptAtMs);
    },
  });

  const apart = new ApartWindows({ names, own, processId, processCount: () => standing.processCount });
  const members = new Members({
    redis,
    names,
    processId,
    heard: (revision, newSkewMs) => {
      skewMs = newSkewMs;
      directory.heard(revision);
    },
  });
  const standing: Standing = new Standing({
    redis,
    members,
    peers: new WindowPeers(db, processId, () => systemClock.nowMs()),
    log,
    flush: stored.flush,
    report: () => own.report(nowMs()),
    restore: (isOtherRedis) => apart.restore(redis, isOtherRedis, nowMs()),
    joined: () => {
      apart.end();
      loadMonths().catch(() => undefined);
    },
    apart: async (reports) => {
      await within(PATIENCE_MS, loadMonths()).catch((error: unknown) => {
        if (standing.processCount > 1) throw error;
      });
      apart.begin(reports, monthsStartMs, new Map(months));
    },
    moved: (mode) => {
      for (const standing of ['shared', 'apart', 'moving'])
        metrics?.windowsStanding.set({ standing }, standing === mode ? 1 : 0);
    },
  });

  const storedMonth = async (slotId: string, startMs: number): Promise<number> => {
    try {
      return await within(
        PATIENCE_MS,
        stored.flush().then(() => readSlotMonth(db, slotId, startMs)),
      );
    } catch {
      // Nobody has counted on it since windows are shared, or Redis would know.
      return startMs === monthsStartMs ? (months.get(slotId) ?? 0) : 0;
    }
  };
  const windows = new RedisWindows({
    redis,
    names,
    standing,
    own,
    apart,
    ledger,
    processId,
    isClockMoved,
    nowMs,
    storedMonth,
    directory,
  });
  await standing.settled();

  return {
    windows,
    flush: stored.flush,
    mode: () => standing.mode,
    publishChange: directory.publish,
    freshenDirectory: directory.freshen,
    close: async () => {
      await standing.close();
      await stored.close();
    },
  };
}
