import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import { keptSecret, tokenHash } from './secrets.ts';

/** The names of the keys and channels in Redis. */
export interface RedisNames {
  /** A hash: the epoch, which identifies this Redis; the directory's revision; the generation of the set of processes. */
  cluster: string;
  processes: string;
  minute(slotId: string): string;
  month(slotId: string): string;
  revoked(keyId: string | null): string;
  /** A hash: open streams of the slot by process. */
  streams(slotId: string): string;
  /** Attempts by limit and name. The name is an IP or e-mail address, so only its hash is used. */
  attempts(limit: string, name: string): string;
  /** The channel on which blocked addresses are published. */
  blocked: string;
}

/** The prefix comes from the database, so that two deployments on one Redis use different names. */
export async function redisNames(db: Kysely<Schema>): Promise<RedisNames> {
  const prefix = `perpwire:${tokenHash(await keptSecret(db, 'deployment')).slice(0, 12)}`;
  return {
    cluster: `${prefix}:windows`,
    processes: `${prefix}:processes`,
    minute: (slotId) => `${prefix}:minute:${slotId}`,
    month: (slotId) => `${prefix}:month:${slotId}`,
    revoked: (keyId) => `${prefix}:revoked:${keyId ?? ''}`,
    streams: (slotId) => `${prefix}:streams:${slotId}`,
    attempts: (limit, name) => `${prefix}:attempts:${limit}:${tokenHash(name).slice(0, 32)}`,
    blocked: `${prefix}:blocked`,
  };
}
