import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { SECOND_MS } from '../base/times.ts';
import type { Batch, Contract } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';
import { type ContractState, newState, shiftedTime, shiftTimesOf } from './contract-state.ts';
import { FIGURE_NAMES, newIndex, newInterest } from './figures.ts';
import { VenueFunding } from './funding/venue-funding.ts';
import { ROW_MAX_AGE_MS } from './interval.ts';
import { figureFault, topFault, volumeFault } from './limits.ts';
import { isNewTop } from './moved.ts';
import { Repetition } from './repetition.ts';

/** A top older than this is no leg of a spread and identifies no coin. */
export const TOP_MAX_AGE_MS = 120 * SECOND_MS;
const QUIET_TOPS = { leastMs: 30 * SECOND_MS, mostMs: TOP_MAX_AGE_MS };
/** A live connection proves that unchanged tops are valid, unless no top of the venue has changed for this long. */
const STREAM_FROZEN_AFTER_MS = ROW_MAX_AGE_MS;

/** What is remembered of a venue to tell news from repetitions. */
interface VenueNews {
  readonly funding: VenueFunding;
  readonly tops: Repetition;
  topMovedAtMs: number;
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
    this.#newsOf(venue).funding.take(states, batch, receivedAtMs);
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
      state.volumeCount = volume.volumeCount ?? volume.volume24hUsdt;
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

  /** Merges another process's values of a venue, where they are at least as new. Its clock may be ahead of this one. */
  learn(venue: Venue, states: readonly ContractState[], nowMs: number): void {
    const known = this.#venueStates(venue);
    for (const state of states) {
      shiftTimesOf(state, 0, nowMs);
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
    for (const state of this.states()) shiftTimesOf(state, byMs, nowMs);
    for (const news of this.#news.values()) {
      news.funding.shift(byMs);
      news.tops.shift(byMs);
      news.topMovedAtMs = shiftedTime(news.topMovedAtMs, byMs, nowMs);
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
    let news = this.#news.get(venue.slug);
    if (!news) {
      const funding = new VenueFunding(venue, (reason) => this.#quarantine(venue, reason), this.#log);
      news = { funding, tops: new Repetition(QUIET_TOPS), topMovedAtMs: 0 };
      this.#news.set(venue.slug, news);
    }
    return news;
  }

  #takeContracts(
    venue: Venue,
    states: Map<string, ContractState>,
    contracts: ReadonlyMap<string, Contract>,
    receivedAtMs: number,
  ): void {
    const { funding } = this.#newsOf(venue);
    for (const symbol of states.keys()) if (!contracts.has(symbol)) states.delete(symbol);
    for (const contract of contracts.values()) {
      const known = states.get(contract.venueSymbol);
      const state = known ?? newState(venue, contract);
      state.contract = contract;
      const { intervalHours } = contract;
      if (intervalHours !== null) funding.takeSchedule(state, { intervalHours }, receivedAtMs);
      if (!known) states.set(contract.venueSymbol, state);
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
    { marketFigures, isStreamed }: Batch,
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
        else if (name === 'openInterestUsdt')
          state.figures[name] = newInterest(
            state.figures[name],
            { value, atMs: receivedAtMs, count: row.openInterestCount },
            isStreamed ?? false,
          );
        else if (name === 'indexPrice')
          state.figures[name] = newIndex(state.figures[name], value, receivedAtMs);
        else state.figures[name] = { value, atMs: receivedAtMs };
      }
      if (row.isMarketClosed !== undefined && receivedAtMs >= (state.figures.marketClosed?.atMs ?? 0))
        state.figures.marketClosed = { value: row.isMarketClosed, atMs: receivedAtMs };
    }
  }
}
