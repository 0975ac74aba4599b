import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../base/log.ts';
import { errorCode, StorageError } from './errors.ts';
import type { Schema } from './schema.ts';

const CONNECT_TIMEOUT_MS = 5_000;
const POOL_CONNECTIONS = 10;

/** int8, and numeric, the type of a sum of int8: all values are counts and times below 2^53. */
const NUMBER_TYPES = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    NUMBER_TYPES.has(oid) && format !== 'binary'
      ? (text: string) => Number(text)
      : pg.types.getTypeParser(oid, format),
};

export interface PostgresAddress {
  url: string;
  /** For messages: host, port and database, without the password. */
  label: string;
}

export function postgresAddress(databaseUrl: string): PostgresAddress {
  const url = URL.parse(databaseUrl);
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || url.hostname === '') {
    throw new StorageError('The database URL must look like postgres://user:password@host:5432/database');
  }
  const database = decodeURIComponent(url.pathname.slice(1)) || 'postgres';
  return { url: databaseUrl, label: `database "${database}" at ${url.hostname}:${url.port || '5432'}` };
}

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
  const pool = new pg.Pool({ ...connectionSettings(address), max: POOL_CONNECTIONS });
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

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name cannot be looked up'],
  ['ETIMEDOUT', 'no reply'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['28P01', 'the user name or password is wrong'],
  ['28000', 'this user may not connect'],
  ['3D000', 'there is no such database'],
  ['53300', 'the server has no free connection'],
  ['57P03', 'the server is starting up or shutting down'],
  ['57P01', 'the server was shut down'],
  ['57P02', 'the server crashed'],
  ['ECONNRESET', 'the connection was lost'],
  ['EPIPE', 'the connection was lost'],
]);

export function postgresCause(error: unknown): string {
  const code = errorCode(error);
  const known = code === null ? undefined : CAUSES.get(code);
  if (known !== undefined) return known;
  if (!(error instanceof Error)) return 'unknown cause';
  if (/^Connection terminated|not queryable/i.test(error.message)) return 'the connection was lost';
  if (/timeout/i.test(error.message)) return `no reply within ${CONNECT_TIMEOUT_MS / 1000} s`;
  return code === null ? error.message : `${error.message} (${code})`;
}
