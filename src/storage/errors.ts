import { connectionCause, errorCode } from '../base/connection-errors.ts';

/** A storage failure described for the operator. The message suffices to act on, and never contains a password. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** SQLSTATEs: connection failure, shutting down, crashed, starting up, too many connections, read-only after a failover. */
const UNAVAILABLE_STATES = /^(08...|57P0[1-3]|53300|25006)$/;
const UNAVAILABLE_MESSAGES =
  /connection (terminated|ended|timeout)|timeout exceeded when trying to connect|connection error and is not queryable/i;

/** Whether the database cannot be reached now: the same query may succeed later. */
export function isStorageUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== null) return connectionCause(error) !== null || UNAVAILABLE_STATES.test(code);
  return error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message);
}
