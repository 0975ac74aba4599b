import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../storage/schema.ts';

const SECRET_BYTES = 32;

/** A secret that is made once and then the same in every process and after every restart. */
export async function keptSecret(
  db: Kysely<Schema>,
  name: string,
  make: () => string | Promise<string> = () => randomBytes(SECRET_BYTES).toString('hex'),
): Promise<string> {
  const read = () =>
    db.selectFrom('service_secrets').select('value').where('name', '=', name).executeTakeFirst();
  const known = await read();
  if (known) return known.value;
  await db
    .insertInto('service_secrets')
    .values({ name, value: await make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const kept = await read();
  if (!kept) throw new Error(`the secret ${name} was not kept`);
  return kept.value;
}

/** A random text for links and cookies: 256 bits. */
export function randomToken(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is stored of a token. It is random, so a plain hash cannot be turned back. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}

export function sign(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Compares in the same time whatever differs. */
export function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(tokenHash(a)), Buffer.from(tokenHash(b)));
}
