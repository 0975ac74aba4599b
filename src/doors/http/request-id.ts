import { randomBytes } from 'node:crypto';

const SANE = /^[A-Za-z0-9._-]{1,64}$/;
const PREFIX_BYTES = 6;

/** Ids of one process share a random start, so that they are unique over processes and cheap to make. */
const processPart = randomBytes(PREFIX_BYTES).toString('base64url').replaceAll(/[_-]/g, 'x');
let count = 0;

/** The caller's own id if it is a sane one, else a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && SANE.test(sent)) return sent;
  count++;
  return `req-${processPart}-${count.toString(36)}`;
}
