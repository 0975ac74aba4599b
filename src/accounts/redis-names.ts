import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import { keptSecret, tokenHash } from './secrets.ts';

/** Where things are in Redis. */
export interface RedisNames {
  /** One hash: the epoch (which Redis this is), the directory's revision, the generation of the processes. */
  cluster: string;
  processes: string;
  minute(slotId: string): string;
  month(slotId: string): string;
  revoked(keyId: string | null): string;
  /** Attempts under a name, by what is limited. The name is an address or a person's e-mail, so only its hash is kept. */
  attempts(limit: string, name: string): string;
  /** The channel that tells which addresses are stopped. */
  blocked: string;
}

/** The database names the deployment, so that two of them on one Redis never meet. */
export async function redisNames(db: Kysely<Schema>): Promise<RedisNames> {
  const start = `perpwire:${tokenHash(await keptSecret(db, 'deployment')).slice(0, 12)}`;
  return {
    cluster: `${start}:windows`,
    processes: `${start}:processes`,
    minute: (slotId) => `${start}:minute:${slotId}`,
    month: (slotId) => `${start}:month:${slotId}`,
    revoked: (keyId) => `${start}:revoked:${keyId ?? ''}`,
    attempts: (limit, name) => `${start}:attempts:${limit}:${tokenHash(name).slice(0, 32)}`,
    blocked: `${start}:blocked`,
  };
}
