import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';
import { accountIdOf } from './keys/slots.ts';
import { storedSecret, tokenHash } from './secrets.ts';

/**
 * The names of the keys in Redis. What one script needs has the account as its hash tag, so that a Redis Cluster keeps it
 * on one node.
 */
export interface RedisNames {
  /** The directory's revision; with an account, that of its last change. */
  revision(accountId?: string): string;
  revoked(accountId: string, keyId: string | null): string;
  minute(slotId: string): string;
  month(slotId: string, monthStartMs: number): string;
  /** A hash: open streams of the slot by process. */
  streams(slotId: string): string;
  /** Attempts by limit and name. The name is an IP or e-mail address, so only its hash is used. */
  attempts(limit: string, name: string): string;
}

/** The prefix comes from the database, so that two deployments on one Redis use different names. */
export async function redisNames(db: Kysely<Schema>): Promise<RedisNames> {
  const prefix = `perpwire:${tokenHash(await storedSecret(db, 'deployment')).slice(0, 12)}`;
  const ofSlot = (slotId: string, what: string) => `${prefix}:{${accountIdOf(slotId)}}:${what}:${slotId}`;
  return {
    revision: (accountId) =>
      accountId === undefined ? `${prefix}:revision` : `${prefix}:{${accountId}}:revision`,
    revoked: (accountId, keyId) => `${prefix}:{${accountId}}:revoked:${keyId ?? ''}`,
    minute: (slotId) => ofSlot(slotId, 'minute'),
    month: (slotId, monthStartMs) => ofSlot(slotId, `month:${monthStartMs}`),
    streams: (slotId) => ofSlot(slotId, 'streams'),
    attempts: (limit, name) => `${prefix}:attempts:${limit}:${tokenHash(name).slice(0, 32)}`,
  };
}
