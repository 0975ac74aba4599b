import type { SimContract } from '../contracts.ts';
import { rateText, type SimRequest, type SimSocket, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const PREFIX = '/api/v1';

/** The venue's times carry no zone and, where they are not whole, microseconds. */
const naiveIso = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 19);

function market(contract: SimContract, view: SimView): object {
  const status = view.status(contract);
  return {
    symbol: contract.venueSymbol,
    baseSymbol: contract.base,
    quoteSymbol: contract.quote,
    marketType: 'PERP',
    rwaMarketType: null,
    filters: {
      price: {
        minPrice: '0.0001',
        tickSize: (10 ** -contract.priceDecimals).toFixed(contract.priceDecimals),
      },
      quantity: { minQuantity: '1', stepSize: (10 ** -contract.sizeDecimals).toFixed(contract.sizeDecimals) },
    },
    imfFunction: { type: 'sqrt', base: '0.05', factor: '0.0001' },
    fundingInterval: view.quote(contract).intervalHours * 3_600_000,
    fundingRateUpperBound: String(contract.rateCap * 10_000),
    fundingRateLowerBound: String(-contract.rateCap * 10_000),
    orderBookState: status === 'preopen' ? 'PostOnly' : 'Open',
    createdAt: `${naiveIso(contract.listedAtMs)}.691858`,
    visible: status !== 'preopen',
  };
}

/** Spot markets and closed perpetuals are in the same list. */
const OTHERS = [
  { symbol: 'SOL_USDC', baseSymbol: 'SOL', quoteSymbol: 'USDC', marketType: 'SPOT', orderBookState: 'Open' },
  {
    symbol: 'GONE_USDC_PERP',
    baseSymbol: 'GONE',
    quoteSymbol: 'USDC',
    marketType: 'PERP',
    fundingInterval: 3_600_000,
    orderBookState: 'Closed',
    createdAt: '2025-01-21T06:34:54.691858',
    visible: true,
  },
];

function fundingRates(contract: SimContract, query: URLSearchParams, view: SimView): object[] {
  // Longer pages are cut without a word.
  const limit = Math.min(1000, Number(query.get('limit') ?? 100));
  const offset = Number(query.get('offset') ?? 0);
  const reachMs = (limit + offset + 2) * 8 * 3_600_000;
  const { nextFundingAtMs, rateE8: runningE8 } = view.quote(contract);
  const settled = view.settlements(contract, view.nowMs - reachMs, view.nowMs).toReversed();
  return [{ settledAtMs: nextFundingAtMs, rateE8: runningE8 }, ...settled]
    .slice(offset, offset + limit)
    .map(({ settledAtMs, rateE8 }) => ({
      symbol: contract.venueSymbol,
      intervalEndTimestamp: naiveIso(settledAtMs),
      fundingRate: rateText(rateE8),
    }));
}

function answer(path: string, query: URLSearchParams, view: SimView): unknown {
  const wanted = view.find(query.get('symbol') ?? '');
  switch (path) {
    case '/markets':
      return [...view.contracts.map((contract) => market(contract, view)), ...OTHERS];
    case '/markPrices':
      return (query.has('symbol') ? view.open.filter((contract) => contract === wanted) : view.open).map(
        (contract) => {
          const quote = view.quote(contract);
          return {
            symbol: contract.venueSymbol,
            markPrice: String(quote.markPrice),
            indexPrice: String(quote.indexPrice),
            fundingRate: rateText(quote.rateE8),
            nextFundingTimestamp: quote.nextFundingAtMs,
          };
        },
      );
    case '/tickers':
      return [
        ...view.open.map((contract) => {
          const quote = view.quote(contract);
          return {
            symbol: contract.venueSymbol,
            lastPrice: quote.lastPrice.toFixed(contract.priceDecimals),
            volume: (quote.volume24hUsd / quote.markPrice).toFixed(3),
            quoteVolume: quote.volume24hUsd.toFixed(4),
            trades: '1200',
          };
        }),
        { symbol: 'SOL_USDC', lastPrice: '187', volume: '10', quoteVolume: '1870', trades: '3' },
      ];
    case '/fundingRates':
      // An unknown symbol has an empty history, not an error.
      return wanted ? fundingRates(wanted, query, view) : [];
    case '/depth': {
      if (!wanted) return undefined;
      const book = view.book(wanted, Number(query.get('limit') ?? 1000));
      const side = (levels: [number, number][]) =>
        levels
          .map(([p, s]) => [p.toFixed(wanted.priceDecimals), s.toFixed(wanted.sizeDecimals)])
          .toReversed();
      return {
        asks: side(book.asks),
        bids: side(book.bids),
        lastUpdateId: String(view.nowMs),
        timestamp: view.nowMs * 1000,
      };
    }
    default:
      return undefined;
  }
}

function socket(): SimSocket {
  const wanted = new Set<string>();
  return {
    receive: (message) => {
      const { method, params } = message as { method?: string; params?: string[] };
      if (method === 'SUBSCRIBE')
        for (const name of params ?? []) wanted.add(name.replace('bookTicker.', ''));
      return [];
    },
    tick: (view) =>
      view.open
        .filter((contract) => wanted.has(contract.venueSymbol))
        .map((contract) => {
          const quote = view.quote(contract);
          const data = {
            e: 'bookTicker',
            E: view.nowMs * 1000,
            s: contract.venueSymbol,
            a: quote.askPrice.toFixed(contract.priceDecimals),
            A: quote.askContracts.toFixed(contract.sizeDecimals),
            b: quote.bidPrice.toFixed(contract.priceDecimals),
            B: quote.bidContracts.toFixed(contract.sizeDecimals),
            u: String(view.nowMs),
            T: view.nowMs * 1000,
          };
          return JSON.stringify({ stream: `bookTicker.${contract.venueSymbol}`, data });
        }),
  };
}

export const backpack: SimVenue = {
  profile: {
    slug: 'backpack',
    listings: { isListedBeforeOpening: true, listingTime: 'exact' },
    exchange: 'Backpack',
    quotes: ['USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1, 8],
    rateCap: 0.015,
    coverage: 0.45,
    multipliedBase: (ticker, multiplier) => (multiplier === 1_000_000 ? `1M${ticker}` : `k${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 3 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote }) => `${base}_${quote}_PERP`,
  },
  http: ({ path, query }: SimRequest, view) =>
    path.startsWith(PREFIX) ? answer(path.slice(PREFIX.length), query, view) : undefined,
  socket,
};
