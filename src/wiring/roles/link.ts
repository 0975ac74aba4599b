import { randomUUID } from 'node:crypto';
import { keptSecret, tokenHash } from '../../accounts/secrets.ts';
import { type Channels, channelsOf } from '../../cluster/channels.ts';
import { SettingError, type Settings } from '../../settings.ts';
import type { Redis } from '../../storage/redis/redis.ts';
import type { Storage } from '../../storage/storage.ts';

/** What a process needs to take part among others. */
export interface ClusterLink {
  redis: Redis;
  channels: Channels;
  /** Names this process, and no other that ever was. */
  owner: string;
}

/** Fails at start when the role needs what the settings do not give. */
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

/** Null for a process on its own: one without Redis, or with its own database file. */
export async function openClusterLink(storage: Storage, redis: Redis | null): Promise<ClusterLink | null> {
  if (redis === null || storage.kind === 'sqlite') return null;
  // The database names the deployment, so that two of them on one Redis never meet.
  const deployment = tokenHash(await keptSecret(storage.db, 'deployment')).slice(0, 12);
  return { redis, channels: channelsOf(deployment), owner: randomUUID() };
}
