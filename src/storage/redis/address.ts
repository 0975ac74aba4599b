import { connectionCause } from '../../base/connection-errors.ts';
import { StorageError } from '../errors.ts';

export const REDIS_URL_FORMS =
  'redis://user:password@host:6379/0, or for a Redis Cluster redis+cluster://user:password@host:6379,host:6379';

/** Where a Redis is, or some nodes of a Redis Cluster, and as whom to sign in there. */
export type RedisAddress = ReturnType<typeof redisAddress>;

/** The parts of `redis[s]://…` or `redis[s]+cluster://…`. A comma or @ within a password is written as %2C or %40. */
export function redisAddress(redisUrl: string) {
  const [, tls, cluster, user = '', hosts = '', path = ''] =
    /^redis(s?)(\+cluster)?:\/\/(?:([^@/]*)@)?([^@/?#]+)(\/\d*)?$/.exec(redisUrl) ?? [];
  const isCluster = cluster !== undefined;
  const urls = hosts.split(',').map((host) => URL.parse(`redis://${user}@${host}`));
  const isWrong = urls.some((url) => !url?.hostname) || (urls.length > 1 && !isCluster);
  const [first] = urls;
  // A cluster has no numbered databases.
  if (isWrong || !first || (isCluster && !['', '/', '/0'].includes(path)))
    throw new StorageError(`The Redis URL must look like ${REDIS_URL_FORMS}`);
  const nodes = urls.map((url) => ({
    // An IPv6 address is in brackets.
    host: (url?.hostname ?? '').replace(/^\[(.*)\]$/, '$1'),
    port: Number(url?.port || 6379),
  }));
  return {
    isCluster,
    isTls: tls === 's',
    nodes,
    // Empty if the address has none, like the password.
    username: decodeURIComponent(first.username),
    password: decodeURIComponent(first.password),
    database: Number(path.slice(1)),
    // For messages; without the password.
    label: `Redis${isCluster ? ' Cluster' : ''} at ${nodes.map(({ host, port }) => `${host}:${port}`).join(', ')}`,
  };
}

export function redisCause(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (message.startsWith('Unknown RESP type')) return 'the answer is not that of a Redis';
  return connectionCause(error) ?? (message === '' ? 'the connection was lost' : message);
}
