import type { Kysely } from 'kysely';
import { within } from '../../../base/async/within.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Redis } from '../../../storage/redis/redis.ts';
import type { Schema } from '../../../storage/schema.ts';
import type { RedisNames } from '../../redis-names.ts';
import type { ReportUnreadable } from '../../unreadable.ts';
import { CountedRequests } from './counted-requests.ts';
import type { LayoutKeeper } from './layout-keeper.ts';
import { LocalShare } from './local-share.ts';
import { Members } from './members/members.ts';
import { WindowPeers } from './members/peers.ts';
import { ModeSwitch } from './mode.ts';
import type { WindowsMode } from './mode-options.ts';
import { ServerClock } from './server-clock.ts';

/** The months of all slots, as this process last read them from the database. */
export interface StoredMonths {
  load(): Promise<void>;
  startMs(): number;
  bySlot(): ReadonlyMap<string, number>;
}

export interface WindowServerOptions {
  name: string;
  redis: Redis;
  names: RedisNames;
  db: Kysely<Schema>;
  clock: Clock;
  log: Log;
  processId: string;
  /** The servers on which this process can count. */
  usable: readonly string[];
  layout(): LayoutKeeper;
  isSpread(): boolean;
  onRevision(revision: number): void;
  months: StoredMonths;
  flush(): Promise<void>;
  onModeChange(): void;
  reportUnreadable: ReportUnreadable;
}

/** What this process knows of one Redis server: how it counts there, and what it has counted in the last minute. */
export interface WindowServer {
  name: string;
  redis: Redis;
  counted: CountedRequests;
  localShare: LocalShare;
  modeSwitch: ModeSwitch;
  peers: WindowPeers;
  mode(): WindowsMode;
  clock: ServerClock;
}

/** How long a request waits for the database before it continues with the values in memory. */
export const DATABASE_TIMEOUT_MS = 1_000;

export function openWindowServer(options: WindowServerOptions): WindowServer {
  const { name, redis, names, db, clock, processId, usable, layout, isSpread, months } = options;
  const { log, reportUnreadable } = options;
  const serverClock = new ServerClock(clock);
  const counted = new CountedRequests();
  const processCount = () => modeSwitch.processCount;
  const layoutVersion = () => layout().version;
  const localShare = new LocalShare({ names, counted, processId, processCount });
  const members = new Members({
    redis,
    names,
    processId,
    layoutVersion,
    onHeartbeat: (revision, reading, shownVersion) => {
      serverClock.onReading(reading);
      options.onRevision(revision);
      layout().onShown(shownVersion);
    },
    reportUnreadable,
  });
  const peers = new WindowPeers({
    ...{ db, processId, server: name, servers: usable, layoutVersion, reportUnreadable },
    hasMoved: () => layout().layout.previous !== null,
    nowMs: () => systemClock.nowMs(),
  });
  const modeSwitch: ModeSwitch = new ModeSwitch({
    ...{ redis, members, peers, log, layoutVersion, isSpread, flush: options.flush },
    refreshLayout: () => layout().refresh(),
    report: () => counted.report(serverClock.earliestMs()),
    restore: (isOtherRedis) => localShare.restore(redis, isOtherRedis, serverClock.earliestMs()),
    onShared: () => {
      localShare.end();
      months.load().catch(() => undefined);
    },
    onLocal: async (reports) => {
      await within(DATABASE_TIMEOUT_MS, months.load()).catch((error: unknown) => {
        if (processCount() > 1) throw error;
      });
      localShare.begin(reports, months.startMs(), new Map(months.bySlot()));
    },
    onChange: options.onModeChange,
  });
  return {
    ...{ name, redis, counted, localShare, modeSwitch, peers, clock: serverClock },
    mode: () => modeSwitch.mode,
  };
}
