import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';

const SECRET_BYTES = 32;

/** A value that is created once and then the same in every process and after every restart. It is stored as it is. */
export async function storedSecret(
  db: Kysely<Schema>,
  name: string,
  create: () => string | Promise<string> = () => randomBytes(SECRET_BYTES).toString('hex'),
): Promise<string> {
  const read = () =>
    db.selectFrom('service_secrets').select('value').where('name', '=', name).executeTakeFirst();
  const existing = await read();
  if (existing) return existing.value;
  await db
    .insertInto('service_secrets')
    .values({ name, value: await create() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = await read();
  if (!stored) throw new Error(`the secret ${name} was not stored`);
  return stored.value;
}

/** A random token of 256 bits for links and cookies. */
export function randomToken(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Only this hash of a token is stored. A token is random, so an unsalted hash is safe. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

export function sign(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Whether one of the keys made the signature. */
export function isSigned(keys: readonly string[], text: string, signature: string): boolean {
  return keys.some((key) => isSame(signature, sign(key, text)));
}

/** Compares in constant time. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(tokenHash(a)), Buffer.from(tokenHash(b)));
}
