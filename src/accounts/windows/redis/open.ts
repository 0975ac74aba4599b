import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type OnFailure, openAll } from '../../../base/async/open-all.ts';
import { within } from '../../../base/async/within.ts';
import { type Clock, systemClock } from '../../../base/clock.ts';
import type { Log } from '../../../base/log.ts';
import type { Metrics } from '../../../base/metrics.ts';
import { MINUTE_MS } from '../../../base/times.ts';
import { FIRST_SERVER } from '../../../storage/redis/address.ts';
import type { RedisServer } from '../../../storage/redis/servers.ts';
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
import { HolderNames } from './calls/holder-names.ts';
import { ScriptTimes } from './calls/script-times.ts';
import { fillWindows } from './fill.ts';
import { LayoutKeeper } from './layout-keeper.ts';
import { LayoutStore } from './layout-store.ts';
import type { WindowsMode } from './mode-options.ts';
import { RedisOpenStreams } from './open-streams.ts';
import { DATABASE_TIMEOUT_MS, openWindowServer, type StoredMonths } from './server.ts';
import { type CountingServer, SpreadWindows } from './spread-windows.ts';
import { RedisWindows } from './windows.ts';
import type { RedisWindowsOptions } from './windows-options.ts';

export interface SharedWindowsOptions {
  /** At least one. The first one also has the open streams and the directory's revision. */
  redisServers: readonly RedisServer[];
  names: RedisNames;
  db: Kysely<Schema>;
  feed: DirectoryFeed;
  clock: Clock;
  log: Log;
  metrics?: Metrics;
  reportUnreadable: ReportUnreadable;
}

export interface SharedWindows extends CountedWindows<SpreadWindows> {
  /** Called after a change of keys or accounts: every process reads it before its next counted request. */
  publishChange(change: DirectoryChange): Promise<void>;
  /** Reads the changes that other processes made. */
  freshenDirectory(): Promise<void>;
  /** The mode of each server that requests are counted on. */
  modes(): WindowsMode[];
  openStreams: OpenStreams;
}

/** Published label values; dashboards and alerts of operators use them. */
const MODE_LABELS: Readonly<Record<WindowsMode, string>> = {
  shared: 'shared',
  local: 'apart',
  switching: 'moving',
};

/** Windows in Redis. The months are also stored in the database twice a second. */
export function openSharedWindows(options: SharedWindowsOptions): Promise<SharedWindows> {
  return openAll(options.log, (onFailure) => open(options, onFailure));
}

async function open(options: SharedWindowsOptions, onFailure: OnFailure): Promise<SharedWindows> {
  const { redisServers, names, db, feed, clock, log, metrics, reportUnreadable } = options;
  const [first] = redisServers;
  if (!first) throw new Error('windows in Redis need a server');
  const processId = randomUUID().slice(0, 13);
  const isClockMoved = clock !== systemClock;
  const ledger = new UsageLedger(db, clock.nowMs());
  const all = redisServers.map(({ redis }) => redis);
  const directory = openSharedDirectory({ redis: first.redis, all, names, feed, log, reportUnreadable });

  // The clock of the first server; before there is one, that of this machine.
  const nowMs = () => (servers.get(FIRST_SERVER)?.clock ?? clock).nowMs();
  const servers = new Map<string, CountingServer>();
  const months = await loadedMonths(db, nowMs);
  let sweptAtMs = nowMs();
  const stored = keepStoring({
    ledger,
    clock,
    log,
    onStored: (totals) => {
      for (const { slotId, monthStartMs: startMs, used } of totals)
        if (startMs === months.startMs()) months.bySlot().set(slotId, used);
    },
    sweep: () => {
      if (nowMs() - sweptAtMs < MINUTE_MS) return;
      sweptAtMs = nowMs();
      for (const server of servers.values()) server.counted.sweep(server.clock.earliestMs());
    },
  });
  onFailure(stored.close);
  const storedMonth = async (slotId: string, startMs: number): Promise<number> => {
    try {
      return await within(
        DATABASE_TIMEOUT_MS,
        stored.flush().then(() => readSlotMonth(db, slotId, startMs)),
      );
    } catch {
      // Redis would have the month if any process had counted on the slot since windows are shared.
      return startMs === months.startMs() ? (months.bySlot().get(slotId) ?? 0) : 0;
    }
  };

  const usable = redisServers.filter(({ isLeaving }) => !isLeaving).map(({ name }) => name);
  const modes = () =>
    layout.layout.servers.flatMap((name) => servers.get(name)?.mode() ?? ('switching' as const));
  const showModes = () => {
    for (const [mode, standing] of Object.entries(MODE_LABELS))
      metrics?.windowsStanding.set({ standing }, modes().filter((one) => one === mode).length > 0 ? 1 : 0);
  };
  const opened = redisServers.map(({ name, redis }) =>
    openWindowServer({
      ...{ name, redis, names, db, clock, log, processId, usable, months, reportUnreadable },
      layout: () => layout,
      isSpread: () => redisServers.length > 1 || layout.version > 0,
      onRevision: directory.onRevision,
      flush: stored.flush,
      onModeChange: showModes,
    }),
  );
  const closeModes = () => Promise.all(opened.map(({ modeSwitch }) => modeSwitch.close()));
  onFailure(closeModes);
  const firstServer = opened[0];
  if (!firstServer) throw new Error('windows in Redis need a server');
  const layout: LayoutKeeper = new LayoutKeeper({
    store: new LayoutStore(db),
    peers: firstServer.peers,
    servers: usable,
    isReady: (name) => servers.get(name)?.mode() === 'shared',
    onChange: (before) => {
      windows.onLayoutChange(before);
      showModes();
    },
    log,
  });
  const holderNames = new HolderNames(layout, names);
  const windows = new SpreadWindows({ servers, layout, names: holderNames, ledger, nowMs });
  for (const server of opened) {
    const { redis, modeSwitch, counted, localShare, clock: serverClock } = server;
    const fill: RedisWindowsOptions['fill'] = (slotId, reply) =>
      fillWindows(server, slotId, reply, {
        ...{ names, layout, storedMonth, reportUnreadable },
        serverNamed: (name) => servers.get(name),
      });
    const ofServer = new RedisWindows({
      ...{ redis, modeSwitch, counted, localShare, ledger, processId, layout, fill, reportUnreadable },
      ...{ server: server.name, all: windows, clock: serverClock, directory },
      ...{ redisNames: names, names: holderNames, times: new ScriptTimes(serverClock, isClockMoved) },
    });
    servers.set(server.name, { ...server, windows: ofServer });
  }
  await layout.refresh();
  layout.start();
  onFailure(() => layout.stop());
  await Promise.all(opened.map(({ modeSwitch }) => modeSwitch.settled()));
  const openStreams = new RedisOpenStreams(first.redis, names, processId);

  return {
    openStreams,
    windows,
    flush: stored.flush,
    modes,
    publishChange: directory.publish,
    freshenDirectory: directory.freshen,
    close: async () => {
      openStreams.stop();
      await layout.stop();
      await closeModes();
      await stored.close();
    },
  };
}

/** Months as of the last time windows were shared, for slots that Redis does not have. */
async function loadedMonths(db: Kysely<Schema>, nowMs: () => number) {
  let startMs = 0;
  let bySlot = new Map<string, number>();
  const months = {
    load: async () => {
      const newStartMs = monthStartMs(nowMs());
      const rows = await readSlotMonths(db, newStartMs);
      startMs = newStartMs;
      bySlot = new Map(rows.map((row) => [row.slotId, row.used]));
    },
    startMs: () => startMs,
    bySlot: () => bySlot,
  } satisfies StoredMonths;
  await months.load();
  return months;
}
