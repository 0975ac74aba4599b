import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { Freezer } from '../../src/market/freeze.ts';
import { LatestMarket } from '../../src/market/latest.ts';
import { type Contract, emptyBatch, ownFee } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';

/** One contract with what a venue would say of it now. */
export interface MadeQuote {
  exchange: string;
  base: string;
  bid: number;
  ask: number;
  quote?: string;
  isInverse?: boolean;
  status?: Contract['status'];
  /** Of both sides, in units of the base; null: the venue gives none. */
  size?: number | null;
  bidSize?: number | null;
  askSize?: number | null;
  volume24hUsdt?: number;
  /** Null: the venue has said no rate. */
  ratePct?: number | null;
  intervalHours?: number | null;
  nextFundingAtMs?: number | null;
  takerFeePct?: number;
  maxLeverage?: number;
}

/** The real market store and identities, filled by hand with what venues would report. */
export class MadeMarket {
  readonly market: LatestMarket;
  readonly freezer: Freezer;
  readonly #contracts = new Map<string, Map<string, Contract>>();

  constructor() {
    const metrics = createMetrics();
    const log = createLog('silent');
    this.market = new LatestMarket(metrics, log);
    this.freezer = new Freezer(this.market, metrics, log);
  }

  /** As if one reply of each venue had just come. Contracts that are not named stay as they were. */
  hear(quotes: readonly MadeQuote[], atMs: number): void {
    for (const [exchange, list] of Map.groupBy(quotes, (quote) => quote.exchange))
      this.#hear(exchange, list, atMs);
  }

  /** Takes a contract off the venue's list. */
  delist(exchange: string, venueSymbol: string, atMs: number): void {
    this.#contracts.get(exchange)?.delete(venueSymbol);
    this.#hear(exchange, [], atMs);
  }

  #hear(exchange: string, quotes: readonly MadeQuote[], atMs: number): void {
    const venue = VENUES.find((known) => known.facts.exchange === exchange);
    if (!venue) throw new Error(`no venue ${exchange}`);
    const contracts = this.#contracts.get(exchange) ?? new Map<string, Contract>();
    this.#contracts.set(exchange, contracts);
    const batch = emptyBatch();
    for (const quote of quotes) {
      const contract = contractOf(quote);
      const { venueSymbol } = contract;
      contracts.set(venueSymbol, contract);
      batch.bookTops.push({
        venueSymbol,
        bidPrice: quote.bid,
        askPrice: quote.ask,
        bidSize: sizeOf(quote.bidSize, quote),
        askSize: sizeOf(quote.askSize, quote),
        venueTimeMs: atMs,
      });
      batch.dayVolumes.push({ venueSymbol, volume24hUsdt: quote.volume24hUsdt ?? 5e6, referencePrice: null });
      if (quote.ratePct !== null)
        batch.fundingQuotes.push({
          venueSymbol,
          ratePct: quote.ratePct ?? 0.01,
          intervalHours: quote.intervalHours === undefined ? 8 : quote.intervalHours,
          nextFundingAtMs: quote.nextFundingAtMs ?? null,
          venueTimeMs: atMs,
        });
    }
    batch.contractList = { part: 'all', contracts: [...contracts.values()] };
    this.market.accept(venue, batch, atMs, contracts);
  }
}

function sizeOf(side: number | null | undefined, quote: MadeQuote): number | null {
  if (side !== undefined) return side;
  return quote.size === undefined ? 100_000 / quote.ask : quote.size;
}

function contractOf(made: MadeQuote): Contract {
  const { base, quote = 'USDT', isInverse = false, status = 'trading' } = made;
  return {
    ...ownFee(made),
    venueSymbol: `${base}${quote}`,
    base,
    quote,
    settle: isInverse ? base : quote,
    isInverse,
    contractSize: 1,
    status,
    venueStatus: status,
    assetClass: 'crypto',
    listedAtMs: null,
    delistsAtMs: null,
    maxLeverage: made.maxLeverage ?? null,
    intervalHours: null,
  };
}
