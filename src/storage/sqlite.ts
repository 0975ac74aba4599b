import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from 'kysely';
import { diskFaultText } from './disk-faults.ts';
import type { DiskState } from './disk-state.ts';
import { StorageError } from './errors.ts';
import { makePrivateDatabase, makePrivateFolder } from './private-files.ts';
import type { Schema } from './schema.ts';

/** How long a writer waits for another process's transaction. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * A second, read-only connection with synchronous reads. It sees only committed data, never the writes of a transaction
 * that is open on the main connection.
 */
export interface CommittedReader {
  /** A number that changes with every commit of any process. A call takes 2 to 4 microseconds. */
  commits(): number;
  rows<Row>(query: CompiledQuery<Row>): Row[];
  close(): void;
}

/** BEGIN takes the write lock: otherwise a transaction that reads first could fail at its first write. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

class ImmediateSqliteDialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;

  constructor(config: SqliteDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): SqliteDriver {
    return new ImmediateSqliteDriver(this.#config);
  }
}

/** Is told of every query that failed because of the disk. */
type DiskObserver = Pick<DiskState, 'writeFailed' | 'readFailed'>;
const NOBODY: DiskObserver = { writeFailed: () => undefined, readFailed: () => undefined };

export function openSqlite(file: string, disk = NOBODY): Kysely<Schema> {
  const database = openFile(resolve(file));
  const dialect = new ImmediateSqliteDialect({ database: asKyselyExpects(database, disk) });
  return new Kysely<Schema>({ dialect });
}

/** A database in memory, for the time it is open. */
export function openMemorySqlite(): Kysely<Schema> {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  const dialect = new ImmediateSqliteDialect({ database: asKyselyExpects(database, NOBODY) });
  return new Kysely<Schema>({ dialect });
}

/** Whether any process, this one included, has the database open. */
export function isSqliteInUse(file: string): boolean {
  const database = new DatabaseSync(resolve(file), { timeout: 0 });
  try {
    // A process that has a database in WAL mode open holds a shared lock on it all the time.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    return false;
  } catch (error) {
    if (error instanceof Error && /locked|busy/i.test(error.message)) return true;
    throw new StorageError(`Cannot open the database file ${file}: ${cause(error)}`);
  } finally {
    database.close();
  }
}

export function openCommittedReader(file: string, disk = NOBODY): CommittedReader {
  const database = new DatabaseSync(resolve(file), { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  const version = database.prepare('PRAGMA data_version');
  version.setReturnArrays(true);
  const preparedOf = statementCache(database);
  return {
    commits() {
      const row: unknown = version.get();
      return Array.isArray(row) ? Number(row[0]) : Number.NaN;
    },
    rows<Row>(query: CompiledQuery<Row>) {
      const { statement } = preparedOf(query.sql);
      return observed(disk, () => statement.all(...query.parameters.map(bindable))) as Row[];
    },
    close: () => database.close(),
  };
}

function openFile(file: string): DatabaseSync {
  try {
    makePrivateFolder(dirname(file));
  } catch (error) {
    throw new StorageError(`Cannot create the folder ${dirname(file)} for the database: ${cause(error)}`);
  }
  refuseEmptied(file);
  try {
    makePrivateDatabase(file);
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
    try {
      // FULL, because a revoked key must stay revoked after a power cut; NORMAL survives only a kill. With secure_delete,
      // deleted content is overwritten instead of staying in free pages.
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
    } catch (error) {
      database.close();
      throw error;
    }
    return database;
  } catch (error) {
    throw new StorageError(`Cannot open the database file ${file}: ${cause(error)}`);
  }
}

/** Files that exist only after a database was written. */
const BESIDE_A_DATABASE = (file: string) => [`${file}-wal`, join(dirname(file), 'secret.key')];

/** SQLite takes an empty file for a new database; all accounts would silently be gone. */
function refuseEmptied(file: string): void {
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? null;
  if (sizeOf(file) !== 0) return;
  const beside = BESIDE_A_DATABASE(file).find((path) => (sizeOf(path) ?? 0) > 0);
  if (beside === undefined) return;
  throw new StorageError(
    `The database file ${file} is empty, but ${beside} beside it shows that it had data; restore a backup (perpwire restore), or move both away to start anew`,
  );
}

/** Statements with a long text are bulk inserts, whose number of rows varies: keeping them costs memory for few hits. */
const MAX_STATEMENTS = 256;
const MAX_TEXT_LENGTH = 2000;

/** Prepares each text once. The least recently used statements are dropped. */
function statementCache(database: DatabaseSync): (text: string) => Prepared {
  const cached = new Map<string, Prepared>();
  return (text) => {
    const known = cached.get(text);
    if (known) {
      cached.delete(text);
      cached.set(text, known);
      return known;
    }
    const statement = database.prepare(text);
    const prepared = { statement, isReader: statement.columns().length > 0 };
    if (text.length > MAX_TEXT_LENGTH) return prepared;
    cached.set(text, prepared);
    const [oldest] = cached.keys();
    if (cached.size > MAX_STATEMENTS && oldest !== undefined) cached.delete(oldest);
    return prepared;
  };
}

interface Prepared {
  statement: StatementSync;
  isReader: boolean;
}

function asKyselyExpects(database: DatabaseSync, disk: DiskObserver): SqliteDatabase {
  const preparedOf = statementCache(database);
  return {
    close: () => database.close(),
    prepare: (text) => {
      const { statement, isReader } = observed(disk, () => preparedOf(text));
      return {
        reader: isReader,
        all: (parameters) => observed(disk, () => statement.all(...parameters.map(bindable))),
        run: (parameters) => {
          // A full disk has already rolled back; an error of this rollback would hide the cause.
          if (text === 'rollback' && !database.isTransaction) return { changes: 0, lastInsertRowid: 0 };
          return observed(disk, () => statement.run(...parameters.map(bindable)));
        },
        // Not the cached statement: another query with the same text would reset it midway.
        iterate: (parameters) => database.prepare(text).iterate(...parameters.map(bindable)),
      };
    },
  };
}

/** Primary result codes, the low byte of an error code: READONLY, IOERR and FULL; CORRUPT and NOTADB. */
const WRITE_FAULTS = new Set([8, 10, 13]);
const READ_FAULTS = new Set([11, 26]);

function observed<Result>(disk: DiskObserver, query: () => Result): Result {
  try {
    return query();
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) {
      const code = Number(error.errcode) & 0xff;
      if (WRITE_FAULTS.has(code)) disk.writeFailed(error.message);
      if (READ_FAULTS.has(code)) disk.readFailed(error.message);
    }
    throw error;
  }
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint') {
    return value;
  }
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`a ${typeof value} cannot be stored; the schema has numbers, text, bytes and null`);
}

function cause(error: unknown): string {
  return diskFaultText(error) ?? (error instanceof Error ? error.message : 'unknown cause');
}
