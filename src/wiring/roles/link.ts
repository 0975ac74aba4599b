import { randomUUID } from 'node:crypto';
import { keptSecret, tokenHash } from '../../accounts/secrets.ts';
import { type Channels, channelsOf } from '../../cluster/channels.ts';
import { SettingError, type Settings } from '../../settings.ts';
import type { Redis } from '../../storage/redis/redis.ts';
import type { Storage } from '../../storage/storage.ts';

/** The connection of a process to the others of its deployment. */
export interface ClusterLink {
  redis: Redis;
  channels: Channels;
  /** Unique to this run of this process. */
  owner: string;
}

/** Throws if the role needs settings that are not given. */
export function checkRole({ role, databaseUrl, redisUrl }: Settings): void {
  if (role === 'all' || (databaseUrl !== null && redisUrl !== null)) return;
  const missing = [
    ...(databaseUrl === null ? ['DATABASE_URL (PostgreSQL)'] : []),
    ...(redisUrl === null ? ['REDIS_URL'] : []),
  ];
  throw new SettingError(
    `--role ${role} shares its work with other processes and needs ${missing.join(' and ')}; without them run --role all`,
  );
}

/** Null for a single process: one without Redis, or with the embedded database. */
export async function openClusterLink(storage: Storage, redis: Redis | null): Promise<ClusterLink | null> {
  if (redis === null || storage.kind === 'sqlite') return null;
  // The name comes from the database, so two deployments on one Redis use different channels.
  const deployment = tokenHash(await keptSecret(storage.db, 'deployment')).slice(0, 12);
  return { redis, channels: channelsOf(deployment), owner: randomUUID() };
}
