import { errorCode } from './storage-error.ts';

const AWAY_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** PostgreSQL's own: shutting down, crashed, starting, no connection free, read-only after a failover. */
const AWAY_STATES = /^(08...|57P0[1-3]|53300|25006)$/;
const AWAY_WORDS =
  /connection (terminated|ended|timeout)|timeout exceeded when trying to connect|connection error and is not queryable/i;

/** Whether the database cannot be reached now. Asking again later may succeed; changing the question will not help. */
export function isStorageAway(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== null) return AWAY_CODES.has(code) || AWAY_STATES.test(code);
  return error instanceof Error && AWAY_WORDS.test(error.message);
}
