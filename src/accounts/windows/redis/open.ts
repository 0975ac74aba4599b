import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { within } from '../../../base/async/within.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import type { Redis } from '../../../storage/redis/redis.ts';
import type { Schema } from '../../../storage/schema.ts';
import type { DirectoryChange } from '../../keys/changes.ts';
import type { DirectoryFeed } from '../../keys/directory-feed.ts';
import { openSharedDirectory } from '../../keys/shared-directory.ts';
import type { RedisNames } from '../../redis-names.ts';
import type { ReportUnreadable } from '../../unreadable.ts';
import { monthStartMs } from '../months.ts';
import type { OpenStreams } from '../open-streams.ts';
import { type CountedWindows, keepStoring } from '../stored.ts';
import { UsageLedger } from '../usage-ledger.ts';
import { readSlotMonth, readSlotMonths } from '../usage-rows.ts';
import { CountedRequests } from './counted-requests.ts';
import { LocalShare } from './local-share.ts';
import { Members } from './members.ts';
import { ModeSwitch, type WindowsMode } from './mode.ts';
import { RedisOpenStreams } from './open-streams.ts';
import { WindowPeers } from './peers.ts';
import { RedisWindows } from './windows.ts';

export interface SharedWindowsOptions {
  redis: Redis;
  names: RedisNames;
  db: Kysely<Schema>;
  feed: DirectoryFeed;
  clock: Clock;
  log: Log;
  metrics?: Metrics;
  reportUnreadable: ReportUnreadable;
}

export interface SharedWindows extends CountedWindows<RedisWindows> {
  /** Called after a change of keys or accounts: every process reads it before its next counted request. */
  publishChange(change: DirectoryChange): Promise<void>;
  /** Reads the changes that other processes made. */
  freshenDirectory(): Promise<void>;
  mode(): WindowsMode;
  openStreams: OpenStreams;
}

/** How long a request waits for the database before it continues with the values in memory. */
const DATABASE_TIMEOUT_MS = 1_000;
/** Published label values; dashboards and alerts of operators use them. */
const MODE_LABELS: Readonly<Record<WindowsMode, string>> = {
  shared: 'shared',
  local: 'apart',
  switching: 'moving',
};

/** Windows in Redis. The months are also stored in the database twice a second. */
export async function openSharedWindows(options: SharedWindowsOptions): Promise<SharedWindows> {
  const { redis, names, db, feed, clock, log, metrics, reportUnreadable } = options;
  const processId = randomUUID().slice(0, 13);
  const isClockMoved = clock !== systemClock;
  let skewMs = 0;
  const nowMs = () => (isClockMoved ? clock.nowMs() : Math.round(clock.nowMs() + skewMs));
  const ledger = new UsageLedger(db, clock.nowMs());
  const counted = new CountedRequests();
  const directory = openSharedDirectory({ redis, names, feed, log, reportUnreadable });

  // Months as of the last time windows were shared, for slots that Redis does not have.
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
      counted.sweep(sweptAtMs);
    },
  });

  const processCount = () => modeSwitch.processCount;
  const localShare = new LocalShare({ names, counted, processId, processCount });
  const members = new Members({
    redis,
    names,
    processId,
    onHeartbeat: (revision, newSkewMs) => {
      skewMs = newSkewMs;
      directory.onRevision(revision);
    },
    reportUnreadable,
  });
  const modeSwitch: ModeSwitch = new ModeSwitch({
    redis,
    members,
    peers: new WindowPeers(db, processId, () => systemClock.nowMs(), reportUnreadable),
    log,
    flush: stored.flush,
    report: () => counted.report(nowMs()),
    restore: (isOtherRedis) => localShare.restore(redis, isOtherRedis, nowMs()),
    onShared: () => {
      localShare.end();
      loadMonths().catch(() => undefined);
    },
    onLocal: async (reports) => {
      await within(DATABASE_TIMEOUT_MS, loadMonths()).catch((error: unknown) => {
        if (processCount() > 1) throw error;
      });
      localShare.begin(reports, monthsStartMs, new Map(months));
    },
    onChange: (mode) => {
      for (const [one, standing] of Object.entries(MODE_LABELS))
        metrics?.windowsStanding.set({ standing }, one === mode ? 1 : 0);
    },
  });

  const storedMonth = async (slotId: string, startMs: number): Promise<number> => {
    try {
      return await within(
        DATABASE_TIMEOUT_MS,
        stored.flush().then(() => readSlotMonth(db, slotId, startMs)),
      );
    } catch {
      // Redis would have the month if any process had counted on the slot since windows are shared.
      return startMs === monthsStartMs ? (months.get(slotId) ?? 0) : 0;
    }
  };
  const windows = new RedisWindows({
    redis,
    names,
    modeSwitch,
    counted,
    localShare,
    ledger,
    processId,
    isClockMoved,
    nowMs,
    storedMonth,
    reportUnreadable,
    directory,
  });
  await modeSwitch.settled();
  const openStreams = new RedisOpenStreams(redis, names, processId);

  return {
    openStreams,
    windows,
    flush: stored.flush,
    mode: () => modeSwitch.mode,
    publishChange: directory.publish,
    freshenDirectory: directory.freshen,
    close: async () => {
      openStreams.stop();
      await modeSwitch.close();
      await stored.close();
    },
  };
}
