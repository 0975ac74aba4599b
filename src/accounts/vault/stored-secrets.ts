import '../../storage/migrations/0090-alerts.ts';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../storage/schema.ts';
import type { Storage } from '../../storage/storage.ts';
import { type RingKind, type RingValue, readRing, rotated, writeRing } from './ring.ts';
import { seal, sealedWith, unseal } from './seal.ts';
import { type KeySource, type SecretKey, SecretKeyError, secretKeyOf } from './secret-keys.ts';

/** It only names the keys in Redis and is read by processes that need no other secret. */
const DEPLOYMENT = 'deployment';

interface OpenKeys {
  all: readonly SecretKey[];
  first: SecretKey;
  label: string;
}

const secretRows = (db: Kysely<Schema>) =>
  db.selectFrom('service_secrets').selectAll().where('name', '!=', DEPLOYMENT).orderBy('name').execute();

/** Reads the keys. A key file of our own is created, unless the database was encrypted with another key. */
export async function openKeys(
  db: Kysely<Schema>,
  source: KeySource,
): Promise<OpenKeys & { isNew: boolean }> {
  const { label, create } = source;
  if (!create || source.read() !== null) return { ...keysOf(source), isNew: false };
  const sealed = (await secretRows(db)).find(({ value }) => sealedWith(value) !== null);
  // A process that started together with this one may have created the file, and then the secret, since we looked.
  if (sealed && source.read() === null) unseal([], sealed.name, sealed.value, label);
  const isNew = create();
  return { ...keysOf(source), isNew };
}

export function keysOf(source: KeySource): OpenKeys {
  const all = (source.read() ?? []).map(secretKeyOf);
  const [first] = all;
  if (!first) throw new SecretKeyError(`${source.label} has no key`);
  return { all, first, label: source.label };
}

/** Encrypts the secrets that an older version stored as they are, and checks the others. Returns how many there were. */
export async function sealPlainSecrets({ db, kind }: Storage, keys: OpenKeys): Promise<number> {
  const rows = await secretRows(db);
  for (const { name, value } of rows)
    if (sealedWith(value) !== null) unseal(keys.all, name, value, keys.label);
  const plain = rows.filter(({ value }) => sealedWith(value) === null);
  if (plain.length === 0) return 0;
  await db.transaction().execute(async (trx) => {
    for (const { name, value } of plain)
      await trx
        .updateTable('service_secrets')
        .set({ value: seal(keys.first, name, writeRing(readRing(value))) })
        .where('name', '=', name)
        .where('value', '=', value)
        .execute();
  });
  // The write-ahead log has copies of the pages of before.
  if (kind === 'sqlite') await sql`pragma wal_checkpoint(truncate)`.execute(db);
  return plain.length;
}

/** The values of a secret; null if it was not created yet. */
export async function readSecret(
  db: Kysely<Schema>,
  keys: OpenKeys,
  name: string,
): Promise<RingValue[] | null> {
  const row = await db
    .selectFrom('service_secrets')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst();
  return row ? readRing(unseal(keys.all, name, row.value, keys.label)) : null;
}

/** Reads a secret; creates it if it does not exist. Of concurrent callers one creates it. */
export async function readOrCreate(
  db: Kysely<Schema>,
  keys: OpenKeys,
  { name, create }: RingKind,
): Promise<RingValue[]> {
  const existing = await readSecret(db, keys, name);
  if (existing) return existing;
  const ring = writeRing([{ value: await create(), fromMs: 0, untilMs: null }]);
  await db
    .insertInto('service_secrets')
    .values({ name, value: seal(keys.first, name, ring) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const stored = await readSecret(db, keys, name);
  if (!stored) throw new Error(`the secret ${name} was not stored`);
  return stored;
}

/**
 * Encrypts every secret, and the targets of alerts, with the first key. Returns how many had another one. Targets whose key
 * is lost stay as they are: their endpoints are paused at the next alert.
 */
export async function sealAgain(db: Kysely<Schema>, keys: OpenKeys): Promise<number> {
  const again = (name: string, value: string) =>
    seal(keys.first, name, unseal(keys.all, name, value, keys.label));
  const isOther = (value: string) => sealedWith(value) !== keys.first.id;
  return await db.transaction().execute(async (trx) => {
    const others = (await secretRows(trx)).filter(({ value }) => isOther(value));
    for (const { name, value } of others) await store(trx, name, again(name, value));
    const endpoints = await trx.selectFrom('alert_endpoints').select(['id', 'target']).execute();
    const isKnown = (value: string) => keys.all.some(({ id }) => id === sealedWith(value));
    const sealedElse = endpoints.filter(({ target }) => isOther(target) && isKnown(target));
    for (const { id, target } of sealedElse)
      await trx
        .updateTable('alert_endpoints')
        .set({ target: again(targetName(id), target) })
        .where('id', '=', id)
        .execute();
    return others.length + sealedElse.length;
  });
}

/** The name under which the target of an endpoint is encrypted. */
export function targetName(endpointId: string): string {
  return `alert-endpoint ${endpointId}`;
}

/** Adds a new value to a secret. `isDiscarding`: the old ones stop verifying at once, and need not be readable. */
export async function rotateSecret(
  db: Kysely<Schema>,
  keys: OpenKeys,
  { name, create, lifetimeMs }: RingKind,
  nowMs: number,
  isDiscarding: boolean,
): Promise<void> {
  const value = await create();
  await db.transaction().execute(async (trx) => {
    const old = isDiscarding ? [] : ((await readSecret(trx, keys, name)) ?? []);
    await store(trx, name, seal(keys.first, name, writeRing(rotated(old, value, lifetimeMs, nowMs))));
  });
}

async function store(trx: Transaction<Schema>, name: string, value: string): Promise<void> {
  await trx
    .insertInto('service_secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

interface SecretState {
  name: string;
  keyId: string | null;
}

/** Which key encrypts which secret, without reading any. */
export async function secretStates(db: Kysely<Schema>): Promise<SecretState[]> {
  return (await secretRows(db)).map(({ name, value }) => ({ name, keyId: sealedWith(value) }));
}
