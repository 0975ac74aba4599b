/** A storage failure described for the operator. The message suffices to act on, and never contains a password. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** The error code of SQLite, PostgreSQL or the network, if the error has one. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

const NETWORK_CAUSES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'nothing listens there'],
  ['ECONNRESET', 'the connection was lost'],
  ['EPIPE', 'the connection was lost'],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name cannot be looked up'],
  ['ETIMEDOUT', 'no reply'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
]);

/** Why the network failed, for the operator; null for another error. */
export function networkCause(error: unknown): string | null {
  return NETWORK_CAUSES.get(errorCode(error) ?? '') ?? null;
}

/** SQLSTATEs: connection failure, shutting down, crashed, starting up, too many connections, read-only after a failover. */
const UNAVAILABLE_STATES = /^(08...|57P0[1-3]|53300|25006)$/;
const UNAVAILABLE_MESSAGES =
  /connection (terminated|ended|timeout)|timeout exceeded when trying to connect|connection error and is not queryable/i;

/** Whether the database cannot be reached now: the same query may succeed later. */
export function isStorageUnavailable(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== null) return NETWORK_CAUSES.has(code) || UNAVAILABLE_STATES.test(code);
  return error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message);
}
