import type { Kysely } from 'kysely';
import type { Log } from '../base/log.ts';
import { diskFaultText } from './disk-faults.ts';
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
  /** Why the disk refused the last write; null if it succeeded. */
  writeFault(): string | null;
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
  let fault: string | null = null;
  const db = openSqlite(options.sqliteFile, (cause) => {
    fault = cause;
  });
  try {
    await migrate(db, 'sqlite', migrations, options.log);
  } catch (error) {
    await db.destroy();
    throw migrationFault(error, `database file ${options.sqliteFile}`);
  }
  return {
    kind: 'sqlite',
    db,
    writeFault: () => fault,
    openReader: () => openCommittedReader(options.sqliteFile),
    close: () => db.destroy(),
  };
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
