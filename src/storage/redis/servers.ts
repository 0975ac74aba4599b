import type { Log } from '../../base/log.ts';
import { StorageError } from '../errors.ts';
import { FIRST_SERVER, redisAddress } from './address.ts';
import { openRedis, type RedisOptions } from './open.ts';
import type { Redis } from './redis.ts';

/** One server of REDIS_URL. */
export interface RedisServer {
  /** FIRST_SERVER, or the address without user and password: the same in all processes. */
  name: string;
  /** For messages. */
  label: string;
  redis: Redis;
  /** The list has it only so that its counts can move to the others. */
  isLeaving: boolean;
}

/** How long a start waits for a server that is new to the list. */
const NEW_SERVER_TIMEOUT_MS = 10_000;

/** Opens all servers of the list; the first one is named by its place. */
export async function openRedisServers(
  urls: readonly string[],
  log: Log,
  options: Pick<RedisOptions, 'timeoutMs'> = {},
): Promise<RedisServer[]> {
  return await Promise.all(
    urls.map(async (url, place) => {
      const { server, label, isLeaving } = redisAddress(url);
      const redis = await openRedis({ url, log, ...options });
      return { name: place === 0 ? FIRST_SERVER : server, label, redis, isLeaving };
    }),
  );
}

export async function closeRedisServers(servers: readonly RedisServer[]): Promise<void> {
  await Promise.all(servers.map(({ redis }) => redis.close()));
}

/**
 * Throws if two addresses lead to one server, or if a server cannot be reached that is new to the list: that is a mistake
 * in the list. Servers that have counts may be unavailable at a start.
 */
export async function checkRedisServers(
  servers: readonly RedisServer[],
  known: ReadonlySet<string>,
): Promise<void> {
  const added = servers.filter(({ name }) => !known.has(name));
  await Promise.all(added.map(({ redis }) => untilUp(redis)));
  const missing = added.find(({ redis }) => !redis.isUp);
  if (missing) {
    const reason = missing.redis.state().reason ?? 'no answer';
    throw new StorageError(
      `REDIS_URL names ${missing.label}, which cannot be reached: ${reason}; start it or take it off the list`,
    );
  }
  const twins = await findTwins(servers);
  if (twins !== null) throw new StorageError(`REDIS_URL names one server twice: ${twins} are the same`);
}

function untilUp(redis: Redis): Promise<void> {
  return new Promise((resolve) => {
    if (redis.isUp) return resolve();
    const done = () => {
      clearTimeout(timer);
      removeListener();
      resolve();
    };
    const timer = setTimeout(done, NEW_SERVER_TIMEOUT_MS);
    const removeListener = redis.onChange(({ isUp }) => isUp && done());
  });
}

/** Two entries with one run id are one server under two names. A server that does not tell its id is believed. */
async function findTwins(servers: readonly RedisServer[]): Promise<string | null> {
  const labels = new Map<string, string>();
  for (const { redis, label } of servers) {
    const reply: unknown = await redis.command(['INFO', 'server'], NEW_SERVER_TIMEOUT_MS).catch(() => '');
    const id = /^run_id:(\w+)/m.exec(String(reply))?.[1];
    if (id === undefined) continue;
    const other = labels.get(id);
    if (other !== undefined) return `${other} and ${label}`;
    labels.set(id, label);
  }
  return null;
}
