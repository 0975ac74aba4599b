import { hash } from 'node:crypto';

/** 162 bits, as base64. */
const TAG_LENGTH = 27;

/** Equal for equal bytes, and for no others that will ever be met. */
export function bytesTag(bytes: Buffer | string): string {
  return hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH);
}
