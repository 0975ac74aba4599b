import { after, describe } from 'node:test';
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
