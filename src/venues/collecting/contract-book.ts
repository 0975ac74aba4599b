import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Contract, ContractList } from '../observations.ts';
import { BadReply } from '../reading.ts';

/** A list shorter than this share of the last one is more likely a fault than a mass delisting. */
const SHORT_SHARE = 0.5;
/** Such a list is accepted if it persists for this long. */
const ACCEPT_SHORT_AFTER_MS = 30 * MINUTE_MS;
/** A list this much shorter may be incomplete: what it lacks is held until further lists confirm it. */
const HELD_SHARE = 0.3;
const CONFIRMING_LISTS = 2;

interface Held {
  missing: ReadonlySet<string>;
  confirmations: number;
}

/** The contracts that a venue lists, from the last good list of each of its parts. */
export class ContractBook {
  readonly contracts = new Map<string, Contract>();
  readonly #clock: Clock;
  readonly #parts = new Map<string, readonly Contract[]>();
  readonly #shortSinceMs = new Map<string, number>();
  readonly #held = new Map<string, Held>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Replaces the list of one part, and returns it as it is to be used: with the contracts that it lacks, while they are
   * held. Throws if the list cannot be complete.
   */
  replace(list: ContractList): ContractList {
    const before = this.#parts.get(list.part) ?? [];
    if (list.contracts.length === 0 && before.length > 0)
      throw new BadReply(`the ${list.part} list is empty, it had ${before.length}`);
    const missing = this.#unexplained(list, before);
    const isIncomplete = missing.length >= before.length * HELD_SHARE && missing.length > 0;
    if (isIncomplete && list.contracts.length < before.length * SHORT_SHARE)
      this.#refuseWhileNew(list, before.length);
    else this.#shortSinceMs.delete(list.part);
    const isHeld =
      isIncomplete &&
      !this.#shortSinceMs.has(list.part) &&
      list.contracts.length <= before.length * (1 - HELD_SHARE) &&
      !this.#isConfirmed(list.part, missing);
    if (!isHeld) this.#held.delete(list.part);
    this.#shortSinceMs.delete(list.part);
    const used = isHeld ? { ...list, contracts: [...list.contracts, ...missing] } : list;
    this.#parts.set(list.part, used.contracts);
    this.contracts.clear();
    for (const contracts of this.#parts.values()) {
      for (const contract of contracts) this.contracts.set(contract.venueSymbol, contract);
    }
    return used;
  }

  /** The contracts that the list lacks although nothing in the last one announced their end. */
  #unexplained(list: ContractList, before: readonly Contract[]): Contract[] {
    const listed = new Set(list.contracts.map(({ venueSymbol }) => venueSymbol));
    return before.filter(
      ({ venueSymbol, status, delistsAtMs }) =>
        !listed.has(venueSymbol) && status !== 'delisting' && status !== 'delisted' && delistsAtMs === null,
    );
  }

  #refuseWhileNew({ part, contracts }: ContractList, before: number): void {
    const nowMs = this.#clock.monotonicMs();
    const sinceMs = this.#shortSinceMs.get(part) ?? nowMs;
    this.#shortSinceMs.set(part, sinceMs);
    if (nowMs - sinceMs < ACCEPT_SHORT_AFTER_MS)
      throw new BadReply(`the ${part} list has ${contracts.length} contracts, it had ${before}`);
  }

  /** Counts the lists that lack the same contracts. */
  #isConfirmed(part: string, missing: readonly Contract[]): boolean {
    const held = this.#held.get(part);
    const isSame =
      held?.missing.size === missing.length &&
      missing.every(({ venueSymbol }) => held.missing.has(venueSymbol));
    const confirmations = isSame ? held.confirmations + 1 : 0;
    this.#held.set(part, {
      missing: new Set(missing.map(({ venueSymbol }) => venueSymbol)),
      confirmations,
    });
    return confirmations >= CONFIRMING_LISTS;
  }
}
