import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { QueueFullError, WorkQueue } from '../../base/async/work-queue.ts';
import { AccountsError } from '../accounts-error.ts';

const argon2Async = promisify(argon2);

/**
 * One hash at a time takes one of the four threads of libuv and one core. A hash takes some 30 ms, so the last of the
 * queue waits about a second.
 */
const hashing = new WorkQueue({ running: 1, waiting: 30 });
const RETRY_AFTER_SECONDS = 5;

async function derive(...[algorithm, parameters]: Parameters<typeof argon2Async>): Promise<Buffer> {
  try {
    return await hashing.run(() => argon2Async(algorithm, parameters));
  } catch (error) {
    if (!(error instanceof QueueFullError)) throw error;
    throw new AccountsError(
      'busy',
      'Too many people sign in or up at this time; try again in a few seconds',
      RETRY_AFTER_SECONDS,
    );
  }
}

/** The minimum that OWASP recommends for Argon2id: 19 MiB, two passes, one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MIN_CHARACTERS = 10;
/** Far more than people type, and little enough to hash quickly. */
const MAX_CHARACTERS = 200;

export function checkPassword(password: string): string {
  const { length } = [...password];
  if (length < MIN_CHARACTERS || length > MAX_CHARACTERS) {
    throw new AccountsError(
      'invalid-password',
      `A password has ${MIN_CHARACTERS} to ${MAX_CHARACTERS} characters`,
    );
  }
  return password;
}

/** In the PHC string format with its parameters, so that the cost can be raised without invalidating stored hashes. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await derive('argon2id', {
    ...COST,
    message: password.normalize('NFKC'),
    nonce: salt,
    tagLength: HASH_BYTES,
  });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(salt)}$${plain(tag)}`;
}

const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** Without a stored hash it does the same work and returns false, so that timing does not reveal which accounts exist. */
export async function isRightPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = STORED.exec(stored ?? '') ?? [];
  if (memory === undefined) {
    await hashPassword(password.slice(0, MAX_CHARACTERS));
    return false;
  }
  const expected = Buffer.from(tag, 'base64');
  const got = await derive('argon2id', {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    message: password.slice(0, 2 * MAX_CHARACTERS).normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
  });
  return timingSafeEqual(expected, got);
}

function plain(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
