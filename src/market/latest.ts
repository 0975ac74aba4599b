import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { SECOND_MS } from '../base/times.ts';
import type { Batch, BookTop, Contract } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';
import { ChargedRates, type WaitingSchedule } from './charged-rate.ts';
import { FIGURE_NAMES, type LatestFigures } from './figures.ts';
import { ALLOWED_INTERVALS_HOURS, GRACE_MS, ROW_MAX_AGE_MS, type Roll } from './interval.ts';
import { figureFault, rateFault, topFault, volumeFault } from './limits.ts';
import { hasMoved, isNewTop, newestTimeMs } from './moved.ts';
import { Repetition } from './repetition.ts';

/** The newest values of one contract. Times are receive times, except those with `venue` in their name. */
export interface ContractState {
  /** `exchange/venueSymbol`: unique over all venues. */
  key: string;
  venue: Venue;
  contract: Contract;
  ratePct: number | null;
  /** The age of the rate counts from here. */
  rateAtMs: number;
  /** When the venue last sent a rate of this contract in a reply that was news, even if the row itself stands still. */
  rateReceivedAtMs: number;
  rateVenueTimeMs: number | null;
  nextFundingAtMs: number | null;
  /** When this next settlement was first stated. */
  nextSinceMs: number;
  /** The last two settlements that we saw pass, newest first. */
  rolls: readonly Roll[];
  intervalHours: number | null;
  intervalAtMs: number;
  /** Since when the venue has stated this interval. */
  intervalSinceMs: number;
  top: BookTop | null;
  topAtMs: number;
  volume24hUsdt: number | null;
  referencePrice: number | null;
  /** Absent while the venue has sent none. */
  figures?: LatestFigures;
}

/** A top older than this is no leg of a spread and identifies no coin. */
export const TOP_MAX_AGE_MS = 120 * SECOND_MS;
/** Venues compute rates once a minute or more often. */
const QUIET_RATES = { leastMs: 120 * SECOND_MS, mostMs: ROW_MAX_AGE_MS };
const QUIET_TOPS = { leastMs: 30 * SECOND_MS, mostMs: TOP_MAX_AGE_MS };
/** A live connection proves that unchanged tops are valid, unless no top of the venue has changed for this long. */
const STREAM_FROZEN_AFTER_MS = ROW_MAX_AGE_MS;

/** What is remembered of a venue to tell news from repetitions. */
class VenueNews {
  readonly rates = new Repetition(QUIET_RATES);
  readonly tops = new Repetition(QUIET_TOPS);
  readonly charged = new ChargedRates();
  topMovedAtMs = 0;
}

/** Keeps the newest observations of every contract, and quarantines impossible ones. */
export class LatestMarket {
  readonly #states = new Map<string, Map<string, ContractState>>();
  readonly #news = new Map<string, VenueNews>();
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
    this.#takeTops(venue, states, batch, receivedAtMs);
    for (const volume of batch.dayVolumes) {
      const state = states.get(volume.venueSymbol);
      const fault = state && volumeFault(volume);
      if (!state) continue;
      if (fault) {
        this.#quarantine(venue, fault);
        continue;
      }
      state.volume24hUsdt = volume.volume24hUsdt;
      state.referencePrice = volume.referencePrice ?? state.referencePrice;
    }
    this.#takeFigures(venue, states, batch, receivedAtMs);
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

  /**
   * The clock was set: receive times change with it, so that every value keeps its age. A value received after the step,
   * before it was noticed, has the new time already and gets no later one.
   */
  shiftTimes(byMs: number, nowMs: number): void {
    const shifted = (timeMs: number) => (timeMs === 0 ? 0 : Math.min(timeMs + byMs, nowMs));
    for (const state of this.states()) {
      state.rateAtMs = shifted(state.rateAtMs);
      state.rateReceivedAtMs = shifted(state.rateReceivedAtMs);
      state.nextSinceMs = shifted(state.nextSinceMs);
      state.rolls = state.rolls.map((roll) => ({ ...roll, atMs: shifted(roll.atMs) }));
      state.intervalAtMs = shifted(state.intervalAtMs);
      state.intervalSinceMs = shifted(state.intervalSinceMs);
      state.topAtMs = shifted(state.topAtMs);
      for (const figure of Object.values(state.figures ?? {})) figure.atMs = shifted(figure.atMs);
    }
    for (const news of this.#news.values()) {
      news.rates.shift(byMs);
      news.tops.shift(byMs);
      news.topMovedAtMs = shifted(news.topMovedAtMs);
    }
  }

  forget(venue: Venue): void {
    this.#states.delete(venue.slug);
    this.#news.delete(venue.slug);
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

  #newsOf(venue: Venue): VenueNews {
    const news = this.#news.get(venue.slug) ?? new VenueNews();
    this.#news.set(venue.slug, news);
    return news;
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
      const { intervalHours } = contract;
      if (intervalHours !== null) this.#takeSchedule(state, { intervalHours }, receivedAtMs);
      if (!known) states.set(contract.venueSymbol, state);
    }
  }

  #takeFunding(venue: Venue, states: Map<string, ContractState>, batch: Batch, receivedAtMs: number): void {
    for (const { venueSymbol, ...schedule } of batch.fundingSchedules) {
      const state = states.get(venueSymbol);
      if (state) this.#takeSchedule(state, schedule, receivedAtMs);
    }
    const news = this.#newsOf(venue);
    const isNews = news.rates.isNews(
      batch.fundingQuotes,
      hasMoved(batch, states),
      batch.fundingQuotes.every((quote) => quote.venueTimeMs !== null),
      receivedAtMs,
    );
    const newestMs = venue.stampsEachRate ? newestTimeMs(batch.fundingQuotes) : null;
    for (const quote of batch.fundingQuotes) {
      const state = states.get(quote.venueSymbol);
      const atMs = receivedAtMs - (newestMs === null ? 0 : newestMs - (quote.venueTimeMs ?? newestMs));
      // A cache may answer with an older reply than the one before.
      if (!state || atMs < state.rateAtMs) continue;
      const { chargedRateShownSeconds: seconds } = venue;
      if (seconds !== undefined && news.charged.isCharged(state, quote, seconds, atMs)) continue;
      const waiting = news.charged.takeWaiting(state.key);
      const { intervalHours = waiting?.intervalHours, nextFundingAtMs = waiting?.nextFundingAtMs } = quote;
      if (intervalHours !== undefined) this.#takeInterval(state, intervalHours, receivedAtMs);
      const fault = rateFault(venue, quote.ratePct, state.intervalHours);
      if (fault) {
        this.#quarantine(venue, fault);
        this.#log.warn(
          { venue: venue.slug, symbol: quote.venueSymbol, ratePct: quote.ratePct, fault },
          'quarantined',
        );
        continue;
      }
      if (nextFundingAtMs !== undefined) takeNext(state, nextFundingAtMs, receivedAtMs);
      state.ratePct = quote.ratePct;
      state.rateVenueTimeMs = quote.venueTimeMs;
      // A rate for a settlement that has passed is that of a row that stands still.
      const isPast = state.nextFundingAtMs !== null && state.nextFundingAtMs <= atMs - GRACE_MS;
      if (isNews) state.rateReceivedAtMs = receivedAtMs;
      if (isNews && !isPast) state.rateAtMs = atMs;
    }
  }

  #takeTops(venue: Venue, states: Map<string, ContractState>, batch: Batch, receivedAtMs: number): void {
    const { bookTops, isStreamed } = batch;
    if (bookTops.length === 0) return;
    const news = this.#newsOf(venue);
    const hasMovedTop = bookTops.some((top) => isNewTop(top, states));
    if (hasMovedTop) news.topMovedAtMs = receivedAtMs;
    const isNews = isStreamed
      ? receivedAtMs - news.topMovedAtMs <= STREAM_FROZEN_AFTER_MS
      : news.tops.isNews(
          bookTops,
          hasMovedTop,
          bookTops.every((top) => top.venueTimeMs !== null),
          receivedAtMs,
        );
    for (const top of bookTops) {
      const state = states.get(top.venueSymbol);
      if (!state || receivedAtMs < state.topAtMs) continue;
      const fault = topFault(top);
      if (fault) {
        this.#quarantine(venue, fault);
        continue;
      }
      state.top = top;
      if (isNews) state.topAtMs = receivedAtMs;
    }
  }

  /** Each figure is judged on its own: an impossible open interest does not cost the mark price beside it. */
  #takeFigures(
    venue: Venue,
    states: Map<string, ContractState>,
    { marketFigures }: Batch,
    receivedAtMs: number,
  ): void {
    for (const row of marketFigures) {
      const state = states.get(row.venueSymbol);
      if (!state) continue;
      state.figures ??= {};
      for (const name of FIGURE_NAMES) {
        const value = row[name];
        if (value === null || receivedAtMs < (state.figures[name]?.atMs ?? 0)) continue;
        const fault = figureFault(name, value);
        if (fault) this.#quarantine(venue, fault);
        else state.figures[name] = { value, atMs: receivedAtMs };
      }
    }
  }

  #takeSchedule(state: ContractState, schedule: WaitingSchedule, receivedAtMs: number): void {
    const { venue } = state;
    const { chargedRateShownSeconds: seconds } = venue;
    if (
      seconds !== undefined &&
      this.#newsOf(venue).charged.isWaiting(state, schedule, seconds, receivedAtMs)
    )
      return;
    const { intervalHours, nextFundingAtMs } = schedule;
    if (intervalHours !== undefined) this.#takeInterval(state, intervalHours, receivedAtMs);
    if (nextFundingAtMs !== undefined) takeNext(state, nextFundingAtMs, receivedAtMs);
  }

  #takeInterval(state: ContractState, intervalHours: number | null, receivedAtMs: number): void {
    if (intervalHours !== null && !ALLOWED_INTERVALS_HOURS.includes(intervalHours)) {
      this.#quarantine(state.venue, 'impossible interval');
      return;
    }
    if (state.intervalHours !== intervalHours) state.intervalSinceMs = receivedAtMs;
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
    rateReceivedAtMs: 0,
    rateVenueTimeMs: null,
    nextFundingAtMs: null,
    nextSinceMs: 0,
    rolls: [],
    intervalHours: null,
    intervalAtMs: 0,
    intervalSinceMs: 0,
    top: null,
    topAtMs: 0,
    volume24hUsdt: null,
    referencePrice: null,
  };
}

function takeNext(state: ContractState, nextFundingAtMs: number | null, receivedAtMs: number): void {
  const before = state.nextFundingAtMs;
  if (nextFundingAtMs === before) return;
  if (before !== null && nextFundingAtMs !== null && nextFundingAtMs > before && before <= receivedAtMs) {
    const [last] = state.rolls.filter((roll) => roll.fromMs < before);
    const roll = { fromMs: before, toMs: nextFundingAtMs, atMs: receivedAtMs };
    state.rolls = last ? [roll, last] : [roll];
  }
  state.nextFundingAtMs = nextFundingAtMs;
  state.nextSinceMs = receivedAtMs;
}
