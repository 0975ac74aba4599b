import { Backtest } from '../../src/engines/backtest/engine.ts';
import { usualRule } from '../../src/engines/backtest/rule.ts';
import { DepthSampler, midOf, type SampledLeg, type SampleOutcome } from '../../src/engines/depth/sampler.ts';
import { type MinuteSample, PRICE_COLUMNS, type SampledContract } from '../../src/history/samples/model.ts';
import { IdentityResolver } from '../../src/market/identity.ts';
import { ownFee } from '../../src/venues/observations.ts';
import { START_MINUTE } from './setting.ts';

/** A contract's book in one minute: levels of [price, size in base units], best first. */
export interface VenueBook {
  exchange: string;
  base: string;
  quote: string;
  bids: [number, number][];
  asks: [number, number][];
  /** The top has no sizes, as at some venues. */
  hasNoSizes?: boolean;
  takerFeePct?: number;
}

/** Passes books through identity, sampler and engine as the service does, without the database. */
export function backtestOf(
  takerFeesPct: Readonly<Record<string, number>>,
  minutes: number,
  booksAt: (minute: number) => VenueBook[],
): { engine: Backtest; contracts: SampledContract[]; outcomes: Map<string, Map<SampleOutcome, number>> } {
  const contracts: SampledContract[] = [];
  const sampler = new DepthSampler();
  const identity = new IdentityResolver();
  const engine = new Backtest({
    rule: usualRule(),
    takerFeesPct,
    contractOf: (id) => contracts[id - 1],
  });
  let outcomes = new Map<string, Map<SampleOutcome, number>>();
  for (let i = 0; i < minutes; i++) {
    const books = booksAt(i);
    const legs = books.map(legOf);
    const identities = identity.resolve(
      books.map((book, j) => ({
        key: legs[j]?.key ?? '',
        exchange: book.exchange,
        base: book.base,
        assetClass: 'crypto',
        price: midOf(legs[j]?.top ?? null, legs[j]?.depth ?? null),
      })),
    );
    sampler.updateQuotes(legs, identities);
    const sampled = sampler.sample(legs, identities);
    outcomes = sampled.outcomes;
    const rows = sampled.priced.map((leg) => {
      let contract = contracts.find(
        (one) => one.exchange === leg.exchange && one.venueSymbol === leg.venueSymbol,
      );
      if (!contract) {
        const { exchange, venueSymbol, coin, quote } = leg;
        contract = { id: contracts.length + 1, exchange, venueSymbol, coin, quote, ...ownFee(leg) };
        contracts.push(contract);
      }
      return { id: contract.id, prices: leg.prices };
    });
    rows.sort((a, b) => a.id - b.id);
    const sample: MinuteSample = {
      minute: START_MINUTE + i,
      ids: Uint32Array.from(rows, (row) => row.id),
      prices: new Float32Array(rows.length * PRICE_COLUMNS),
      volumesUsdt: new Float32Array(rows.length).fill(5_000_000),
    };
    for (const [place, row] of rows.entries()) sample.prices.set(row.prices, place * PRICE_COLUMNS);
    engine.advance(sample);
  }
  return { engine, contracts, outcomes };
}

/** A deep book with one tick around the mid. */
export function deepBook(
  exchange: string,
  mid: number,
  { base = 'BTC', quote = 'USDT', halfSpread = 0.0001 } = {},
): VenueBook {
  return {
    exchange,
    base,
    quote,
    bids: [[mid * (1 - halfSpread), 1e6 / mid]],
    asks: [[mid * (1 + halfSpread), 1e6 / mid]],
  };
}

function legOf(book: VenueBook): SampledLeg {
  const { exchange, base, quote, bids, asks, hasNoSizes } = book;
  const venueSymbol = `${base}${quote}`;
  const [bid, ask] = [bids[0], asks[0]];
  return {
    key: `${exchange}/${venueSymbol}`,
    exchange,
    venueSymbol,
    quote,
    ...ownFee(book),
    top:
      bid && ask
        ? {
            venueSymbol,
            bidPrice: bid[0],
            bidSize: hasNoSizes ? null : bid[1],
            askPrice: ask[0],
            askSize: hasNoSizes ? null : ask[1],
            venueTimeMs: null,
          }
        : null,
    depth: { venueSymbol, bids, asks, venueTimeMs: null },
    volume24hUsdt: 5_000_000,
  };
}
