import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { levelTexts, rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const SHOWN_AHEAD_MS = 2 * HOUR_MS;
const NOTICE_KIND = { listing: 'new_crypto', delisting: 'delistings', other: 'latest_activities' } as const;

function instrument(contract: SimContract, view: SimView): object {
  const isPreMarket = view.status(contract) === 'preopen';
  return {
    symbol: contract.venueSymbol,
    contractType: contract.isInverse ? 'InversePerpetual' : 'LinearPerpetual',
    status: isPreMarket ? 'PreLaunch' : 'Trading',
    baseCoin: wireBase(contract.base),
    quoteCoin: contract.quote,
    launchTime: String(isPreMarket ? contract.listedAtMs - SHOWN_AHEAD_MS : contract.listedAtMs),
    deliveryTime: view.status(contract) === 'delisting' ? String(contract.delistsAtMs) : '0',
    deliveryFeeRate: '',
    priceScale: String(contract.priceDecimals),
    leverageFilter: { minLeverage: '1', maxLeverage: contract.maxLeverage.toFixed(2), leverageStep: '0.01' },
    lotSizeFilter: { qtyStep: String(10 ** -contract.sizeDecimals), minNotionalValue: '5' },
    unifiedMarginTrade: true,
    fundingInterval: view.quote(contract).intervalHours * 60,
    settleCoin: contract.isInverse ? wireBase(contract.settle) : contract.settle,
    isPreListing: isPreMarket,
    preListingInfo: isPreMarket
      ? {
          curAuctionPhase: 'NotStarted',
          phases: [
            { phase: 'CallAuction', startTime: String(contract.listedAtMs - 600_000), endTime: '' },
            { phase: 'ContinuousTrading', startTime: String(contract.listedAtMs), endTime: '' },
          ],
        }
      : null,
    // Thinly traded coins are in the zone whose contracts pay twice the usual fee.
    symbolType: contract.coin.tier === 3 ? 'innovation' : '',
  };
}

/** The venue writes one multiplier after the coin. */
const wireBase = (base: string): string => (base === '1000SHIB' ? 'SHIB1000' : base);

/** The real lists have dated futures among the perpetuals, so ours have one too. */
const DATED_FUTURE = {
  linear: { symbol: 'BTC-25DEC26', contractType: 'LinearFutures', quoteCoin: 'USDC', settleCoin: 'USDC' },
  inverse: { symbol: 'BTCUSDZ26', contractType: 'InverseFutures', quoteCoin: 'USD', settleCoin: 'BTC' },
};

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const price = (value: number) => value.toFixed(contract.priceDecimals);
  const size = (value: number) => value.toFixed(contract.sizeDecimals);
  const inBase = (quote.volume24hUsd / quote.markPrice).toFixed(4);
  const inQuote = quote.volume24hUsd.toFixed(4);
  return {
    symbol: contract.venueSymbol,
    lastPrice: price(quote.lastPrice),
    indexPrice: price(quote.indexPrice),
    markPrice: price(quote.markPrice),
    // Both sides of every position, and beside it one side.
    openInterest: size(2 * quote.openInterestContracts),
    singleOpenInterest: size(quote.openInterestContracts),
    turnover24h: contract.isInverse ? inBase : inQuote,
    volume24h: contract.isInverse ? inQuote : inBase,
    fundingRate: rateText(quote.rateE8),
    nextFundingTime: String(quote.nextFundingAtMs),
    deliveryTime: '0',
    ask1Size: size(quote.askContracts),
    bid1Price: price(quote.bidPrice),
    ask1Price: price(quote.askPrice),
    bid1Size: size(quote.bidContracts),
    curPreListingPhase: '',
    fundingIntervalHour: String(quote.intervalHours),
  };
}

/** The tickers of a contract that is not open yet, and of a dated future. */
const emptyTicker = (symbol: string, deliveryTime: string): object => ({
  symbol,
  lastPrice: '',
  turnover24h: '0',
  volume24h: '0',
  fundingRate: '',
  nextFundingTime: '',
  deliveryTime,
  ask1Size: '',
  bid1Price: '',
  ask1Price: '',
  bid1Size: '',
  fundingIntervalHour: '',
});

function instruments(query: URLSearchParams, view: SimView, mine: readonly SimContract[]): object {
  const isPreMarket = query.get('status') === 'PreLaunch';
  const category = query.get('category') === 'inverse' ? 'inverse' : 'linear';
  const rows = [
    ...mine
      .filter((contract) => (view.status(contract) === 'preopen') === isPreMarket)
      .map((contract) => instrument(contract, view)),
    ...(isPreMarket ? [] : [{ ...DATED_FUTURE[category], baseCoin: 'BTC', status: 'Trading' }]),
  ];
  const limit = Number(query.get('limit') ?? 500);
  const from = Number(query.get('cursor')?.replace('after=', '') ?? 0);
  const page = rows.slice(from, from + limit);
  // Real cursors come percent-encoded, and with the last page too.
  return {
    category,
    list: page,
    nextPageCursor: page.length === 0 ? '' : encodeURIComponent(`after=${from + page.length}`),
  };
}

function fundingHistory(query: URLSearchParams, view: SimView): object {
  const contract = view.find(query.get('symbol') ?? '');
  const limit = Number(query.get('limit') ?? 200);
  const toMs = Number(query.get('endTime') ?? view.nowMs);
  // Without a start the page holds the last prints before its end; none is further than 8 hours from the next.
  const fromMs = Number(query.get('startTime') ?? toMs - limit * 8 * HOUR_MS);
  const settlements = contract ? view.settlements(contract, fromMs, toMs) : [];
  return {
    category: query.get('category'),
    list: settlements
      .toReversed()
      .slice(0, limit)
      .map((settlement) => ({
        symbol: contract?.venueSymbol,
        fundingRate: rateText(settlement.rateE8),
        fundingRateTimestamp: String(settlement.settledAtMs),
      })),
  };
}

function announcements(query: URLSearchParams, view: SimView): object {
  const wanted = query.get('type');
  const notices = view
    .notices(view.nowMs - 60 * DAY_MS, view.nowMs)
    .toReversed()
    .filter((notice) => wanted === null || NOTICE_KIND[notice.kind] === wanted);
  const limit = Number(query.get('limit') ?? 20);
  const first = (Number(query.get('page') ?? 1) - 1) * limit;
  return {
    total: notices.length,
    list: notices.slice(first, first + limit).map((notice) => ({
      title: notice.title,
      description: notice.body,
      type: { title: notice.kind, key: NOTICE_KIND[notice.kind] },
      tags: notice.contract ? ['Derivatives', 'USDT'] : ['Earn'],
      url: `https://announcements.bybit.com/en-US/article/${notice.id}/`,
      dateTimestamp: notice.publishedAtMs,
      publishTime: notice.publishedAtMs,
    })),
  };
}

function result(path: string, query: URLSearchParams, view: SimView): object | undefined {
  const isInverse = query.get('category') === 'inverse';
  const mine = view.contracts.filter((contract) => contract.isInverse === isInverse);
  switch (path) {
    case '/v5/market/instruments-info':
      return instruments(query, view, mine);
    case '/v5/market/tickers':
      return {
        category: query.get('category'),
        list: [
          ...mine.map((contract) =>
            view.status(contract) === 'preopen'
              ? emptyTicker(contract.venueSymbol, '0')
              : ticker(contract, view),
          ),
          emptyTicker(DATED_FUTURE[isInverse ? 'inverse' : 'linear'].symbol, '1798185600000'),
        ],
      };
    case '/v5/market/funding/history':
      return fundingHistory(query, view);
    case '/v5/market/orderbook': {
      const contract = view.find(query.get('symbol') ?? '');
      if (!contract) return undefined;
      const book = view.book(contract, Number(query.get('limit') ?? 25));
      const side = (levels: [number, number][]) => levelTexts(contract, levels);
      return { s: contract.venueSymbol, b: side(book.bids), a: side(book.asks), ts: view.nowMs, u: 1 };
    }
    case '/v5/announcements/index':
      return announcements(query, view);
    default:
      return undefined;
  }
}

export const bybit: SimVenue = {
  profile: {
    slug: 'bybit',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', ending: 'time', notices: 'texts' },
    exchange: 'Bybit',
    quotes: ['USDT', 'USDC'],
    inverseQuote: 'USD',
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    rateCap: 0.03,
    coverage: 0.85,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 3 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote, isInverse }) =>
      isInverse ? `${base}USD` : `${wireBase(base)}${quote === 'USDC' ? 'PERP' : quote}`,
  },
  http: ({ path, query }: SimRequest, view) => {
    const answer = result(path, query, view);
    return answer && { retCode: 0, retMsg: 'OK', result: answer, retExtInfo: {}, time: view.nowMs };
  },
};
