import { median } from '../src/base/numbers.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../src/base/times.ts';
import type { ContractState } from '../src/market/contract-state.ts';
import { DOLLAR_QUOTES, priceOf } from '../src/market/freeze.ts';
import { rateFault } from '../src/market/limits.ts';
import type { Look, VenueLook } from './look.ts';

/** The highest cap at any venue, in percent an hour: a rate above it is a unit mistake. */
const CAP_PCT_PER_HOUR = 4;
const PRICE_TOLERANCE = 0.05;
/** Prices of thin contracts may legitimately differ between venues. */
const MIN_VOLUME_USDT = 1_000_000;
const MIN_OTHERS = 2;
const SHOWN = 5;

/** The faults of a venue, in sentences; empty if there are none. */
export type Check = (look: VenueLook, all: Look) => string[];

export const CHECKS: Readonly<Record<string, Check>> = {
  'every call and stream answers': ({ report }) =>
    report.sources
      .filter((source) => source.lastGoodAtMs === null || source.failuresInARow > 0)
      .map((source) => `${source.name}: ${source.lastFailure ?? 'nothing came'}`),

  'rates are within the cap': ({ venue, states }) => {
    const rated = states.filter((state) => state.ratePct !== null);
    if (rated.length === 0) return ['no contract has a rate'];
    if (rated.length >= 10 && rated.every((state) => state.ratePct === 0)) return ['every rate is 0'];
    return some(rated, (state) => {
      const fault = rateFault(venue, state.contract, state.ratePct ?? 0, state.intervalHours);
      return fault === null ? null : `${state.ratePct} % in ${state.intervalHours ?? '?'} h`;
    });
  },

  'prices are within 5 % of the median of the others': ({ venue, states }, all) => {
    const priced = states.filter((state) => isComparable(state, all));
    return some(priced, (state) => {
      const price = coinPrice(state, all);
      const others = all.venues
        .filter((other) => other.venue !== venue)
        .flatMap((other) => other.states.filter((one) => isComparable(one, all)))
        .filter((one) => coinOf(one, all) === coinOf(state, all))
        .map((one) => coinPrice(one, all));
      if (others.length < MIN_OTHERS) return null;
      const middle = median(others);
      return Math.abs(price - middle) > middle * PRICE_TOLERANCE ? `${price} beside ${middle}` : null;
    });
  },

  'the next settlement lies ahead, within a day': ({ states }, { atMs }) =>
    some(states, ({ nextFundingAtMs }) => {
      if (nextFundingAtMs === null) return null;
      if (nextFundingAtMs < atMs - MINUTE_MS) return 'it is in the past';
      return nextFundingAtMs > atMs + DAY_MS + HOUR_MS ? 'it is more than a day away' : null;
    }),

  'settled prints are recent and within the cap': ({ settlements }, { atMs }) => {
    if (settlements === null) return [];
    if (typeof settlements === 'string') return [settlements];
    const newestMs = Math.max(...settlements.map((print) => print.settledAtMs));
    if (!(newestMs > atMs - 2 * DAY_MS && newestMs <= atMs + MINUTE_MS))
      return ['no print of the last two days'];
    return some(settlements, ({ ratePct }) =>
      Math.abs(ratePct) > CAP_PCT_PER_HOUR * 24 ? `${ratePct} % in one settlement` : null,
    );
  },

  'bids are below asks in the order book': ({ depth }) => {
    if (depth === null) return [];
    if (typeof depth === 'string') return [depth];
    const [bid, ask] = [depth.bids[0]?.[0], depth.asks[0]?.[0]];
    if (bid === undefined || ask === undefined) return ['a side is empty'];
    return bid < ask ? [] : [`bid ${bid} is not below ask ${ask}`];
  },
};

function some<Row extends { venueSymbol: string } | ContractState>(
  rows: readonly Row[],
  fault: (row: Row) => string | null,
): string[] {
  const faults = rows.flatMap((row) => {
    const what = fault(row);
    return what === null
      ? []
      : [`${'contract' in row ? row.contract.venueSymbol : row.venueSymbol}: ${what}`];
  });
  return faults.length > SHOWN ? [...faults.slice(0, SHOWN), `and ${faults.length - SHOWN} more`] : faults;
}

/** A liquid contract in dollars whose coin is not in doubt. */
function isComparable(state: ContractState, { identities, atMs }: Look): boolean {
  return (
    priceOf(state, atMs) !== null &&
    DOLLAR_QUOTES.has(state.contract.quote) &&
    (state.volume24hUsdt ?? 0) >= MIN_VOLUME_USDT &&
    identities.get(state.key)?.isPriceOutlier === false
  );
}

function coinOf(state: ContractState, { identities }: Look): string {
  return identities.get(state.key)?.coin ?? state.contract.base;
}

function coinPrice(state: ContractState, { identities, atMs }: Look): number {
  return (priceOf(state, atMs) ?? 0) / (identities.get(state.key)?.multiplier ?? 1);
}
