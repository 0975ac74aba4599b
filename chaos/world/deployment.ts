import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoredPrints } from '../invariants/prints.ts';
import type { Plan } from '../plan.ts';
import { Disk } from './disk.ts';
import { storedInSqlite } from './stored-prints.ts';

export interface MemberSpec {
  name: string;
  settings: Readonly<Record<string, string>>;
  /** Where it answers, if that is not its BASE_URL. */
  address?: string;
}

/** What the processes of a run share: their settings, the database, Redis and the disk. */
export interface Deployment {
  /** One entry per process. */
  members: readonly MemberSpec[];
  disk: Disk | null;
  storedPrints(): Promise<StoredPrints[]>;
  /** Makes the database slow, by this many real milliseconds; 0: fast again. */
  slowDatabase(delayMs: number): void;
  /** How long the run waits in each tick for what happens in real time. */
  realMsPerTick: number;
  /** Called once in each tick. */
  onTick(): void;
  emptyRedis(): Promise<void>;
  stop(): Promise<void>;
}

/** Settings of every process. A tick is longer than the pause between two snapshots. */
export function commonSettings(plan: Plan, simUrl: string, folder: string): Record<string, string> {
  return {
    DATA_DIR: folder,
    VENUES: plan.venues.join(','),
    VENUES_URL: simUrl,
    PORT: '0',
    ADMIN_PORT: '0',
    HISTORY_DAYS: '1',
    HISTORY_PACED: 'false',
    BACKTEST_DAYS: '1',
    SNAPSHOT_SECONDS: '10',
    SPREADS_SECONDS: '30',
    LOG_LEVEL: 'warn',
    // The webhooks of alerts are sent to this machine.
    ALERT_NETWORKS: '127.0.0.1/32',
    // Load is measured in real time: what a busy machine starves is no fault of the plan.
    SHED_LOAD: 'false',
    ...{ VISITOR_WORK_MS: '0', VISITORS_WORK_MS: '0', ACCOUNT_WORK_MS: '0' },
  };
}

/** One process with SQLite. */
export function singleProcess(plan: Plan, simUrl: string, disk = new Disk()): Deployment {
  const folder = join(disk.folder, 'data');
  const file = join(folder, 'perpwire.sqlite');
  let delayMs = 0;
  return {
    members: [{ name: 'service', settings: commonSettings(plan, simUrl, folder) }],
    disk,
    realMsPerTick: 0,
    storedPrints: async () => storedInSqlite(file),
    slowDatabase: (wanted) => {
      delayMs = wanted;
    },
    onTick: () => {
      if (delayMs > 0) holdWriteLock(file, delayMs);
    },
    emptyRedis: async () => undefined,
    stop: async () => disk.remove(),
  };
}

/** As another process would, such as a backup: writers wait. */
function holdWriteLock(file: string, forMs: number): void {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('begin immediate');
  } catch {
    // The service is writing, or the disk is full.
    database.close();
    return;
  }
  setTimeout(() => {
    database.exec('rollback');
    database.close();
  }, forMs);
}
