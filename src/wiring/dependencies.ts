import { sql } from 'kysely';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { startRepeatingTask } from '../base/repeating-task.ts';
import { SECOND_MS } from '../base/times.ts';
import { type DiskFaults, NO_DISK_FAULTS } from '../storage/disk-state.ts';
import { postgresCause } from '../storage/postgres/address.ts';
import type { Redis } from '../storage/redis/redis.ts';
import type { SqliteStorage, Storage } from '../storage/storage.ts';

const CHECK_EVERY_MS = 2 * SECOND_MS;

export interface Dependencies {
  /** What is unavailable now and why, in sentences for the operator. */
  unavailable(): string[];
  /** What is wrong with the disk of the SQLite file. Nothing with PostgreSQL, which watches its own. */
  diskFaults(): DiskFaults;
  stop(): Promise<void>;
}

/** Checks whether the database can be reached and written to, and whether Redis can be reached, for /readyz and the metrics. */
export function watchDependencies(options: {
  storage: Storage;
  redis: Redis | null;
  log: Log;
  metrics: Metrics;
}): Dependencies {
  const { storage, redis, log, metrics } = options;
  let databaseFault: string | null = null;
  const setMetrics = () => {
    if (storage.kind === 'postgres')
      metrics.dependencyUp.set({ dependency: 'postgres' }, databaseFault === null ? 1 : 0);
    else {
      const { unwritable, damage } = storage.disk.faults();
      metrics.dependencyUp.set({ dependency: 'sqlite' }, unwritable === null && damage === null ? 1 : 0);
    }
    if (redis) metrics.dependencyUp.set({ dependency: 'redis' }, redis.isUp ? 1 : 0);
  };
  const checkDatabase = async () => {
    const before = databaseFault;
    try {
      await sql`select 1`.execute(storage.db);
      databaseFault = null;
      if (before !== null) log.info('PostgreSQL is available again');
    } catch (error) {
      databaseFault = postgresCause(error);
      if (before === null) log.warn({ reason: databaseFault }, 'PostgreSQL is unavailable');
    }
  };
  let isUnwritable = false;
  /** Tries a write itself: there may be no other until callers come back. */
  const checkDisk = async ({ disk, tryWrite }: SqliteStorage) => {
    const { unwritable } = disk.faults();
    if (unwritable === null) return;
    if (!isUnwritable) log.error({ reason: unwritable }, 'the database file cannot be written to');
    isUnwritable = true;
    if (!disk.mayBeWritable()) return;
    try {
      await tryWrite();
    } catch (error) {
      return disk.writeFailed(error instanceof Error ? error.message : String(error));
    }
    disk.writable();
    isUnwritable = false;
    log.info('the database file can be written to again');
  };
  const removeListener = redis?.onChange(setMetrics);
  const task = startRepeatingTask({
    name: 'check dependencies',
    everyMs: CHECK_EVERY_MS,
    // Real time, also in tests that move the clock: other programs do not follow that clock.
    clock: systemClock,
    log,
    run: async () => {
      if (storage.kind === 'postgres') await checkDatabase();
      else await checkDisk(storage);
      setMetrics();
      return undefined;
    },
  });
  return {
    unavailable: () => [
      ...(databaseFault === null ? [] : [`PostgreSQL is unavailable: ${databaseFault}`]),
      ...(redis && !redis.isUp ? [`Redis is unavailable: ${redis.reason ?? 'no answer'}`] : []),
    ],
    diskFaults: () => (storage.kind === 'sqlite' ? storage.disk.faults() : NO_DISK_FAULTS),
    stop: async () => {
      removeListener?.();
      await task.stop();
    },
  };
}
