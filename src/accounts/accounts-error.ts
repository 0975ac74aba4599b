export type AccountsFault =
  | 'invalid-name'
  | 'invalid-email'
  | 'invalid-scope'
  | 'invalid-expiry'
  | 'email-taken'
  | 'unknown-account'
  | 'unknown-key'
  | 'ambiguous-key'
  | 'key-not-active'
  | 'no-free-slot'
  | 'invalid-password'
  | 'wrong-password'
  | 'stale-link'
  | 'suspended'
  | 'too-many-attempts'
  | 'busy';

/** A refused change. The message is written for the person who requested it. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';
  readonly fault: AccountsFault;
  /** When the same request may succeed; null if it will not without a change. */
  readonly retryAfterSeconds: number | null;

  constructor(fault: AccountsFault, message: string, retryAfterSeconds: number | null = null) {
    super(message);
    this.fault = fault;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
