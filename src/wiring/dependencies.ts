import { sql } from 'kysely';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { startRepeatingTask } from '../base/repeating-task.ts';
import { SECOND_MS } from '../base/times.ts';
import { postgresCause } from '../storage/postgres.ts';
import type { Redis } from '../storage/redis/redis.ts';
import type { Storage } from '../storage/storage.ts';

const LOOK_EVERY_MS = 2 * SECOND_MS;

export interface Dependencies {
  /** In words for the operator: what cannot be reached now, and why. Empty when all is well. */
  away(): string[];
  stop(): Promise<void>;
}

/** Knows whether the database can be reached and written and Redis be reached, for /readyz and the metrics. */
export function watchDependencies(options: {
  storage: Storage;
  redis: Redis | null;
  log: Log;
  metrics: Metrics;
}): Dependencies {
  const { storage, redis, log, metrics } = options;
  let databaseAway: string | null = null;
  const told = () => {
    if (storage.kind === 'postgres')
      metrics.dependencyUp.set({ dependency: 'postgres' }, databaseAway === null ? 1 : 0);
    else metrics.dependencyUp.set({ dependency: 'sqlite' }, storage.writeFault() === null ? 1 : 0);
    if (redis) metrics.dependencyUp.set({ dependency: 'redis' }, redis.isUp ? 1 : 0);
  };
  const look = async () => {
    const before = databaseAway;
    try {
      await sql`select 1`.execute(storage.db);
      databaseAway = null;
      if (before !== null) log.info('PostgreSQL answers again');
    } catch (error) {
      databaseAway = postgresCause(error);
      if (before === null) log.warn({ reason: databaseAway }, 'PostgreSQL is away');
    }
  };
  const forget = redis?.onChange(told);
  const task = startRepeatingTask({
    name: 'look after dependencies',
    everyMs: LOOK_EVERY_MS,
    // Real time, because it is a matter of other programs.
    clock: systemClock,
    log,
    run: async () => {
      if (storage.kind === 'postgres') await look();
      told();
      return undefined;
    },
  });
  return {
    away: () => {
      const redisState = redis?.state();
      const writeFault = storage.kind === 'sqlite' ? storage.writeFault() : null;
      return [
        ...(writeFault === null ? [] : [`The database file cannot be written: ${writeFault}`]),
        ...(databaseAway === null ? [] : [`PostgreSQL is away: ${databaseAway}`]),
        ...(redisState && !redisState.isUp ? [`Redis is away: ${redisState.reason ?? 'no answer'}`] : []),
      ];
    },
    stop: async () => {
      forget?.();
      await task.stop();
    },
  };
}
