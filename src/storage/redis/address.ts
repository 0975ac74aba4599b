import { errorCode, StorageError } from '../errors.ts';

/** The first server of REDIS_URL. It is named by its place, because processes may reach it under different addresses. */
export const FIRST_SERVER = 'first';

/** Where a Redis is, and as whom to sign in there. */
export interface RedisEndpoint {
  host: string;
  port: number;
  isTls: boolean;
  /** Empty if the address has none, like the password. */
  username: string;
  password: string;
  database: number;
}

export interface RedisAddress {
  url: string;
  endpoint: RedisEndpoint;
  /** For messages; without the password. */
  label: string;
  /** Host, port and database. */
  server: string;
  /** Whether the address is marked with #leaving: requests are no longer counted there. */
  isLeaving: boolean;
}

const LEAVING = '#leaving';

export function redisAddress(redisUrl: string): RedisAddress {
  const url = URL.parse(redisUrl);
  const isValid = url && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '';
  if (!isValid || !/^(\/\d*)?$/.test(url.pathname) || !['', LEAVING].includes(url.hash))
    throw new StorageError('The Redis URL must look like redis://user:password@host:6379/0');
  const host = `${url.hostname}:${url.port || '6379'}`;
  return {
    url: redisUrl.replace(/#.*$/, ''),
    endpoint: {
      // An IPv6 address is in brackets.
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(url.port || 6379),
      isTls: url.protocol === 'rediss:',
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
      database: Number(url.pathname.slice(1)),
    },
    label: `Redis at ${host}`,
    server: `${host}/${url.pathname.slice(1) || '0'}`,
    isLeaving: url.hash === LEAVING,
  };
}

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was cut'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name cannot be looked up'],
  ['ETIMEDOUT', 'no reply'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
]);

export function redisCause(error: unknown): string {
  const code = errorCode(error);
  const known = code === null ? undefined : CAUSES.get(code);
  if (known !== undefined) return known;
  return error instanceof Error && error.message !== '' ? error.message : 'the connection was cut';
}

export const CONNECT_TIMEOUT_MS = 1_000;

/** How long to wait before the next attempt to connect. The first attempt is 0. */
export function reconnectDelayMs(attempt: number): number {
  return Math.min(25 * 2 ** attempt, 500);
}
