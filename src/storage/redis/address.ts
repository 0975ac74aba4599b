import { errorCode, StorageError } from '../errors.ts';

export interface RedisAddress {
  url: string;
  /** For messages; without the password. */
  label: string;
}

export function redisAddress(redisUrl: string): RedisAddress {
  const url = URL.parse(redisUrl);
  const isValid = url && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '';
  if (!isValid || !/^(\/\d*)?$/.test(url.pathname))
    throw new StorageError('The Redis URL must look like redis://user:password@host:6379/0');
  return { url: redisUrl, label: `Redis at ${url.hostname}:${url.port || '6379'}` };
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
