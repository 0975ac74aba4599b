/** The error code of the network, the file system or a database, if the error has one. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

const NO_ANSWER = 'the connection was closed without an answer';
const TOO_LATE = 'no answer in time';

const CAUSES: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', NO_ANSWER],
  ['EPIPE', NO_ANSWER],
  ['UND_ERR_SOCKET', NO_ANSWER],
  ['ENOTFOUND', 'the host name is unknown'],
  ['EAI_AGAIN', 'the host name cannot be looked up'],
  ['ETIMEDOUT', TOO_LATE],
  ['UND_ERR_CONNECT_TIMEOUT', TOO_LATE],
  ['UND_ERR_HEADERS_TIMEOUT', TOO_LATE],
  ['UND_ERR_BODY_TIMEOUT', TOO_LATE],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
]);

/** Why a connection failed, in words for users and operators; null for an error that is not of the network. */
export function connectionCause(error: unknown): string | null {
  return CAUSES.get(errorCode(error) ?? '') ?? null;
}
