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
  | 'too-many-attempts';

/** A refused change. The message is written for the person who requested it. */
export class AccountsError extends Error {
  override readonly name = 'AccountsError';
  readonly fault: AccountsFault;

  constructor(fault: AccountsFault, message: string) {
    super(message);
    this.fault = fault;
  }
}
