import { HOUR_MS, SECOND_MS } from '../src/base/times.ts';
import type { SimContract, SimStatus, Universe } from './contracts.ts';
import { statusAt } from './contracts.ts';
import { type Faults, NO_FAULTS } from './faults.ts';
import {
  bookAt,
  newestSettlements,
  quoteAt,
  type SimQuote,
  type SimSettlement,
  settlementsBetween,
} from './market.ts';
import { noticesBetween, type SimNotice } from './notices.ts';
import { settlementCount } from './settlement-times.ts';
import type { VenueProfile } from './venue-profile.ts';

/** One venue at one time, as its encoder sees it. Faults that change data are already applied. */
export interface SimView {
  /** The venue's clock. */
  nowMs: number;
  /** The contracts that the venue lists now: announced, trading and ending ones. */
  contracts: readonly SimContract[];
  /** The contracts that have quotes: open ones. */
  open: readonly SimContract[];
  /** The fault of Lighter's stream. */
  streamsInterestInCoins: boolean;
  find(venueSymbol: string): SimContract | undefined;
  status(contract: SimContract): SimStatus;
  quote(contract: SimContract): SimQuote;
  book(contract: SimContract, levels: number): { bids: [number, number][]; asks: [number, number][] };
  /** Settlements in [fromMs, toMs] that have happened by now, oldest first. */
  settlements(contract: SimContract, fromMs: number, toMs: number): SimSettlement[];
  /** The newest settlements up to `toMs` and by now, newest first: a page of a venue that counts them from the newest. */
  newestSettlements(contract: SimContract, toMs: number, count: number, skipped?: number): SimSettlement[];
  /** How many settlements there are in [fromMs, toMs] by now. */
  settlementCount(contract: SimContract, fromMs: number, toMs: number): number;
  /** Notices published in [fromMs, toMs] and by now, oldest first. */
  notices(fromMs: number, toMs: number): SimNotice[];
}

export function viewAt(
  universe: Universe,
  profile: VenueProfile,
  atMs: number,
  faults: Faults = NO_FAULTS,
  /** Since when the row of `faults.frozenRow` stands still. */
  rowFrozenAtMs: number | null = null,
  /** The venue of `faults.copiesRatesOf`. */
  copied: VenueProfile | null = null,
): SimView {
  const nowMs = atMs + faults.clockSkewMs;
  const contracts = faults.empty ? [] : universe.at(profile, nowMs);
  const bySymbol = new Map(contracts.map((contract) => [contract.venueSymbol, contract]));
  const hasEnded = nowMs >= (profile.endedAtMs ?? Number.POSITIVE_INFINITY);
  const isOpen = (contract: SimContract) => nowMs >= contract.listedAtMs;
  const open = hasEnded ? [] : contracts.filter(isOpen);
  const quotes = new Map<SimContract, SimQuote>();
  const settlementsOf = settlementReader(nowMs);
  const originals = new Map(
    copied &&
      universe
        .at(copied, nowMs)
        .filter(isOpen)
        .map((one) => [marketOf(one), one]),
  );
  /** The contract whose funding this one has. */
  const fundedAs = (contract: SimContract) => originals.get(marketOf(contract)) ?? contract;
  const quote = (contract: SimContract): SimQuote => {
    const isFrozen = rowFrozenAtMs !== null && contract.venueSymbol === faults.frozenRow;
    const atQuoteMs = isFrozen ? rowFrozenAtMs : nowMs;
    const own = quoteAt(contract, atQuoteMs);
    const original = fundedAs(contract);
    const funded = original === contract ? own : { ...own, ...fundingOf(quoteAt(original, atQuoteMs)) };
    const shown = afterSettlement(profile, original, funded, nowMs);
    return spoiled(contract, shown, faults, nowMs);
  };
  return {
    nowMs,
    contracts,
    open,
    streamsInterestInCoins: faults.openInterestStreamedInCoins,
    find: (venueSymbol) => bySymbol.get(venueSymbol),
    status: (contract) => statusAt(contract, nowMs),
    quote: (contract) => {
      const known = quotes.get(contract) ?? quote(contract);
      quotes.set(contract, known);
      return known;
    },
    book: (contract, levels) =>
      faults.zeroQuotes ? { bids: [], asks: [] } : bookAt(contract, nowMs, levels),
    settlements: (contract, fromMs, toMs) => settlementsOf(fundedAs(contract), fromMs, toMs),
    newestSettlements: (contract, toMs, count, skipped = 0) =>
      newestSettlements(fundedAs(contract), Math.min(toMs, nowMs), count, skipped),
    settlementCount: (contract, fromMs, toMs) =>
      settlementCount(fundedAs(contract), fromMs, Math.min(toMs, nowMs)),
    notices: (fromMs, toMs) => noticesBetween(universe, profile, fromMs, Math.min(toMs, nowMs)),
  };
}

/** The same market at every venue. */
function marketOf({ coin, quote, isInverse }: SimContract): string {
  return `${coin.id} ${quote} ${isInverse}`;
}

function fundingOf(quote: SimQuote) {
  const { rateE8, lastRateE8, intervalHours, nextFundingAtMs, lastFundingAtMs } = quote;
  return { rateE8, lastRateE8, intervalHours, nextFundingAtMs, lastFundingAtMs };
}

/** By column: as objects, the prints of a walk would be most of the simulator's memory. All settle on a full hour. */
interface CachedSettlements {
  fromMs: number;
  toMs: number;
  hours: Uint32Array;
  ratesE8: Int32Array;
  intervalsHours: Uint8Array;
}

/** Walks through pages and repeated calls read the same past, which takes most of the time of a simulator. */
const cached = new Map<SimContract, CachedSettlements>();
const MAX_CACHED_CONTRACTS = 128;

function settlementReader(nowMs: number): SimView['settlements'] {
  return (contract, fromMs, latestMs) => {
    const toMs = Math.min(latestMs, nowMs);
    const { hours, ratesE8, intervalsHours } = cachedSettlements(contract, fromMs, toMs);
    const found: SimSettlement[] = [];
    const end = firstAfter(hours, toMs / HOUR_MS);
    for (let i = firstAfter(hours, (fromMs - 1) / HOUR_MS); i < end; i++)
      found.push({
        settledAtMs: (hours[i] as number) * HOUR_MS,
        rateE8: ratesE8[i] as number,
        intervalHours: intervalsHours[i] as number,
      });
    return found;
  };
}

/** At least the settlements of this range; a range that begins earlier or ends later than the cached one extends it. */
function cachedSettlements(contract: SimContract, fromMs: number, toMs: number): CachedSettlements {
  const known = cached.get(contract);
  if (known && fromMs >= known.fromMs && toMs <= known.toMs) return known;
  const isLater = known && fromMs >= known.fromMs && fromMs <= known.toMs;
  const extended = isLater
    ? columnsOf(known, settlementsBetween(contract, known.toMs + 1, toMs), known.fromMs, toMs)
    : columnsOf(null, settlementsBetween(contract, fromMs, toMs), fromMs, toMs);
  cached.delete(contract);
  cached.set(contract, extended);
  const [oldest] = cached.keys();
  if (cached.size > MAX_CACHED_CONTRACTS && oldest) cached.delete(oldest);
  return extended;
}

/** The known settlements and the rows after them. */
function columnsOf(
  known: CachedSettlements | null,
  rows: readonly SimSettlement[],
  fromMs: number,
  toMs: number,
): CachedSettlements {
  const start = known?.hours.length ?? 0;
  const columns = {
    fromMs,
    toMs,
    hours: new Uint32Array(start + rows.length),
    ratesE8: new Int32Array(start + rows.length),
    intervalsHours: new Uint8Array(start + rows.length),
  };
  if (known) {
    columns.hours.set(known.hours);
    columns.ratesE8.set(known.ratesE8);
    columns.intervalsHours.set(known.intervalsHours);
  }
  for (const [i, { settledAtMs, rateE8, intervalHours }] of rows.entries()) {
    columns.hours[start + i] = settledAtMs / HOUR_MS;
    columns.ratesE8[start + i] = rateE8;
    columns.intervalsHours[start + i] = intervalHours;
  }
  return columns;
}

/** The index of the first time after this one. */
function firstAfter(hours: Uint32Array, atHours: number): number {
  let [low, high] = [0, hours.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hours[middle] as number) <= atHours) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Some venues repeat the old estimate, then show the charged rate, before there is an estimate for the next settlement. */
function afterSettlement(
  { afterSettlement: shown }: VenueProfile,
  contract: SimContract,
  quote: SimQuote,
  nowMs: number,
): SimQuote {
  const sinceMs = nowMs - quote.lastFundingAtMs;
  if (!shown || sinceMs >= (shown.estimateSeconds + shown.chargedSeconds) * SECOND_MS) return quote;
  if (sinceMs >= shown.estimateSeconds * SECOND_MS) return { ...quote, rateE8: quote.lastRateE8 };
  return { ...quote, rateE8: quoteAt(contract, quote.lastFundingAtMs - SECOND_MS).rateE8 };
}

function spoiled(contract: SimContract, quote: SimQuote, faults: Faults, nowMs: number): SimQuote {
  const shown = misread(contract, quote, faults, nowMs);
  if (faults.zeroQuotes) return { ...shown, bidPrice: 0, askPrice: 0, bidContracts: 0, askContracts: 0 };
  if (faults.crossedQuotes) return { ...shown, bidPrice: quote.askPrice * 1.01, askPrice: quote.bidPrice };
  return shown;
}

/** What a venue, or an adapter that misreads it, would show instead of the truth. Settled prints are not touched. */
function misread(contract: SimContract, quote: SimQuote, faults: Faults, nowMs: number): SimQuote {
  const shown = { ...quote };
  if (faults.ratesLastSettled) shown.rateE8 = quote.lastRateE8;
  if (faults.ratesInPercent) shown.rateE8 *= 100;
  if (faults.ratesFlipped) shown.rateE8 = 0 - shown.rateE8;
  if (faults.volumeDoubled) {
    // Whole contracts, each counted twice.
    const stepUsd = contract.isInverse ? contract.contractSize : 1;
    shown.volume24hUsd = 2 * Math.round(quote.volume24hUsd / stepUsd) * stepUsd;
  }
  if (faults.openInterestDoubled) shown.openInterestContracts *= 2;
  if (faults.openInterestHalved) shown.openInterestContracts /= 2;
  if (faults.intervalOff) {
    shown.intervalHours = quote.intervalHours >= 8 ? quote.intervalHours / 2 : quote.intervalHours * 2;
    const stepMs = shown.intervalHours * HOUR_MS;
    shown.lastFundingAtMs = Math.floor(nowMs / stepMs) * stepMs;
    shown.nextFundingAtMs = shown.lastFundingAtMs + stepMs;
  }
  return shown;
}
