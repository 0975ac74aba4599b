import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/storage.ts';
import { startPostgres } from '../support/servers.ts';
import { until } from '../support/until.ts';

export { until };

const postgres = await startPostgres();
if (typeof postgres !== 'string') after(() => postgres.stop());

export const silentLog = createLog('silent');

/** Options of a database of its own for one test, gone after it. */
export type FreshDatabase = (t: TestContext) => Promise<StorageOptions>;

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const freshSqlite: FreshDatabase = async (t) => ({
  databaseUrl: null,
  sqliteFile: join(temporaryFolder(t), 'perpwire.sqlite'),
  log: silentLog,
});

export const freshPostgres: FreshDatabase = async () => {
  if (typeof postgres === 'string') throw new Error(postgres);
  return { databaseUrl: await postgres.createDatabase(), sqliteFile: '', log: silentLog };
};

/** Why tests on PostgreSQL are left out; false when they run. */
export const skipPostgres = typeof postgres === 'string' ? postgres : false;

/** Defines the same tests twice: on the embedded database and on a real PostgreSQL. */
export function onBothDatabases(define: (fresh: FreshDatabase) => void): void {
  describe('SQLite', () => define(freshSqlite));
  describe('PostgreSQL', { skip: skipPostgres }, () => define(freshPostgres));
}

export async function openFor(t: TestContext, options: StorageOptions): Promise<Storage> {
  const storage = await openStorage(options);
  t.after(() => storage.close());
  return storage;
}
