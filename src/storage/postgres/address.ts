import { connectionCause, errorCode } from '../../base/connection-errors.ts';
import { StorageError } from '../errors.ts';

export const CONNECT_TIMEOUT_MS = 5_000;

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

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['28P01', 'the user name or password is wrong'],
  ['28000', 'this user may not connect'],
  ['3D000', 'there is no such database'],
  ['53300', 'the server has no free connection'],
  ['57P03', 'the server is starting up or shutting down'],
  ['57P01', 'the server was shut down'],
  ['57P02', 'the server crashed'],
]);

export function postgresCause(error: unknown): string {
  const code = errorCode(error);
  const known = connectionCause(error) ?? CAUSES.get(code ?? '');
  if (known !== undefined) return known;
  if (!(error instanceof Error)) return 'unknown cause';
  if (/^Connection terminated|not queryable/i.test(error.message)) return 'the connection was lost';
  if (/timeout/i.test(error.message)) return `no reply within ${CONNECT_TIMEOUT_MS / 1000} s`;
  return code === null ? error.message : `${error.message} (${code})`;
}
