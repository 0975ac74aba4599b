import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { ContractState } from '../../market/contract-state.ts';
import { DOLLAR_QUOTES, type FrozenContract, isLive, priceOf } from '../../market/freeze.ts';
import type { Identity } from '../../market/identity.ts';
import { ROW_MAX_AGE_MS } from '../../market/interval.ts';
import type { StillRows } from './still-rows.ts';

/** What the checks of one snapshot found at one venue. */
export interface VenueChecks {
  /** Contracts whose mid price was compared with the median of the other venues, and those too far from it. */
  pricesCompared: number;
  pricesOff: number;
  /** Contracts for which the venue states a next settlement. */
  settlementsStated: number;
  /** Of these the next one has passed: the row stands still. */
  settlementsPast: number;
  /** Rows of which nothing changes while the others move, besides those whose next settlement has passed. */
  rowsStill: number;
  /** The next one is further away than one interval. */
  settlementsTooFar: number;
  volume24hUsdt: number;
  /** The volume against the venue's own last days, in proportion to the other venues'; null while too little is known. */
  volumeRatio: number | null;
}

interface SnapshotChecks {
  byExchange: Map<string, VenueChecks>;
  /** Keys of contracts whose row stands still. */
  frozenRows: Set<string>;
}

/** Prices of one coin further apart than this are not explained by the market. */
export const PRICE_TOLERANCE = 0.05;
const LEAST_OTHERS = 2;
/** Venues need a while to move on to the next settlement, and some are polled contract by contract. */
const PAST_AFTER_MS = 10 * MINUTE_MS;
const TOO_FAR_GRACE_MS = 2 * MINUTE_MS;

/** Checks all venues against each other. `rows` are those of the snapshot, `states` what the venues said. */
export function checkSnapshot(
  rows: readonly FrozenContract[],
  states: readonly ContractState[],
  identities: ReadonlyMap<string, Identity>,
  nowMs: number,
  stillRows?: StillRows,
): SnapshotChecks {
  const byExchange = new Map<string, VenueChecks>();
  const of = (exchange: string) => {
    let checks = byExchange.get(exchange);
    if (!checks) {
      checks = {
        pricesCompared: 0,
        pricesOff: 0,
        settlementsStated: 0,
        settlementsPast: 0,
        rowsStill: 0,
        settlementsTooFar: 0,
        volume24hUsdt: 0,
        volumeRatio: null,
      };
      byExchange.set(exchange, checks);
    }
    return checks;
  };
  for (const { exchange, volume24hUsdt } of rows) of(exchange).volume24hUsdt += volume24hUsdt;
  const frozenRows = new Set<string>();
  for (const state of states) {
    const { nextFundingAtMs, intervalHours } = state;
    if (nextFundingAtMs === null || !isLive(state)) continue;
    // Of a venue that does not answer every settlement has passed after a while; its rows leave by their age.
    if (nowMs - state.rateReceivedAtMs > ROW_MAX_AGE_MS) continue;
    const checks = of(state.venue.facts.exchange);
    checks.settlementsStated++;
    if (nextFundingAtMs < nowMs - PAST_AFTER_MS) {
      checks.settlementsPast++;
      frozenRows.add(state.key);
    } else if (
      intervalHours !== null &&
      nextFundingAtMs > nowMs + intervalHours * HOUR_MS + TOO_FAR_GRACE_MS
    ) {
      checks.settlementsTooFar++;
    }
  }
  for (const key of stillRows?.find(states, nowMs) ?? []) {
    if (frozenRows.has(key)) continue;
    frozenRows.add(key);
    of(key.slice(0, key.indexOf('/'))).rowsStill++;
  }
  comparePrices(pricesOf(states, identities, nowMs), of);
  return { byExchange, frozenRows };
}

interface CoinPrices {
  exchanges: string[];
  prices: number[];
}

/** Contracts that count as another coin under the same ticker are left out: the ticker's rule has them already. */
function pricesOf(
  states: readonly ContractState[],
  identities: ReadonlyMap<string, Identity>,
  nowMs: number,
): Map<string, CoinPrices> {
  const coins = new Map<string, CoinPrices>();
  for (const state of states) {
    const identity = identities.get(state.key);
    const price = identity && !identity.isPriceOutlier ? priceOf(state, nowMs) : null;
    if (!identity || price === null || !DOLLAR_QUOTES.has(state.contract.quote) || !isLive(state)) continue;
    let coin = coins.get(identity.coin);
    if (!coin) {
      coin = { exchanges: [], prices: [] };
      coins.set(identity.coin, coin);
    }
    coin.exchanges.push(state.venue.facts.exchange);
    coin.prices.push(price / identity.multiplier);
  }
  return coins;
}

function comparePrices(coins: ReadonlyMap<string, CoinPrices>, of: (exchange: string) => VenueChecks): void {
  for (const { exchanges, prices } of coins.values()) {
    if (prices.length <= LEAST_OTHERS) continue;
    const sorted = Float64Array.from(prices).sort();
    const hasOneEach = new Set(exchanges).size === exchanges.length;
    for (let i = 0; i < prices.length; i++) {
      const [exchange, price] = [exchanges[i] as string, prices[i] as number];
      const middle = hasOneEach
        ? medianWithout(sorted, price)
        : medianOf(Float64Array.from(prices.filter((_, j) => exchanges[j] !== exchange)).sort());
      if (middle === null) continue;
      const checks = of(exchange);
      checks.pricesCompared++;
      if (Math.abs(price - middle) > middle * PRICE_TOLERANCE) checks.pricesOff++;
    }
  }
}

function medianOf(sorted: Float64Array): number | null {
  const count = sorted.length;
  if (count < LEAST_OTHERS) return null;
  return ((sorted[(count - 1) >> 1] as number) + (sorted[count >> 1] as number)) / 2;
}

/** The median of all but one: the middle moves by at most one place, so nothing is sorted again. */
export function medianWithout(sorted: Float64Array, value: number): number {
  const rank = sorted.indexOf(value);
  const others = sorted.length - 1;
  const at = (place: number) => sorted[place < rank ? place : place + 1] as number;
  return (at((others - 1) >> 1) + at(others >> 1)) / 2;
}
