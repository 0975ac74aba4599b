import { after, describe } from 'node:test';
import { type Fence, raiseFence } from '../../src/storage/fences.ts';
import type { Storage } from '../../src/storage/storage.ts';
import { startPostgres } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { type FreshDatabase, freshSqlite, silentLog } from './sqlite.ts';

export * from './sqlite.ts';
export { until };

const postgres = await startPostgres();
if (typeof postgres !== 'string') after(() => postgres.stop());

export const freshPostgres: FreshDatabase = async () => {
  if (typeof postgres === 'string') throw new Error(postgres);
  return { databaseUrl: await postgres.createDatabase(), sqliteFile: '', log: silentLog };
};

/** Why tests on PostgreSQL are skipped; false if they run. */
export const skipPostgres = typeof postgres === 'string' ? postgres : false;

/** Defines the same tests twice: on the embedded database and on a real PostgreSQL. */
export function onBothDatabases(define: (fresh: FreshDatabase) => void): void {
  describe('SQLite', () => define(freshSqlite));
  describe('PostgreSQL', { skip: skipPostgres }, () => define(freshPostgres));
}

/** Takes the next fencing number of a lock, as its next holder does. */
export async function nextFence(storage: Storage, name: string): Promise<Fence> {
  if (storage.kind !== 'postgres') throw new Error('only processes on PostgreSQL have fences');
  const session = await storage.openSession({
    heartbeatMs: 1000,
    replyTimeoutMs: 10_000,
    onLost: () => undefined,
  });
  try {
    return { name, number: await raiseFence(session, name) };
  } finally {
    await session.close();
  }
}
