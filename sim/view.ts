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
): SimView {
  const nowMs = atMs + faults.clockSkewMs;
  const contracts = faults.empty ? [] : universe.at(profile, nowMs);
  const bySymbol = new Map(contracts.map((contract) => [contract.venueSymbol, contract]));
  const open = contracts.filter((contract) => nowMs >= contract.listedAtMs);
  return {
    nowMs,
    contracts,
    open,
    find: (venueSymbol) => bySymbol.get(venueSymbol),
    status: (contract) => statusAt(contract, nowMs),
    quote: (contract) => spoiled(quoteAt(contract, nowMs), faults),
    book: (contract, levels) =>
      faults.zeroQuotes ? { bids: [], asks: [] } : bookAt(contract, nowMs, levels),
    settlements: (contract, fromMs, toMs) => settlementsBetween(contract, fromMs, Math.min(toMs, nowMs)),
    notices: (fromMs, toMs) => noticesBetween(universe, profile, fromMs, Math.min(toMs, nowMs)),
  };
}

function spoiled(quote: SimQuote, faults: Faults): SimQuote {
  if (faults.zeroQuotes) return { ...quote, bidPrice: 0, askPrice: 0, bidContracts: 0, askContracts: 0 };
  if (faults.crossedQuotes) return { ...quote, bidPrice: quote.askPrice * 1.01, askPrice: quote.bidPrice };
  return quote;
}
