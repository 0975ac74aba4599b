import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../../base/log.ts';
import { StorageError } from '../errors.ts';
import type { Schema } from '../schema.ts';
import { CONNECT_TIMEOUT_MS, type PostgresAddress, postgresCause } from './address.ts';

const POOL_CONNECTIONS = 10;
/** A process that hangs in a transaction must not keep its locks: the next collector would wait for them. */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** int8, and numeric, the type of a sum of int8: all values are counts and times below 2^53. */
const NUMBER_TYPES = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    NUMBER_TYPES.has(oid) && format !== 'binary'
      ? (text: string) => Number(text)
      : pg.types.getTypeParser(oid, format),
};

export function connectionSettings(address: PostgresAddress): pg.ClientConfig {
  return {
    connectionString: address.url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'perpwire',
    types,
  };
}

/** Connects once, so that a wrong address is reported at start with its cause. */
export async function openPostgres(address: PostgresAddress, log: Log): Promise<Kysely<Schema>> {
  const pool = new pg.Pool({
    ...connectionSettings(address),
    max: POOL_CONNECTIONS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  });
  // Without a listener, an idle connection closed by the server would end the process.
  pool.on('error', (error) => log.warn({ reason: postgresCause(error) }, 'lost a PostgreSQL connection'));
  // The same for a connection inside a transaction that is waiting; its next query fails anyway.
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new StorageError(`Cannot use the PostgreSQL ${address.label}: ${postgresCause(error)}`);
  }
  return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
}
