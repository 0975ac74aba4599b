import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type SecretKey, SecretKeyError } from './secret-keys.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEALED = /^v1\.([0-9a-f]{12})\.([A-Za-z0-9_-]+)$/;

/** Encrypts a secret: version, id of the key, then nonce, ciphertext and tag. Bound to its name, so that two cannot be swapped. */
export function seal({ id, bytes }: SecretKey, name: string, plain: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, bytes, nonce).setAAD(Buffer.from(name));
  const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1.${id}.${body.toString('base64url')}`;
}

/** The id of the key with which a value was sealed; null for a plain value of an older version. */
export function sealedWith(value: string): string | null {
  return SEALED.exec(value)?.[1] ?? null;
}

/** Throws a SecretKeyError if none of the keys is the right one, or if the value was changed. */
export function unseal(keys: readonly SecretKey[], name: string, value: string, source: string): string {
  const [, id, body = ''] = SEALED.exec(value) ?? [];
  const key = keys.find((one) => one.id === id);
  if (!key)
    throw new SecretKeyError(
      `The stored secrets are encrypted with the key ${id}, which ${source} does not have; set SECRET_KEY or SECRET_KEY_FILE to that key, the same for all processes on this database (if it is lost: perpwire secrets rotate --signing --discard-old)`,
    );
  const bytes = Buffer.from(body, 'base64url');
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const ciphertext = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
    return decipher.update(ciphertext, undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new SecretKeyError(
      `The stored secret ${name} is damaged; restore a backup, or replace it with: perpwire secrets rotate --signing --discard-old`,
    );
  }
}
