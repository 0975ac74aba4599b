import { hash } from 'node:crypto';

/** 162 bits, as base64. */
const TAG_LENGTH = 27;

/** Equal for equal bytes, and for no others that will ever be met. SHA-256 takes three times as long in software. */
export function bytesTag(bytes: Buffer | string): string {
  return hash('sha512', bytes, 'base64url').slice(0, TAG_LENGTH);
}
