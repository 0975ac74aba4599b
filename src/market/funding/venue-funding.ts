import type { Log } from '../../base/log.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { Batch } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import { type ContractState, takeNext } from '../contract-state.ts';
import { ALLOWED_INTERVALS_HOURS, GRACE_MS, ROW_MAX_AGE_MS } from '../interval.ts';
import { rateFault } from '../limits.ts';
import { hasMoved, newestTimeMs } from '../moved.ts';
import { Repetition } from '../repetition.ts';
import { ChargedRates, type WaitingSchedule } from './charged-rate.ts';

/** Venues compute rates once a minute or more often. */
const QUIET_RATES = { leastMs: 120 * SECOND_MS, mostMs: ROW_MAX_AGE_MS };

/** Takes rates, intervals and next settlements of one venue into the states of its contracts. */
export class VenueFunding {
  readonly #rates = new Repetition(QUIET_RATES);
  readonly #charged = new ChargedRates();
  readonly #venue: Venue;
  readonly #quarantine: (reason: string) => void;
  readonly #log: Log;

  constructor(venue: Venue, quarantine: (reason: string) => void, log: Log) {
    this.#venue = venue;
    this.#quarantine = quarantine;
    this.#log = log;
  }

  take(states: ReadonlyMap<string, ContractState>, batch: Batch, receivedAtMs: number): void {
    for (const { venueSymbol, ...schedule } of batch.fundingSchedules) {
      const state = states.get(venueSymbol);
      if (state) this.takeSchedule(state, schedule, receivedAtMs);
    }
    const { chargedRateShownSeconds: seconds, stampsEachRate } = this.#venue;
    const isNews = this.#rates.isNews(
      batch.fundingQuotes,
      hasMoved(batch, states),
      batch.fundingQuotes.every((quote) => quote.venueTimeMs !== null),
      receivedAtMs,
    );
    const newestMs = stampsEachRate ? newestTimeMs(batch.fundingQuotes) : null;
    for (const quote of batch.fundingQuotes) {
      const state = states.get(quote.venueSymbol);
      const atMs = receivedAtMs - (newestMs === null ? 0 : newestMs - (quote.venueTimeMs ?? newestMs));
      // A cache may answer with an older reply than the one before.
      if (!state || atMs < state.rateAtMs) continue;
      if (seconds !== undefined && this.#charged.isCharged(state, quote, seconds, atMs)) continue;
      const waiting = this.#charged.takeWaiting(state.key);
      const { intervalHours = waiting?.intervalHours, nextFundingAtMs = waiting?.nextFundingAtMs } = quote;
      if (intervalHours !== undefined) this.#takeInterval(state, intervalHours, receivedAtMs);
      const fault = rateFault(this.#venue, state.contract, quote.ratePct, state.intervalHours);
      if (fault) {
        this.#quarantine(fault);
        const { venueSymbol: symbol, ratePct } = quote;
        this.#log.warn({ venue: this.#venue.slug, symbol, ratePct, fault }, 'quarantined');
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

  takeSchedule(state: ContractState, schedule: WaitingSchedule, receivedAtMs: number): void {
    const { chargedRateShownSeconds: seconds } = this.#venue;
    if (seconds !== undefined && this.#charged.isWaiting(state, schedule, seconds, receivedAtMs)) return;
    const { intervalHours, nextFundingAtMs } = schedule;
    if (intervalHours !== undefined) this.#takeInterval(state, intervalHours, receivedAtMs);
    if (nextFundingAtMs !== undefined) takeNext(state, nextFundingAtMs, receivedAtMs);
  }

  /** The clock was set: the receive times that are remembered change with it. */
  shift(byMs: number): void {
    this.#rates.shift(byMs);
  }

  #takeInterval(state: ContractState, intervalHours: number | null, receivedAtMs: number): void {
    if (intervalHours !== null && !ALLOWED_INTERVALS_HOURS.includes(intervalHours)) {
      this.#quarantine('impossible interval');
      return;
    }
    if (state.intervalHours !== intervalHours) state.intervalSinceMs = receivedAtMs;
    state.intervalHours = intervalHours;
    state.intervalAtMs = receivedAtMs;
  }
}
