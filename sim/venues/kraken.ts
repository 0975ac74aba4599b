import { DAY_MS, HOUR_MS, isoTime } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import type { SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const PREFIX = '/derivatives/api/v3';
/** The venue keeps about a year of funding and returns all of it at once. */
const HISTORY_MS = 366 * DAY_MS;
const BOOK_LEVELS = 250;

function nameOf(ticker: string): string {
  return ticker === 'BTC' ? 'XBT' : ticker;
}

/** ISO times of instruments and funding rows have no milliseconds; serverTime always has. */
function secondsText(timeMs: number): string {
  return isoTime(Math.floor(timeMs / 1000) * 1000);
}

let [lastDay, lastDayText] = [0, '1970-01-01'];

/** The ISO time of a full hour. The rows of a year follow each other, and formatting dates would take most of their time. */
function hourText(timeMs: number): string {
  const day = Math.floor(timeMs / DAY_MS);
  if (day !== lastDay) [lastDay, lastDayText] = [day, isoTime(day * DAY_MS).slice(0, 10)];
  return `${lastDayText}T${String((timeMs % DAY_MS) / HOUR_MS).padStart(2, '0')}:00:00Z`;
}

function success(view: SimView, fields: object): object {
  return { result: 'success', ...fields, serverTime: new Date(view.nowMs).toISOString() };
}

function instrument(contract: SimContract, view: SimView): object {
  const initialMargin = 1 / Math.min(contract.maxLeverage, 100);
  const threshold = contract.isInverse ? { contracts: 0 } : { numNonContractUnits: 0 };
  return {
    symbol: contract.venueSymbol,
    type: contract.isInverse ? 'futures_inverse' : 'flexible_futures',
    ...(contract.isInverse ? { underlying: `rr_${nameOf(contract.base).toLowerCase()}usd` } : {}),
    tickSize: 10 ** -contract.priceDecimals,
    contractSize: contract.contractSize,
    tradeable: true,
    openingDate: secondsText(contract.listedAtMs),
    marginLevels: [{ ...threshold, initialMargin, maintenanceMargin: initialMargin / 2 }],
    fundingRateCoefficient: 8,
    maxRelativeFundingRate: contract.rateCap,
    contractValueTradePrecision: contract.sizeDecimals,
    postOnly: view.status(contract) === 'preopen',
    mtf: true,
    base: contract.base,
    quote: contract.quote,
    pair: `${contract.base}:${contract.quote}`,
    category: contract.isInverse ? '' : 'Layer 1',
    tags: [],
    tradfi: (contract.coin.assetClass ?? 'crypto') !== 'crypto',
    isExpired: false,
  };
}

/** The real list has dated futures among the perpetuals, of the same types. */
const DATED_FUTURES = [
  { symbol: 'FF_XBTUSD_270326', type: 'flexible_futures' },
  { symbol: 'FI_XBTUSD_270326', type: 'futures_inverse' },
].map((row) => ({
  ...row,
  lastTradingTime: '2027-03-26T16:00:00Z',
  tickSize: 1,
  contractSize: 1,
  tradeable: true,
  openingDate: '2026-05-29T15:00:00Z',
  postOnly: false,
  base: 'BTC',
  quote: 'USD',
  pair: 'BTC:USD',
  tradfi: false,
  isExpired: false,
}));

/** Funding as an amount for one contract: USD for a base unit, or coins for one USD. */
function fundingAmount(contract: SimContract, rateE8: number, indexPrice: number): number {
  const fraction = rateE8 / 1e8;
  return contract.isInverse ? fraction / indexPrice : fraction * indexPrice;
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const contracts = contract.isInverse
    ? quote.volume24hUsd
    : Number((quote.volume24hUsd / quote.markPrice).toFixed(contract.sizeDecimals));
  // An empty side has no fields at all.
  const top =
    quote.bidPrice > 0
      ? {
          bid: quote.bidPrice,
          bidSize: quote.bidContracts,
          ask: quote.askPrice,
          askSize: quote.askContracts,
        }
      : {};
  return {
    symbol: contract.venueSymbol,
    last: quote.lastPrice,
    lastTime: new Date(view.nowMs - 1500).toISOString(),
    tag: 'perpetual',
    pair: `${contract.base}:${contract.quote}`,
    markPrice: quote.markPrice,
    ...top,
    vol24h: contracts,
    volumeQuote: quote.volume24hUsd,
    openInterest: quote.openInterestContracts,
    // The amount is the rate times the price at the start of the hour, so dividing it by the present price is inexact.
    fundingRate: fundingAmount(contract, quote.rateE8, quote.indexPrice * 1.0073),
    relativeFundingRate: quote.rateE8 / 1e8,
    // The rate of the next hour differs, so that a parser that takes it for the running rate fails.
    fundingRatePrediction: fundingAmount(contract, quote.rateE8 + 777, quote.indexPrice),
    suspended: false,
    indexPrice: quote.indexPrice,
    postOnly: false,
    change24h: 0.4,
  };
}

function datedTicker(row: { symbol: string; pair: string }, view: SimView): object {
  return {
    symbol: row.symbol,
    tag: 'quarter',
    pair: row.pair,
    markPrice: 97_000,
    suspended: false,
    vol24h: 3,
    lastTime: new Date(view.nowMs).toISOString(),
  };
}

/** Rows carry the start of their hour; the running hour already has a row. */
function fundingRates(contract: SimContract, view: SimView): object[] {
  const quote = view.quote(contract);
  const hours = view
    .settlements(contract, view.nowMs - HISTORY_MS, view.nowMs)
    .map((settlement) => ({ startMs: settlement.settledAtMs - HOUR_MS, rateE8: settlement.rateE8 }));
  hours.push({ startMs: quote.nextFundingAtMs - HOUR_MS, rateE8: quote.rateE8 });
  return hours.map(({ startMs, rateE8 }) => ({
    timestamp: hourText(startMs),
    fundingRate: fundingAmount(contract, rateE8, quote.indexPrice),
    relativeFundingRate: rateE8 / 1e8,
  }));
}

function answer(path: string, query: URLSearchParams, view: SimView): unknown {
  const wanted = view.find(query.get('symbol') ?? '');
  const unknownSymbol = { result: 'error', error: 'invalidArgument: symbol' };
  switch (path) {
    case '/instruments':
      return success(view, {
        instruments:
          view.contracts.length === 0
            ? []
            : [...DATED_FUTURES, ...view.contracts.map((contract) => instrument(contract, view))],
      });
    case '/tickers':
      return success(view, {
        tickers: [
          ...view.open.map((contract) => ticker(contract, view)),
          ...DATED_FUTURES.map((row) => datedTicker(row, view)),
        ],
      });
    case '/historical-funding-rates':
      return wanted ? success(view, { rates: fundingRates(wanted, view) }) : unknownSymbol;
    case '/orderbook':
      return wanted ? success(view, { orderBook: view.book(wanted, BOOK_LEVELS) }) : unknownSymbol;
    default:
      return undefined;
  }
}

export const kraken: SimVenue = {
  profile: {
    slug: 'kraken',
    listings: { isListedBeforeOpening: true, listingTime: 'exact' },
    exchange: 'Kraken',
    quotes: ['USD'],
    inverseQuote: 'USD',
    inverseTickers: ['BTC', 'ETH', 'XRP', 'LTC'],
    inverseFaceUsd: () => 1,
    intervals: [1],
    rateCap: 0.005,
    coverage: 0.8,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base, quote, isInverse }) => `${isInverse ? 'PI' : 'PF'}_${nameOf(base)}${quote}`,
  },
  http: ({ path, query }, view) =>
    path.startsWith(PREFIX) ? answer(path.slice(PREFIX.length), query, view) : undefined,
};
