import { HOUR_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { hash } from '../noise.ts';
import type { SimNotice } from '../notices.ts';
import { rateWithChargedE8, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const NOTICE_REACH_MS = 30 * 24 * HOUR_MS;
const FUNDING_PAGE_ROWS = 100;

const STATUS = {
  unknown: 'Closed',
  preopen: 'Init',
  trading: 'Open',
  delisting: 'Open',
  delisted: 'Closed',
};

const NOTICE_TYPE = { listing: 'futures-announcements', delisting: 'delistings', other: 'activities' };

function venueName(currency: string): string {
  return currency === 'BTC' ? 'XBT' : currency;
}

function instrument(contract: SimContract, view: SimView): object {
  const status = view.status(contract);
  return {
    symbol: contract.venueSymbol,
    rootSymbol: venueName(contract.settle),
    type: 'FFWCSX',
    firstOpenDate: contract.listedAtMs,
    expireDate: status === 'delisting' ? contract.delistsAtMs : null,
    settleDate: null,
    baseCurrency: venueName(contract.base),
    displayBaseCurrency: contract.base,
    quoteCurrency: contract.quote,
    settleCurrency: venueName(contract.settle),
    lotSize: 1,
    multiplier: contract.isInverse ? -contract.contractSize : contract.contractSize,
    // The venue marks some plain USDT contracts as quanto.
    isQuanto: contract.seed % 2 === 0 && !contract.isInverse,
    isInverse: contract.isInverse,
    makerFeeRate: 0.0002,
    takerFeeRate: 0.0006,
    status: STATUS[status],
    maxLeverage: contract.maxLeverage,
    assetClass: (contract.coin.assetClass ?? 'crypto').toUpperCase(),
    marketStage: 'NORMAL',
    ...(view.nowMs >= contract.listedAtMs ? live(contract, view) : {}),
  };
}

/** For about a minute after a settlement the reply has the rate just charged. */
const shownRateE8 = (contract: SimContract, view: SimView) => rateWithChargedE8(contract, view, 65);

function live(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const granularityMs = quote.intervalHours * HOUR_MS;
  // The venue adds up both sides of a trade.
  const bothSidesUsd = 2 * quote.volume24hUsd;
  const coins = bothSidesUsd / quote.markPrice;
  return {
    fundingFeeRate: shownRateE8(contract, view) / 1e8,
    lastTimeFundingRate: quote.lastRateE8 / 1e8,
    predictedFundingFeeRate: null,
    fundingRateGranularity: granularityMs,
    // Not every row has the interval in force; those without it have the configured one.
    currentFundingRateGranularity: contract.seed % 5 === 0 ? null : granularityMs,
    effectiveFundingRateCycleStartTime: null,
    nextFundingRateTime: quote.nextFundingAtMs - view.nowMs,
    nextFundingRateDateTime: quote.nextFundingAtMs,
    turnoverOf24h: contract.isInverse ? -coins : bothSidesUsd,
    volumeOf24h: contract.isInverse ? 2 * Math.round(quote.volume24hUsd / contract.contractSize) : coins,
    markPrice: quote.markPrice,
    indexPrice: quote.indexPrice,
    openInterest: String(quote.openInterestContracts),
    lastTradePrice: quote.lastPrice,
  };
}

/** The real list has dated futures among the perpetuals, so ours has one too. */
const DATED_FUTURE = {
  symbol: 'XBTMH27',
  type: 'FFICSX',
  expireDate: 1_806_048_000_000,
  baseCurrency: 'XBT',
  quoteCurrency: 'USD',
  settleCurrency: 'XBT',
  multiplier: -1,
  isInverse: true,
  status: 'Open',
};

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    sequence: view.nowMs,
    symbol: contract.venueSymbol,
    side: 'buy',
    size: 1,
    price: quote.lastPrice.toFixed(contract.priceDecimals),
    bestBidPrice: quote.bidPrice.toFixed(contract.priceDecimals),
    bestBidSize: quote.bidContracts,
    bestAskPrice: quote.askPrice.toFixed(contract.priceDecimals),
    bestAskSize: quote.askContracts,
    ts: view.nowMs * 1e6,
  };
}

function announcement(notice: SimNotice): object {
  return {
    annId: hash(notice.id),
    annTitle: notice.title,
    annType: ['latest-announcements', NOTICE_TYPE[notice.kind]],
    annDesc: notice.body,
    cTime: notice.publishedAtMs,
    language: 'en_US',
    annUrl: `https://www.kucoin.com/announcement/${notice.id}?lang=en_US`,
  };
}

function announcements(query: URLSearchParams, view: SimView): object {
  const pageSize = Number(query.get('pageSize') ?? 50);
  const newest = view.notices(view.nowMs - NOTICE_REACH_MS, view.nowMs).toReversed();
  return {
    totalNum: newest.length,
    totalPage: Math.ceil(newest.length / pageSize),
    currentPage: 1,
    pageSize,
    items: newest.slice(0, pageSize).map(announcement),
  };
}

function answer({ host, path, query }: SimRequest, view: SimView): unknown {
  if (host === 'notices') return path === '/api/v3/announcements' ? announcements(query, view) : undefined;
  const wanted = view.find(query.get('symbol') ?? '');
  switch (path) {
    case '/api/v1/contracts/active':
      return [...view.contracts.map((contract) => instrument(contract, view)), DATED_FUTURE];
    case '/api/v1/allTickers':
      return view.open.map((contract) => ticker(contract, view));
    case '/api/v1/level2/depth100': {
      if (!wanted) return undefined;
      const { bids, asks } = view.book(wanted, 100);
      return { sequence: view.nowMs, symbol: wanted.venueSymbol, bids, asks, ts: view.nowMs * 1e6 };
    }
    case '/api/v1/contract/funding-rates':
      if (!wanted) return [];
      return view
        .settlements(wanted, Number(query.get('from')), Number(query.get('to')))
        .toReversed()
        .slice(0, FUNDING_PAGE_ROWS)
        .map(({ settledAtMs, rateE8 }) => ({
          symbol: wanted.venueSymbol,
          fundingRate: rateE8 / 1e8,
          timepoint: settledAtMs,
        }));
    default:
      return undefined;
  }
}

export const kucoin: SimVenue = {
  profile: {
    slug: 'kucoin',
    listings: {
      isListedBeforeOpening: true,
      listingTime: 'exact',
      ending: 'time',
      notices: 'texts',
      noticeDays: 30,
    },
    exchange: 'KuCoin',
    quotes: ['USDT', 'USDC'],
    inverseQuote: 'USD',
    inverseTickers: ['BTC', 'ETH', 'SOL', 'XRP'],
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    // 23:00, 03:00, … as TRUSTUSDTM, and 04:00, 12:00, 20:00 as all contracts of 2021 to 2023.
    offGridHours: { 4: 3, 8: 4 },
    afterSettlement: { estimateSeconds: 10, chargedSeconds: 60 },
    rateCap: 0.02,
    coverage: 0.85,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: (coin, multiplier) => {
      const price = coin.anchorPriceUsd * multiplier;
      return price > 10_000 ? 0.001 : price > 100 ? 0.01 : price > 1 ? 1 : 10;
    },
    sizeDecimals: () => 0,
    venueSymbol: ({ base, quote }) => `${venueName(base)}${quote}M`,
  },
  publishes: (contract, _quote, view) => ({ ratePct: shownRateE8(contract, view) / 1e6 }),
  http: (request, view) => {
    const data = answer(request, view);
    return data === undefined ? undefined : { code: '200000', data };
  },
};
