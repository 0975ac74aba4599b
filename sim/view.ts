import { HOUR_MS, SECOND_MS } from '../src/base/times.ts';
import type { SimContract, SimStatus, Universe, VenueProfile } from './contracts.ts';
import { statusAt } from './contracts.ts';
import { type Faults, NO_FAULTS } from './faults.ts';
import { bookAt, quoteAt, type SimQuote, type SimSettlement, settlementsBetween } from './market.ts';
import { noticesBetween, type SimNotice } from './notices.ts';

/** One venue at one time, as its encoder sees it. Faults that change data are already applied. */
export interface SimView {
  /** The venue's clock. */
  nowMs: number;
  /** The contracts that the venue lists now: announced, trading and ending ones. */
  contracts: readonly SimContract[];
  /** The contracts that have quotes: open ones. */
  open: readonly SimContract[];
  find(venueSymbol: string): SimContract | undefined;
  status(contract: SimContract): SimStatus;
  quote(contract: SimContract): SimQuote;
  book(contract: SimContract, levels: number): { bids: [number, number][]; asks: [number, number][] };
  /** Settlements in [fromMs, toMs] that have happened by now, oldest first. */
  settlements(contract: SimContract, fromMs: number, toMs: number): SimSettlement[];
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
): SimView {
  const nowMs = atMs + faults.clockSkewMs;
  const contracts = faults.empty ? [] : universe.at(profile, nowMs);
  const bySymbol = new Map(contracts.map((contract) => [contract.venueSymbol, contract]));
  const hasEnded = nowMs >= (profile.endedAtMs ?? Number.POSITIVE_INFINITY);
  const open = hasEnded ? [] : contracts.filter((contract) => nowMs >= contract.listedAtMs);
  return {
    nowMs,
    contracts,
    open,
    find: (venueSymbol) => bySymbol.get(venueSymbol),
    status: (contract) => statusAt(contract, nowMs),
    quote: (contract) => {
      const isFrozen = rowFrozenAtMs !== null && contract.venueSymbol === faults.frozenRow;
      const quote = afterSettlement(
        profile,
        contract,
        quoteAt(contract, isFrozen ? rowFrozenAtMs : nowMs),
        nowMs,
      );
      return spoiled(quote, faults, nowMs);
    },
    book: (contract, levels) =>
      faults.zeroQuotes ? { bids: [], asks: [] } : bookAt(contract, nowMs, levels),
    settlements: settlementReader(nowMs),
    notices: (fromMs, toMs) => noticesBetween(universe, profile, fromMs, Math.min(toMs, nowMs)),
  };
}

/** A walk through pages reads the past of one contract many times, so the longest range of it so far is kept. */
function settlementReader(nowMs: number): SimView['settlements'] {
  let kept: { contract: SimContract; fromMs: number; toMs: number; rows: SimSettlement[] } | null = null;
  return (contract, fromMs, latestMs) => {
    const toMs = Math.min(latestMs, nowMs);
    if (kept?.contract !== contract || fromMs < kept.fromMs || toMs > kept.toMs)
      kept = { contract, fromMs, toMs, rows: settlementsBetween(contract, fromMs, toMs) };
    return kept.rows.filter(({ settledAtMs }) => settledAtMs >= fromMs && settledAtMs <= toMs);
  };
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

function spoiled(quote: SimQuote, faults: Faults, nowMs: number): SimQuote {
  const shown = misread(quote, faults, nowMs);
  if (faults.zeroQuotes) return { ...shown, bidPrice: 0, askPrice: 0, bidContracts: 0, askContracts: 0 };
  if (faults.crossedQuotes) return { ...shown, bidPrice: quote.askPrice * 1.01, askPrice: quote.bidPrice };
  return shown;
}

/** What a venue, or an adapter that misreads it, would show instead of the truth. Settled prints are not touched. */
function misread(quote: SimQuote, faults: Faults, nowMs: number): SimQuote {
  const shown = { ...quote };
  if (faults.ratesLastSettled) shown.rateE8 = quote.lastRateE8;
  if (faults.ratesInPercent) shown.rateE8 *= 100;
  if (faults.ratesFlipped) shown.rateE8 = 0 - shown.rateE8;
  if (faults.volumeDoubled) shown.volume24hUsd *= 2;
  if (faults.intervalOff) {
    shown.intervalHours = quote.intervalHours >= 8 ? quote.intervalHours / 2 : quote.intervalHours * 2;
    const stepMs = shown.intervalHours * HOUR_MS;
    shown.lastFundingAtMs = Math.floor(nowMs / stepMs) * stepMs;
    shown.nextFundingAtMs = shown.lastFundingAtMs + stepMs;
  }
  return shown;
}
