import { LRUCache } from 'lru-cache';
import { TimeBudget } from './time-budget.ts';

/** The address, key or account whose budget a request uses. */
export interface Payer {
  readonly isAccount: boolean;
  readonly budget: TimeBudget;
  /** What its last requests took on average. */
  meanMs: number;
  /** Requests that have been started and have no answer yet. */
  running: number;
}

/** Some 5 MB. Whoever is dropped starts again with a full budget; the budget of all visitors still holds. */
export const MOST_PAYERS = 20_000;
/** The share of the newest request in the average. */
const NEWEST_SHARE = 0.2;

export interface PayerLimits {
  /** Milliseconds of computing in a second, for each address without an account. 0 is no limit. */
  visitorMsPerSecond: number;
  /** The same for each key, and for each account with its pages and assistants. */
  accountMsPerSecond: number;
}

/** Everyone who has sent requests lately, the least recent ones dropped first. */
export class Payers {
  readonly #limits: PayerLimits;
  readonly #known = new LRUCache<string, Payer>({ max: MOST_PAYERS });

  constructor(limits: PayerLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#known.size;
  }

  account(name: string, nowMs: number): Payer {
    return this.#of(`account ${name}`, true, nowMs);
  }

  /** `group`: one IPv4 address or the /64 of an IPv6 address. */
  visitor(group: string, nowMs: number): Payer {
    return this.#of(`visitor ${group}`, false, nowMs);
  }

  #of(name: string, isAccount: boolean, nowMs: number): Payer {
    let payer = this.#known.get(name);
    if (!payer) {
      const { visitorMsPerSecond, accountMsPerSecond } = this.#limits;
      const budget = new TimeBudget(isAccount ? accountMsPerSecond : visitorMsPerSecond, nowMs);
      payer = { isAccount, budget, meanMs: 0, running: 0 };
      this.#known.set(name, payer);
    }
    return payer;
  }
}

export function noteMean(payer: Payer, ms: number): void {
  payer.meanMs += (ms - payer.meanMs) * NEWEST_SHARE;
}
