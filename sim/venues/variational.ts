import { SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import type { SimQuote } from '../market.ts';
import { priceText, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const HOURS_PER_YEAR = 8760;
const OLDEST_QUOTE_SECONDS = 20 * 60;

/** The yearly rate with six decimals, as the venue writes it. */
const yearlyRate = ({ rateE8, intervalHours }: SimQuote) =>
  ((rateE8 / 1e8) * (HOURS_PER_YEAR / intervalHours)).toFixed(6);

/** Of the maker: never at the top of the simulated book, and up to 20 minutes old. */
function quotes(contract: SimContract, quote: SimQuote, view: SimView): object {
  const offer = (share: number) => ({
    bid: priceText(contract, quote.bidPrice * (1 - share)),
    ask: priceText(contract, quote.askPrice * (1 + share)),
  });
  const ageSeconds = contract.seed % OLDEST_QUOTE_SECONDS;
  return {
    // Nanoseconds, as sent.
    updated_at: new Date(view.nowMs - ageSeconds * SECOND_MS).toISOString().replace('Z', '094484Z'),
    base: offer(0.0001),
    size_1k: offer(0.0002),
    size_100k: offer(0.01),
  };
}

/** Only some companies have a name in the form in which they are registered. */
function nameOf({ coin: { ticker, assetClass = 'crypto' }, seed }: SimContract): string {
  if (assetClass === 'crypto') return `${ticker} Coin`;
  return assetClass === 'stock' && seed % 2 === 0 ? `${ticker} Inc.` : ticker;
}

function listing(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const openUsd = quote.openInterestContracts * contract.contractSize * quote.markPrice;
  return {
    ticker: contract.venueSymbol,
    name: nameOf(contract),
    mark_price: String(quote.markPrice),
    volume_24h: quote.volume24hUsd.toFixed(6),
    open_interest: {
      long_open_interest: (openUsd * 0.6).toFixed(20),
      short_open_interest: (openUsd * 0.4).toFixed(20),
    },
    funding_rate: yearlyRate(quote),
    funding_interval_s: quote.intervalHours * 3600,
    base_spread_bps: '1.0811950761854030298845160000',
    quotes: quotes(contract, quote, view),
  };
}

/** Swaps are among the listings, with neither a rate nor an interval. */
const SWAP = {
  ticker: 'XAUS',
  name: 'Swap on Gold Spot',
  mark_price: '4330.57',
  volume_24h: '376055.595020',
  open_interest: { long_open_interest: '32813888.27', short_open_interest: '4498948.27' },
  funding_rate: '0',
  funding_interval_s: 0,
};

function stats(view: SimView): object {
  const listings = [...view.open.map((contract) => listing(contract, view)), SWAP];
  return { total_volume_24h: '596971006.955463', num_markets: listings.length, listings };
}

export const variational: SimVenue = {
  profile: {
    slug: 'variational',
    exchange: 'Variational',
    quotes: ['USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1, 4, 8],
    rateCap: 0.02,
    coverage: 0.8,
    traditionalCoverage: 0.3,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: () => 4,
    venueSymbol: ({ base }) => base,
  },
  // It names no settlement, and its yearly rate is rounded.
  publishes: (_contract, quote) => ({
    ratePct:
      Number(((Number(yearlyRate(quote)) * 100 * quote.intervalHours) / HOURS_PER_YEAR).toFixed(12)) + 0,
    nextFundingAtMs: null,
  }),
  // The simulated market settles; the venue does not publish it.
  settledPrints: () => [],
  givesClasses: false,
  http: ({ path }, view) => (path === '/metadata/stats' ? stats(view) : undefined),
};
