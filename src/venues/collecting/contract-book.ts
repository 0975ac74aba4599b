import type { Clock } from '../../base/clock.ts';
import { MINUTE_MS } from '../../base/times.ts';
import type { Contract, ContractList } from '../observations.ts';
import { BadReply } from '../reading.ts';

/** A list shorter than this share of the last one is more likely a fault than a mass delisting. */
const SHORT_SHARE = 0.5;
/** A short list is accepted if it persists for this long. */
const ACCEPT_SHORT_AFTER_MS = 30 * MINUTE_MS;

/** The contracts that a venue lists, from the last good list of each of its parts. */
export class ContractBook {
  readonly contracts = new Map<string, Contract>();
  readonly #clock: Clock;
  readonly #parts = new Map<string, readonly Contract[]>();
  readonly #shortSinceMs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Replaces the list of one part. Throws if the list cannot be complete. */
  replace(list: ContractList): void {
    const before = this.#parts.get(list.part)?.length ?? 0;
    if (list.contracts.length === 0 && before > 0)
      throw new BadReply(`the ${list.part} list is empty, it had ${before}`);
    if (list.contracts.length < before * SHORT_SHARE) {
      const sinceMs = this.#shortSinceMs.get(list.part) ?? this.#clock.monotonicMs();
      this.#shortSinceMs.set(list.part, sinceMs);
      if (this.#clock.monotonicMs() - sinceMs < ACCEPT_SHORT_AFTER_MS) {
        throw new BadReply(`the ${list.part} list has ${list.contracts.length} contracts, it had ${before}`);
      }
    }
    this.#shortSinceMs.delete(list.part);
    this.#parts.set(list.part, list.contracts);
    this.contracts.clear();
    for (const contracts of this.#parts.values()) {
      for (const contract of contracts) this.contracts.set(contract.venueSymbol, contract);
    }
  }
}
