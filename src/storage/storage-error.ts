/** A storage fault in words for the operator: no stack is needed to act on it, and it holds no password. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** The code that SQLite, PostgreSQL or the network gave with an error, if any. */
export function errorCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}
