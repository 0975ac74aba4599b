import { setTimeout } from 'node:timers/promises';
import { CompiledQuery, type Kysely, sql, type Transaction } from 'kysely';
import type { Log } from '../../base/log.ts';
import { StorageError } from '../errors.ts';
import { loadMigrations, type Migration, migrateWithin, refuseNewer, type StorageKind } from '../migrate.ts';
import { DEPTH_PARTITIONS, isPartitioned, makePartitions, SETTLEMENT_PARTITIONS } from '../partitions.ts';
import type { Schema } from '../schema.ts';
import type { BackupProgress } from './backup.ts';
import { type BackupHeader, type BackupReader, type Cell, openBackup } from './file.ts';
import { type TableModel, tablesAfter } from './tables.ts';

interface RestoreOptions {
  db: Kysely<Schema>;
  kind: StorageKind;
  file: string;
  /** Whether existing data may be deleted. */
  isForced: boolean;
  log: Log;
  onProgress: (progress: BackupProgress) => void;
  /** Set by tests only. */
  migrations?: readonly Migration[];
}

/** Limits of one statement, far below those of the databases. */
const CELLS_PER_STATEMENT = 10_000;
const BYTES_PER_STATEMENT = 4 * 1024 * 1024;

/**
 * Replaces the content of the database with a backup, in one transaction, so that a damaged file changes nothing. A backup
 * of an older version is loaded into the tables of that version and then migrated.
 */
export async function restore(options: RestoreOptions): Promise<{ rows: number; header: BackupHeader }> {
  const { db, kind, file, log } = options;
  const known = options.migrations ?? (await loadMigrations());
  const backup = await openBackup(file);
  const foreign = backup.header.migrations.filter((name) => !known.some((one) => one.name === name));
  if (foreign.length > 0) {
    throw new StorageError(
      `${file} was made by a newer version of Perpwire: this one does not know its migration ${foreign.join(', ')}. Restore it with that version.`,
    );
  }
  const rows = await db.transaction().execute(async (trx) => {
    await clear(trx, options, known);
    const ofBackup = known.filter(({ name }) => backup.header.migrations.includes(name));
    await migrateWithin(trx, kind, ofBackup, log);
    const count = await load(trx, kind, backup, options.onProgress);
    await migrateWithin(trx, kind, known, log);
    return count;
  });
  return { rows, header: backup.header };
}

/** Drops our tables. Other tables in the database stay. */
async function clear(
  trx: Transaction<Schema>,
  { kind, isForced, log }: RestoreOptions,
  known: readonly Migration[],
): Promise<void> {
  if (kind === 'postgres') await refuseWhileUsed(trx);
  const present = await tablesIn(trx, kind);
  if (present.has('schema_migrations')) {
    const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(trx);
    refuseNewer(
      rows.map(({ name }) => name),
      known,
    );
  }
  const ours = (await tablesAfter(known, log)).map(({ name }) => name).filter((name) => present.has(name));
  if (!isForced) {
    const filled: string[] = [];
    for (const name of ours) if (await hasRows(trx, name)) filled.push(name);
    if (filled.length > 0) {
      throw new StorageError(
        `the database is not empty: there are rows in ${filled.join(', ')}. Restore into an empty one, or delete its data with --force`,
      );
    }
  }
  for (const name of [...ours.toReversed(), 'schema_migrations'])
    await sql`drop table if exists ${sql.id(name)}`.execute(trx);
}

/** How often the connections are looked at: PostgreSQL removes those of a process that has just ended a little later. */
const LOOKS = 20;
const LOOK_EVERY_MS = 100;

/** A running service would overwrite the restored data with what it has in memory. */
async function refuseWhileUsed(trx: Transaction<Schema>): Promise<void> {
  for (let look = 1; ; look++) {
    // Within a transaction PostgreSQL repeats what it saw first, unless told otherwise.
    await sql`select pg_stat_clear_snapshot()`.execute(trx);
    const { rows } = await sql<{ others: number }>`select count(*) as others from pg_stat_activity
      where datname = current_database() and application_name = 'perpwire' and pid <> pg_backend_pid()`.execute(
      trx,
    );
    if (Number(rows[0]?.others) === 0) return;
    if (look === LOOKS) throw databaseInUse();
    await setTimeout(LOOK_EVERY_MS);
  }
}

export function databaseInUse(): StorageError {
  return new StorageError('another perpwire process uses this database; stop it, then restore');
}

async function tablesIn(trx: Transaction<Schema>, kind: StorageKind): Promise<Set<string>> {
  const { rows } = await (kind === 'sqlite'
    ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
    : sql<{ name: string }>`select relname as name from pg_class
        where relkind in ('r', 'p') and pg_table_is_visible(oid)`
  ).execute(trx);
  return new Set(rows.map(({ name }) => name));
}

/** They have one row from their migration on, which does not count until something has changed. */
const REVISION_TABLES: ReadonlySet<string> = new Set(['directory_revision', 'alert_revision']);

async function hasRows(trx: Transaction<Schema>, table: string): Promise<boolean> {
  const where = REVISION_TABLES.has(table) ? sql`where revision > 0` : sql``;
  const { rows } = await sql`select 1 from ${sql.id(table)} ${where} limit 1`.execute(trx);
  return rows.length > 0;
}

async function load(
  trx: Transaction<Schema>,
  kind: StorageKind,
  { header, rows }: BackupReader,
  onProgress: RestoreOptions['onProgress'],
): Promise<number> {
  const models = new Map(header.tables.map((table) => [table.name, table]));
  const totalRows = header.tables.reduce((sum, table) => sum + table.rows, 0);
  for (const { name } of models.values()) await sql`delete from ${sql.id(name)}`.execute(trx);
  let count = 0;
  let waiting: Cell[][] = [];
  let waitingBytes = 0;
  let table = '';
  const flush = async () => {
    const model = models.get(table);
    if (waiting.length === 0) return;
    if (!model) throw new StorageError(`the backup has rows of a table "${table}" that it does not describe`);
    await insert(trx, kind, model, waiting);
    count += waiting.length;
    onProgress({ table, rows: count, totalRows });
    waiting = [];
    waitingBytes = 0;
  };
  for await (const row of rows()) {
    const isFull =
      (waiting.length + 1) * row.cells.length > CELLS_PER_STATEMENT || waitingBytes > BYTES_PER_STATEMENT;
    const columns = models.get(row.table)?.columns;
    if (columns && row.cells.length !== columns.length)
      throw new StorageError(
        `a row of the table "${row.table}" has not as many cells as the table has columns`,
      );
    if (row.table !== table || isFull) await flush();
    table = row.table;
    waiting.push(row.cells);
    for (const cell of row.cells) if (cell instanceof Uint8Array) waitingBytes += cell.length;
  }
  await flush();
  return count;
}

async function insert(
  trx: Transaction<Schema>,
  kind: StorageKind,
  { name, columns }: TableModel,
  rows: readonly Cell[][],
): Promise<void> {
  const spec = [SETTLEMENT_PARTITIONS, DEPTH_PARTITIONS].find(({ table }) => table === name);
  if (kind === 'postgres' && spec && (await isPartitioned(trx, spec))) {
    const at = columns.indexOf(spec.key);
    await makePartitions(
      trx,
      spec,
      rows.map((row) => Number(row[at])),
    );
  }
  let place = 0;
  const values = rows.map(
    (row) => `(${row.map(() => (kind === 'sqlite' ? '?' : `$${++place}`)).join(', ')})`,
  );
  const into = columns.map((column) => `"${column}"`).join(', ');
  const text = `insert into "${name}" (${into}) values ${values.join(', ')}`;
  await trx.executeQuery(CompiledQuery.raw(text, rows.flat()));
}
