import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Batch, BookTop, Contract, FundingQuote } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';
import { ALLOWED_INTERVALS_HOURS } from './interval.ts';

/** The newest values of one contract. Times are receive times, except those with `venue` in their name. */
export interface ContractState {
  /** `exchange/venueSymbol`: unique over all venues. */
  key: string;
  venue: Venue;
  contract: Contract;
  ratePct: number | null;
  rateAtMs: number;
  rateVenueTimeMs: number | null;
  nextFundingAtMs: number | null;
  rolledFromMs: number | null;
  rolledAtMs: number;
  intervalHours: number | null;
  intervalAtMs: number;
  top: BookTop | null;
  topAtMs: number;
  volume24hUsdt: number | null;
  referencePrice: number | null;
}

/** A rate above this is a unit mistake: the highest cap at any venue is 4 % an hour. */
const MAX_RATE_PCT_PER_HOUR = 4;
const ASSUMED_HOURS_FOR_CAP = 8;
/** A reply of fewer rows may repeat by chance; a reply about a whole venue cannot. */
const FROZEN_CHECK_ROWS = 10;

/** Keeps the newest observations of every contract, and quarantines impossible ones. */
export class LatestMarket {
  readonly #states = new Map<string, Map<string, ContractState>>();
  readonly #quarantined = new Map<string, Map<string, number>>();
  readonly #metrics: Metrics;
  readonly #log: Log;

  constructor(metrics: Metrics, log: Log) {
    this.#metrics = metrics;
    this.#log = log;
  }

  accept(venue: Venue, batch: Batch, receivedAtMs: number, contracts: ReadonlyMap<string, Contract>): void {
    const states = this.#venueStates(venue);
    if (batch.contractList) this.#takeContracts(venue, states, contracts, receivedAtMs);
    this.#takeFunding(venue, states, batch, receivedAtMs);
    this.#takeTops(states, batch.bookTops, receivedAtMs);
    for (const { venueSymbol, volume24hUsdt, referencePrice } of batch.dayVolumes) {
      const state = states.get(venueSymbol);
      if (!state) continue;
      state.volume24hUsdt = volume24hUsdt;
      state.referencePrice = referencePrice ?? state.referencePrice;
    }
  }

  states(): ContractState[] {
    return [...this.#states.values()].flatMap((states) => [...states.values()]);
  }

  statesOf(venue: Venue): ContractState[] {
    return [...(this.#states.get(venue.slug)?.values() ?? [])];
  }

  stateOf(venue: Venue, venueSymbol: string): ContractState | undefined {
    return this.#states.get(venue.slug)?.get(venueSymbol);
  }

  /** Merges another process's values of a venue, where they are at least as new. */
  learn(venue: Venue, states: readonly ContractState[]): void {
    const known = this.#venueStates(venue);
    for (const state of states) {
      const { venueSymbol } = state.contract;
      const held = known.get(venueSymbol);
      if (!held || Math.max(state.rateAtMs, state.topAtMs) >= Math.max(held.rateAtMs, held.topAtMs))
        known.set(venueSymbol, state);
    }
  }

  forget(venue: Venue): void {
    this.#states.delete(venue.slug);
  }

  volumeOf(venue: Venue, venueSymbol: string): number {
    return this.#states.get(venue.slug)?.get(venueSymbol)?.volume24hUsdt ?? 0;
  }

  /** Number of the venue's values rejected since the start, by reason. */
  quarantined(venue: Venue): Record<string, number> {
    return Object.fromEntries(this.#quarantined.get(venue.slug) ?? []);
  }

  #quarantine(venue: Venue, reason: string): void {
    const reasons = this.#quarantined.get(venue.slug) ?? new Map<string, number>();
    this.#quarantined.set(venue.slug, reasons);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    this.#metrics.rowsQuarantined.inc({ venue: venue.slug, reason });
  }

  #venueStates(venue: Venue): Map<string, ContractState> {
    let states = this.#states.get(venue.slug);
    if (!states) {
      states = new Map();
      this.#states.set(venue.slug, states);
    }
    return states;
  }

  #takeContracts(
    venue: Venue,
    states: Map<string, ContractState>,
    contracts: ReadonlyMap<string, Contract>,
    receivedAtMs: number,
  ): void {
    for (const symbol of states.keys()) if (!contracts.has(symbol)) states.delete(symbol);
    for (const contract of contracts.values()) {
      const known = states.get(contract.venueSymbol);
      const state = known ?? newState(venue, contract);
      state.contract = contract;
      if (contract.intervalHours !== null) this.#takeInterval(state, contract.intervalHours, receivedAtMs);
      if (!known) states.set(contract.venueSymbol, state);
    }
  }

  #takeFunding(venue: Venue, states: Map<string, ContractState>, batch: Batch, receivedAtMs: number): void {
    for (const { venueSymbol, intervalHours, nextFundingAtMs } of batch.fundingSchedules) {
      const state = states.get(venueSymbol);
      if (!state) continue;
      if (intervalHours !== undefined) this.#takeInterval(state, intervalHours, receivedAtMs);
      if (nextFundingAtMs !== undefined) takeNext(state, nextFundingAtMs, receivedAtMs);
    }
    const isFrozen = isRepetition(batch.fundingQuotes, (quote) => {
      const state = states.get(quote.venueSymbol);
      return (
        state !== undefined &&
        state.ratePct === quote.ratePct &&
        state.rateVenueTimeMs === quote.venueTimeMs &&
        quote.venueTimeMs !== null
      );
    });
    for (const quote of batch.fundingQuotes) {
      const state = states.get(quote.venueSymbol);
      if (!state) continue;
      if (quote.intervalHours !== undefined) this.#takeInterval(state, quote.intervalHours, receivedAtMs);
      const fault = rateFault(quote, state.intervalHours);
      if (fault) {
        this.#quarantine(venue, fault);
        this.#log.warn(
          { venue: venue.slug, symbol: quote.venueSymbol, ratePct: quote.ratePct, fault },
          'quarantined',
        );
        continue;
      }
      state.ratePct = quote.ratePct;
      state.rateVenueTimeMs = quote.venueTimeMs;
      if (!isFrozen) state.rateAtMs = receivedAtMs;
      if (quote.nextFundingAtMs !== undefined) takeNext(state, quote.nextFundingAtMs, receivedAtMs);
    }
  }

  #takeTops(states: Map<string, ContractState>, tops: readonly BookTop[], receivedAtMs: number): void {
    const isFrozen = isRepetition(tops, (top) => {
      const known = states.get(top.venueSymbol)?.top;
      return known !== undefined && known !== null && sameTop(known, top);
    });
    for (const top of tops) {
      const state = states.get(top.venueSymbol);
      if (!state) continue;
      state.top = top;
      if (!isFrozen) state.topAtMs = receivedAtMs;
    }
  }

  #takeInterval(state: ContractState, intervalHours: number | null, receivedAtMs: number): void {
    if (intervalHours !== null && !ALLOWED_INTERVALS_HOURS.includes(intervalHours)) {
      this.#quarantine(state.venue, 'impossible interval');
      return;
    }
    state.intervalHours = intervalHours;
    state.intervalAtMs = receivedAtMs;
  }
}

function newState(venue: Venue, contract: Contract): ContractState {
  return {
    key: `${venue.facts.exchange}/${contract.venueSymbol}`,
    venue,
    contract,
    ratePct: null,
    rateAtMs: 0,
    rateVenueTimeMs: null,
    nextFundingAtMs: null,
    rolledFromMs: null,
    rolledAtMs: 0,
    intervalHours: null,
    intervalAtMs: 0,
    top: null,
    topAtMs: 0,
    volume24hUsdt: null,
    referencePrice: null,
  };
}

function takeNext(state: ContractState, nextFundingAtMs: number | null, receivedAtMs: number): void {
  const before = state.nextFundingAtMs;
  if (before !== null && nextFundingAtMs !== null && nextFundingAtMs > before && before <= receivedAtMs) {
    state.rolledFromMs = before;
    state.rolledAtMs = receivedAtMs;
  }
  state.nextFundingAtMs = nextFundingAtMs;
}

function rateFault(quote: FundingQuote, intervalHours: number | null): string | null {
  const perHour = Math.abs(quote.ratePct) / (intervalHours ?? ASSUMED_HOURS_FOR_CAP);
  return perHour > MAX_RATE_PCT_PER_HOUR ? 'rate above 4 % an hour' : null;
}

/** True if a bulk reply repeats the previous one in every row: then it does not count as new data. */
function isRepetition<T>(rows: readonly T[], isSame: (row: T) => boolean): boolean {
  return rows.length >= FROZEN_CHECK_ROWS && rows.every(isSame);
}

function sameTop(a: BookTop, b: BookTop): boolean {
  return (
    a.bidPrice === b.bidPrice &&
    a.askPrice === b.askPrice &&
    a.bidSize === b.bidSize &&
    a.askSize === b.askSize &&
    a.venueTimeMs === b.venueTimeMs
  );
}
