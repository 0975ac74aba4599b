import type { CreatedKey } from '../world/messages.ts';

/** Every key whose creation or revocation was confirmed. */
export class KeyBook {
  readonly #active: CreatedKey[] = [];
  readonly #revoked: CreatedKey[] = [];

  get active(): readonly CreatedKey[] {
    return this.#active;
  }

  get revoked(): readonly CreatedKey[] {
    return this.#revoked;
  }

  created(key: CreatedKey): void {
    this.#active.push(key);
  }

  /** A key that is about to be revoked: until that is confirmed, it may work or not. */
  withdraw(key: CreatedKey): void {
    const index = this.#active.indexOf(key);
    if (index >= 0) this.#active.splice(index, 1);
  }

  confirmRevoked(key: CreatedKey): void {
    this.#revoked.push(key);
  }

  /** Checks the status of an answer to a request with the key. */
  violations(key: CreatedKey, status: number): string[] {
    if (this.#active.includes(key) && status === 401) return [`lost key: ${key.keyId} is refused`];
    if (this.#revoked.includes(key) && status !== 401)
      return [`lost revocation: ${key.keyId} is answered with ${status}`];
    return [];
  }
}
