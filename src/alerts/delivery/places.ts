/** Endpoints that are served at the same time: of all accounts, of those that pay nothing, and of one. */
const MAX_PLACES = 256;
const MAX_FREE_PLACES = 128;
export const MAX_PLACES_OF_ACCOUNT = 4;

interface Held {
  count: number;
  isFree: boolean;
}

/**
 * The places in which endpoints are served. A receiver that is slow to answer holds its place, so one account, and all free
 * accounts together, have only so many.
 */
export class Places {
  readonly #isFree: (accountId: string) => boolean;
  readonly #held = new Map<string, Held>();
  #all = 0;
  #free = 0;

  constructor(isFree: (accountId: string) => boolean) {
    this.#isFree = isFree;
  }

  /** False if there is no place for this account now. */
  take(accountId: string): boolean {
    if (this.#all >= MAX_PLACES) return false;
    const held = this.#held.get(accountId) ?? { count: 0, isFree: this.#isFree(accountId) };
    if (held.count >= MAX_PLACES_OF_ACCOUNT || (held.isFree && this.#free >= MAX_FREE_PLACES)) return false;
    held.count++;
    this.#held.set(accountId, held);
    this.#all++;
    if (held.isFree) this.#free++;
    return true;
  }

  leave(accountId: string): void {
    const held = this.#held.get(accountId);
    if (!held) return;
    held.count--;
    if (held.count === 0) this.#held.delete(accountId);
    this.#all--;
    if (held.isFree) this.#free--;
  }
}
