import { readdir } from 'node:fs/promises';
import { type Kysely, sql, type Transaction } from 'kysely';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { StorageError } from './errors.ts';
import type { Schema } from './schema.ts';

export type StorageKind = 'sqlite' | 'postgres';

export interface MigrationContext {
  trx: Transaction<Schema>;
  kind: StorageKind;
  /** The only column type whose name differs between the databases. */
  bytes: 'blob' | 'bytea';
}

/** A file of `migrations/`. Its name is that of the file without `.ts`: `0002-usage`. */
export interface Migration {
  name: string;
  up: (context: MigrationContext) => Promise<void>;
}

const FILE_NAME = /^(\d{4})-[a-z0-9-]+\.ts$/;

/** Loads every file of the folder in order, so that a new table is one new file. */
export async function loadMigrations(
  folder = new URL('./migrations/', import.meta.url),
): Promise<Migration[]> {
  const migrations: Migration[] = [];
  let lastNumber = '';
  for (const file of (await readdir(folder)).sort()) {
    const number = FILE_NAME.exec(file)?.[1];
    if (number === undefined)
      throw new StorageError(`migrations/${file} is not named like 0002-what-it-adds.ts`);
    if (number === lastNumber) throw new StorageError(`two migrations have the number ${number}`);
    lastNumber = number;
    const module: { up?: Migration['up'] } = await import(new URL(file, folder).href);
    if (typeof module.up !== 'function')
      throw new StorageError(`migrations/${file} exports no function "up"`);
    migrations.push({ name: file.slice(0, -'.ts'.length), up: module.up });
  }
  return migrations;
}

/** An arbitrary number, the same in every process: the advisory lock that a migrating process holds. */
const ADVISORY_LOCK = 7_276_810;

/**
 * Runs the missing migrations in one transaction, so that a failure changes nothing. Processes that start together queue
 * on the lock (SQLite: on BEGIN IMMEDIATE), and the later ones find nothing to do.
 */
export async function migrate(
  db: Kysely<Schema>,
  kind: StorageKind,
  migrations: readonly Migration[],
  log: Log,
): Promise<void> {
  await db.transaction().execute((trx) => migrateWithin(trx, kind, migrations, log));
}

/** Like `migrate`, within a transaction of the caller. */
export async function migrateWithin(
  trx: Transaction<Schema>,
  kind: StorageKind,
  migrations: readonly Migration[],
  log: Log,
): Promise<void> {
  if (kind === 'postgres') await sql`select pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
  if (kind === 'sqlite') await refuseForeign(trx);
  await sql`create table if not exists schema_migrations (
    name text primary key, applied_at_ms bigint not null)`.execute(trx);
  const done = await sql<{ name: string }>`select name from schema_migrations`.execute(trx);
  const applied = new Set(done.rows.map((row) => row.name));
  refuseNewer([...applied], migrations);
  const bytes = kind === 'postgres' ? 'bytea' : 'blob';
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue;
    await migration.up({ trx, kind, bytes });
    await sql`insert into schema_migrations (name, applied_at_ms)
      values (${migration.name}, ${systemClock.nowMs()})`.execute(trx);
    log.info({ migration: migration.name }, 'database migrated');
  }
}

/** Refuses the file of another program, before tables are added to it. */
async function refuseForeign(trx: Transaction<Schema>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(
    trx,
  );
  if (rows.length === 0 || rows.some(({ name }) => name === 'schema_migrations')) return;
  const names = rows.slice(0, 3).map(({ name }) => name);
  throw new StorageError(
    `The database file belongs to another program: it has the tables ${names.join(', ')}. Move it away, or choose another --data-dir.`,
  );
}

/** Refuses a database with migrations that this version does not know. */
export function refuseNewer(applied: readonly string[], known: readonly Migration[]): void {
  const foreign = applied.filter((name) => !known.some((migration) => migration.name === name));
  if (foreign.length === 0) return;
  throw new StorageError(
    `The database was made by a newer version of Perpwire: this one does not know its migration ${foreign.sort().join(', ')}. Start the newer version, or restore a backup from before the upgrade.`,
  );
}
