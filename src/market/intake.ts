import type { Batch, Contract } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';
import type { ContractState } from './contract-state.ts';
import type { LatestMarket } from './latest.ts';

/** The last contract list of one part of a venue, and when it was received. */
export interface ListedPart {
  part: string;
  contracts: readonly Contract[];
  atMs: number;
}

/** A contract's newest values; the contract itself is in the list of its part. */
export type ContractValues = Omit<ContractState, 'key' | 'venue' | 'contract'> & { venueSymbol: string };

/** The full state of a venue, for a process that takes it over. */
export interface VenueKnowledge {
  parts: readonly ListedPart[];
  values: readonly ContractValues[];
}

/**
 * Feeds observations into the market, whichever process collects them. The parts of a venue's list are merged here and
 * not by the collector: a new collector sends its first part before it has read the others, which must not vanish.
 */
export class MarketIntake {
  readonly #market: LatestMarket;
  readonly #parts = new Map<string, Map<string, ListedPart>>();
  readonly #contracts = new Map<string, ReadonlyMap<string, Contract>>();

  constructor(market: LatestMarket) {
    this.#market = market;
  }

  contractsOf(venue: Venue): ReadonlyMap<string, Contract> {
    return this.#contracts.get(venue.slug) ?? new Map();
  }

  accept(venue: Venue, batch: Batch, receivedAtMs: number): void {
    if (batch.contractList) {
      const { part, contracts } = batch.contractList;
      this.#setPart(venue, { part, contracts, atMs: receivedAtMs });
    }
    this.#market.accept(venue, batch, receivedAtMs, this.contractsOf(venue));
  }

  knowledgeOf(venue: Venue): VenueKnowledge {
    const values = this.#market.statesOf(venue).map(({ key: _key, venue: _venue, contract, ...rest }) => ({
      ...rest,
      venueSymbol: contract.venueSymbol,
    }));
    return { parts: [...(this.#parts.get(venue.slug)?.values() ?? [])], values };
  }

  learn(venue: Venue, { parts, values }: VenueKnowledge, nowMs: number): void {
    for (const part of parts) {
      const held = this.#parts.get(venue.slug)?.get(part.part);
      if (!held || held.atMs <= part.atMs) this.#setPart(venue, part);
    }
    const contracts = this.contractsOf(venue);
    const states = values.flatMap(({ venueSymbol, ...rest }): ContractState[] => {
      const contract = contracts.get(venueSymbol);
      const key = `${venue.facts.exchange}/${venueSymbol}`;
      return contract ? [{ key, venue, contract, ...rest }] : [];
    });
    this.#market.learn(venue, states, nowMs);
  }

  /** The clock was set: see LatestMarket. */
  shiftTimes(byMs: number, nowMs: number): void {
    for (const parts of this.#parts.values())
      for (const [name, part] of parts) parts.set(name, { ...part, atMs: Math.min(part.atMs + byMs, nowMs) });
    this.#market.shiftTimes(byMs, nowMs);
  }

  forget(venue: Venue): void {
    this.#parts.delete(venue.slug);
    this.#contracts.delete(venue.slug);
    this.#market.forget(venue);
  }

  #setPart(venue: Venue, listed: ListedPart): void {
    const parts = this.#parts.get(venue.slug) ?? new Map<string, ListedPart>();
    this.#parts.set(venue.slug, parts);
    parts.set(listed.part, listed);
    const contracts = new Map<string, Contract>();
    for (const { contracts: some } of parts.values())
      for (const contract of some) contracts.set(contract.venueSymbol, contract);
    this.#contracts.set(venue.slug, contracts);
  }
}
