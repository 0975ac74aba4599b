import { HOUR_MS } from '../base/times.ts';
import type { BookTop, Contract } from '../venues/observations.ts';
import type { Venue } from '../venues/venue.ts';
import type { LatestFigures } from './figures.ts';
import { provenAfter, type Roll } from './interval.ts';

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
  /** The last interval that two consecutive settlements proved; kept over restarts. */
  provenIntervalHours: number | null;
  intervalHours: number | null;
  intervalAtMs: number;
  /** Since when the venue has stated this interval. */
  intervalSinceMs: number;
  top: BookTop | null;
  topAtMs: number;
  volume24hUsdt: number | null;
  /** The figure of the venue that the volume is made from; the volume itself where that is in dollars. */
  volumeCount: number | null;
  referencePrice: number | null;
  /** Absent while the venue has sent none. */
  figures?: LatestFigures;
}

export function newState(venue: Venue, contract: Contract): ContractState {
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
    provenIntervalHours: null,
    intervalHours: null,
    intervalAtMs: 0,
    intervalSinceMs: 0,
    top: null,
    topAtMs: 0,
    volume24hUsdt: null,
    volumeCount: null,
    referencePrice: null,
  };
}

/** Changes all receive times of a state by so much; none is later than now afterwards. */
export function shiftTimesOf(state: ContractState, byMs: number, nowMs: number): void {
  const shifted = (timeMs: number) => shiftedTime(timeMs, byMs, nowMs);
  state.rateAtMs = shifted(state.rateAtMs);
  state.rateReceivedAtMs = shifted(state.rateReceivedAtMs);
  state.nextSinceMs = shifted(state.nextSinceMs);
  state.rolls = state.rolls.map((roll) => ({ ...roll, atMs: shifted(roll.atMs) }));
  state.intervalAtMs = shifted(state.intervalAtMs);
  state.intervalSinceMs = shifted(state.intervalSinceMs);
  state.topAtMs = shifted(state.topAtMs);
  const { figures } = state;
  if (!figures) return;
  // Copies of the market share the figures, so these are replaced.
  const { markPrice, indexPrice, marketClosed } = figures;
  if (markPrice) figures.markPrice = { ...markPrice, atMs: shifted(markPrice.atMs) };
  if (indexPrice)
    figures.indexPrice = {
      ...indexPrice,
      ...{ atMs: shifted(indexPrice.atMs), sinceMs: shifted(indexPrice.sinceMs) },
    };
  if (marketClosed) figures.marketClosed = { ...marketClosed, atMs: shifted(marketClosed.atMs) };
  const interest = figures.openInterestUsdt;
  if (!interest) return;
  const { otherSource } = interest;
  figures.openInterestUsdt = {
    ...{ ...interest, atMs: shifted(interest.atMs) },
    ...(otherSource ? { otherSource: { ...otherSource, atMs: shifted(otherSource.atMs) } } : {}),
  };
}

/** 0 means that there was none. */
export function shiftedTime(timeMs: number, byMs: number, nowMs: number): number {
  return timeMs === 0 ? 0 : Math.min(timeMs + byMs, nowMs);
}

/**
 * Takes the next settlement that the venue states. It moves forward when a settlement passes, which makes a roll. By our
 * clock that settlement may lie ahead, if the two clocks differ: then a step of the known interval shows that it has passed.
 */
export function takeNext(state: ContractState, nextFundingAtMs: number | null, receivedAtMs: number): void {
  const before = state.nextFundingAtMs;
  if (nextFundingAtMs === before) return;
  if (before !== null && nextFundingAtMs !== null && nextFundingAtMs > before) {
    const hasPassed = before <= receivedAtMs || nextFundingAtMs - before === knownIntervalMs(state);
    const [last] = state.rolls.filter((roll) => roll.fromMs < before);
    const roll = { fromMs: before, toMs: nextFundingAtMs, atMs: receivedAtMs };
    if (hasPassed) {
      state.rolls = last ? [roll, last] : [roll];
      state.provenIntervalHours = provenAfter(roll, state.provenIntervalHours);
    }
  }
  state.nextFundingAtMs = nextFundingAtMs;
  state.nextSinceMs = receivedAtMs;
}

/** As the venue states it, otherwise the gap between the last two settlements. */
function knownIntervalMs({ intervalHours, rolls: [last] }: ContractState): number | null {
  if (intervalHours !== null) return intervalHours * HOUR_MS;
  return last ? last.toMs - last.fromMs : null;
}
