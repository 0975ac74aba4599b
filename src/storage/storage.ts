import { rm, writeFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { diskFaultText } from './disk-faults.ts';
import { DiskState } from './disk-state.ts';
import { StorageError } from './errors.ts';
import { loadMigrations, type Migration, migrate } from './migrate.ts';
import { postgresAddress, postgresCause } from './postgres/address.ts';
import type { PostgresListener } from './postgres/listener.ts';
import type { Replica } from './postgres/replica.ts';
import type { PostgresSession, SessionOptions } from './postgres/session.ts';
import type { Schema } from './schema.ts';
import { type CommittedReader, openCommittedReader, openSqlite } from './sqlite.ts';

export interface SqliteStorage {
  kind: 'sqlite';
  /** One connection: inside `transaction().execute(trx => …)` use only `trx`, otherwise the query deadlocks. */
  db: Kysely<Schema>;
  file: string;
  disk: DiskState;
  /** Writes into the database and a megabyte beside it. Rejects if the disk refuses that. */
  tryWrite(): Promise<void>;
  openReader(): CommittedReader;
  close(): Promise<void>;
}

export interface PostgresStorage {
  kind: 'postgres';
  db: Kysely<Schema>;
  /** For reads of history; null if none is configured. */
  replica: Replica | null;
  /** The notifications of other processes. */
  listener: Pick<PostgresListener, 'on' | 'onReconnect'>;
  /** A connection of its own, for locks. */
  openSession(options: SessionOptions): Promise<PostgresSession>;
  close(): Promise<void>;
}

export type Storage = SqliteStorage | PostgresStorage;

export interface StorageOptions {
  /** The URL of PostgreSQL; null uses the embedded SQLite file. */
  databaseUrl: string | null;
  sqliteFile: string;
  /** A read-only copy of the PostgreSQL database. */
  replicaUrl?: string | null;
  log: Log;
  /** Set by tests only. */
  monotonicMs?: () => number;
  migrations?: readonly Migration[];
}

/** Opens and migrates the database. Rejects with a StorageError that names the cause. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const migrations = options.migrations ?? (await loadMigrations());
  return options.databaseUrl === null
    ? await openSqliteStorage(options, migrations)
    : await openPostgresStorage(options.databaseUrl, options, migrations);
}

async function openSqliteStorage(
  options: StorageOptions,
  migrations: readonly Migration[],
): Promise<SqliteStorage> {
  const { sqliteFile: file, monotonicMs = systemClock.monotonicMs } = options;
  const disk = new DiskState(monotonicMs);
  const db = openSqlite(file, disk);
  try {
    await migrate(db, 'sqlite', migrations, options.log);
  } catch (error) {
    await db.destroy();
    throw migrationFault(error, `database file ${options.sqliteFile}`);
  }
  return {
    kind: 'sqlite',
    db,
    file,
    disk,
    tryWrite: async () => {
      // Nothing reads this number; to set it writes a page, also when it is the same.
      await sql`pragma user_version = 0`.execute(db);
      await tryRoom(`${file}-room`);
    },
    openReader: () => openCommittedReader(file, disk),
    close: () => db.destroy(),
  };
}

const ROOM = Buffer.alloc(1024 * 1024);

/** Small writes succeed on a disk that is nearly full. */
async function tryRoom(file: string): Promise<void> {
  try {
    await writeFile(file, ROOM, { mode: 0o600, flush: true });
  } finally {
    await rm(file, { force: true });
  }
}

async function openPostgresStorage(
  databaseUrl: string,
  { replicaUrl = null, log }: StorageOptions,
  migrations: readonly Migration[],
): Promise<PostgresStorage> {
  const address = postgresAddress(databaseUrl);
  const replicaAddress = replicaUrl === null ? null : postgresAddress(replicaUrl);
  // Loaded only here: a start with SQLite does not need the client of PostgreSQL.
  const [{ openPostgres }, { openReplica }, { PostgresListener }, { openSession }] = await Promise.all([
    import('./postgres/pool.ts'),
    import('./postgres/replica.ts'),
    import('./postgres/listener.ts'),
    import('./postgres/session.ts'),
  ]);
  const db = await openPostgres(address, log);
  try {
    await migrate(db, 'postgres', migrations, log);
  } catch (error) {
    await db.destroy();
    throw migrationFault(error, `PostgreSQL ${address.label}`);
  }
  const replica = replicaAddress === null ? null : openReplica(replicaAddress, log);
  const listener = new PostgresListener(address, log);
  return {
    kind: 'postgres',
    db,
    replica,
    listener,
    openSession: (sessionOptions) => openSession(address, sessionOptions),
    close: async () => {
      await listener.close();
      await replica?.close();
      await db.destroy();
    },
  };
}

function migrationFault(error: unknown, where: string): StorageError {
  if (error instanceof StorageError) return error;
  const text = diskFaultText(error) ?? postgresCause(error);
  return new StorageError(`Cannot prepare the tables of the ${where}: ${text}`);
}
