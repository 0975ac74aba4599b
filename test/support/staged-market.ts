import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { Freezer } from '../../src/market/freeze.ts';
import { LatestMarket } from '../../src/market/latest.ts';
import {
  type Batch,
  type BookTop,
  type Contract,
  emptyBatch,
  type FundingQuote,
  linearContract,
} from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { Venue } from '../../src/venues/venue.ts';

export function stagedContract(venueSymbol: string, extra: Partial<Contract> = {}): Contract {
  return linearContract({
    venueSymbol,
    base: venueSymbol,
    quote: 'USDT',
    status: 'trading',
    venueStatus: 'TRADING',
    intervalHours: 8,
    ...extra,
  });
}

/** The market store and the freezer, fed with the batches of one venue. Every contract has a volume. */
export function stageMarket(exchange: string, contracts: readonly Contract[], startMs: number) {
  const venue = VENUES.find((one) => one.facts.exchange === exchange);
  if (!venue) throw new Error(`no venue ${exchange}`);
  const metrics = createMetrics();
  const market = new LatestMarket(metrics, createLog('silent'));
  const freezer = new Freezer(market, metrics, createLog('silent'));
  const known = new Map(contracts.map((one) => [one.venueSymbol, one]));
  const accept = (part: Partial<Batch>, atMs: number, from: Venue = venue) =>
    market.accept(from, { ...emptyBatch(), ...part }, atMs, known);
  accept({ contractList: { part: 'all', contracts: [...contracts] } }, startMs);
  accept(
    {
      dayVolumes: contracts.map(({ venueSymbol }) => ({
        venueSymbol,
        volume24hUsdt: 1000,
        referencePrice: 10,
      })),
    },
    startMs,
  );
  const stateOf = (venueSymbol: string) => {
    const state = market.stateOf(venue, venueSymbol);
    if (!state) throw new Error(`no contract ${venueSymbol}`);
    return state;
  };
  const rowOf = (venueSymbol: string, atMs: number) =>
    freezer.freeze(atMs).contracts.find((row) => row.venueSymbol === venueSymbol);
  return { venue, market, freezer, metrics, accept, stateOf, rowOf, known };
}

export function stagedQuote(
  venueSymbol: string,
  ratePct: number,
  extra: Partial<FundingQuote> = {},
): FundingQuote {
  return {
    venueSymbol,
    ratePct,
    nextFundingAtMs: null,
    intervalHours: undefined,
    venueTimeMs: null,
    ...extra,
  };
}

export function stagedTop(venueSymbol: string, bidPrice: number, venueTimeMs: number | null = null): BookTop {
  return { venueSymbol, bidPrice, bidSize: 1, askPrice: bidPrice * 1.001, askSize: 1, venueTimeMs };
}
