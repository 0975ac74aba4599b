import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { StorageError } from '../errors.ts';
import { type PostgresAddress, postgresCause } from '../postgres/address.ts';
import { connectionSettings } from '../postgres/pool.ts';
import type { Cell } from './file.ts';
import type { TableModel } from './tables.ts';

/** A consistent view of a database at one time, unaffected by later writes. */
export interface BackupSource {
  kind: 'sqlite' | 'postgres';
  /** The names of its migrations; null if it is not a database of Perpwire. */
  applied(): Promise<string[] | null>;
  count(table: string): Promise<number>;
  rows(table: TableModel): AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>;
  close(): Promise<void>;
}

const ROWS_PER_FETCH = 200;

function selectOf({ name, columns }: TableModel): string {
  return `select ${columns.map((column) => `"${column}"`).join(', ')} from "${name}"`;
}

/** A read transaction in WAL mode sees one state of the database and blocks no writer. */
export function sqliteSource(file: string): BackupSource {
  if (!existsSync(file)) throw new StorageError(`there is no database file ${resolve(file)}`);
  const database = new DatabaseSync(resolve(file), { readOnly: true });
  database.exec('begin');
  const arrays = (text: string) => {
    const statement = database.prepare(text);
    statement.setReturnArrays(true);
    return statement as unknown as { iterate(): Iterable<Cell[]> };
  };
  const first = (text: string) => [...arrays(text).iterate()].map((row) => row[0]);
  return {
    kind: 'sqlite',
    applied: async () => {
      const isOurs = first("select 1 from sqlite_master where name = 'schema_migrations'").length > 0;
      return isOurs ? first('select name from schema_migrations order by name').map(String) : null;
    },
    count: async (table) => Number(first(`select count(*) from "${table}"`)[0]),
    rows: (table) => arrays(selectOf(table)).iterate(),
    close: async () => database.close(),
  };
}

/** One transaction in which every statement sees the same state; a cursor fetches a few rows at a time. */
export async function postgresSource(address: PostgresAddress): Promise<BackupSource> {
  const client = new pg.Client(connectionSettings(address));
  client.on('error', () => undefined);
  const arrays = async (text: string): Promise<Cell[][]> => {
    try {
      return (await client.query({ text, rowMode: 'array' })).rows;
    } catch (error) {
      throw new StorageError(`Cannot read the PostgreSQL ${address.label}: ${postgresCause(error)}`);
    }
  };
  try {
    await client.connect();
  } catch (error) {
    throw new StorageError(`Cannot use the PostgreSQL ${address.label}: ${postgresCause(error)}`);
  }
  await arrays('start transaction isolation level repeatable read read only');
  return {
    kind: 'postgres',
    applied: async () => {
      const [row] = await arrays("select to_regclass('schema_migrations')::text");
      if (!row?.[0]) return null;
      return (await arrays('select name from schema_migrations order by name')).map(([name]) => String(name));
    },
    count: async (table) => Number((await arrays(`select count(*) from "${table}"`))[0]?.[0]),
    rows: async function* (table) {
      await arrays(`declare backup_rows no scroll cursor for ${selectOf(table)}`);
      for (;;) {
        const some = await arrays(`fetch ${ROWS_PER_FETCH} from backup_rows`);
        yield* some;
        if (some.length < ROWS_PER_FETCH) break;
      }
      await arrays('close backup_rows');
    },
    close: () => client.end(),
  };
}
