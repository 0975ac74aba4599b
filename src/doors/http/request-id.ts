import { randomBytes } from 'node:crypto';

const VALID_ID = /^[A-Za-z0-9._-]{1,64}$/;
const PREFIX_BYTES = 6;

/** Ids of one process share a random prefix: they are unique across processes and cheap to generate. */
const processPart = randomBytes(PREFIX_BYTES).toString('base64url').replaceAll(/[_-]/g, 'x');
let count = 0;

/** The client's id if it is valid, else a new one. */
export function requestIdOf(sent: string | string[] | undefined): string {
  if (typeof sent === 'string' && VALID_ID.test(sent)) return sent;
  count++;
  return `req-${processPart}-${count.toString(36)}`;
}
