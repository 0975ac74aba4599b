import type { SimContract } from '../contracts.ts';
import { priceText, rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';
import { bookTickerOf, depthOf } from './binance.ts';

const NO_DELIVERY_MS = 4_133_404_800_000;
const PREFIX = '/fapi/v3';
const NOTICES_PATH = '/bapi/composite/v1/public/composite/ae/announcement/search';
const NOTICE_REACH_MS = 90 * 86_400_000;
const CATEGORY = { listing: 'NEW_LISTING', delisting: 'DELISTING', other: 'ACTIVITY' };

const STATUS = {
  unknown: 'CLOSE',
  preopen: 'PENDING_TRADING',
  trading: 'TRADING',
  delisting: 'TRADING',
  delisted: 'CLOSE',
};

function instrument(contract: SimContract, view: SimView): object {
  const status = view.status(contract);
  return {
    symbol: contract.venueSymbol,
    pair: contract.venueSymbol,
    contractType: 'PERPETUAL',
    deliveryDate: status === 'delisting' ? contract.delistsAtMs : NO_DELIVERY_MS,
    onboardDate: contract.listedAtMs,
    status: STATUS[status],
    baseAsset: contract.base,
    quoteAsset: contract.quote,
    marginAsset: contract.settle,
    pricePrecision: contract.priceDecimals,
    quantityPrecision: contract.sizeDecimals,
    underlyingType: 'COIN',
    underlyingSubType: [],
    channel: '',
    filters: [],
  };
}

/** The real premiumIndex still has symbols that the list no longer has. */
const GONE = {
  symbol: 'GONEUSDT',
  markPrice: '1.00000000',
  lastFundingRate: '0.00000000',
  nextFundingTime: 0,
};

function notices(body: unknown, view: SimView): unknown {
  const { page, size } = body as { page: number; size: number };
  const all = view.notices(view.nowMs - NOTICE_REACH_MS, view.nowMs).toReversed();
  const rows = all.slice((page - 1) * size, page * size).map((notice) => ({
    id: notice.id,
    category: CATEGORY[notice.kind],
    title: notice.title,
    subtitle: null,
    content: notice.body,
    publishTime: notice.publishedAtMs,
    jumpLink: `https://www.asterdex.com/en/support/announcement/detail/${notice.id}`,
  }));
  return { code: '000000', message: null, data: { total: all.length, rows }, success: true };
}

function answer(path: string, query: URLSearchParams, view: SimView): unknown {
  const wanted = view.find(query.get('symbol') ?? '');
  switch (path) {
    case '/exchangeInfo':
      return {
        timezone: 'UTC',
        serverTime: view.nowMs,
        symbols: view.contracts.map((contract) => instrument(contract, view)),
      };
    case '/premiumIndex':
      return [
        ...view.open.map((contract) => {
          const quote = view.quote(contract);
          return {
            symbol: contract.venueSymbol,
            markPrice: quote.markPrice.toFixed(8),
            indexPrice: quote.indexPrice.toFixed(8),
            estimatedSettlePrice: quote.indexPrice.toFixed(8),
            lastFundingRate: rateText(quote.rateE8),
            interestRate: '0.00010000',
            nextFundingTime: quote.nextFundingAtMs,
            time: view.nowMs,
          };
        }),
        { ...GONE, time: view.nowMs },
      ];
    case '/fundingInfo':
      return view.open.map((contract) => ({
        symbol: contract.venueSymbol,
        interestRate: '0.00010000',
        time: view.nowMs,
        fundingIntervalHours: view.quote(contract).intervalHours,
        fundingFeeCap: contract.rateCap,
        fundingFeeFloor: -contract.rateCap,
      }));
    case '/ticker/24hr':
      return view.open.map((contract) => {
        const quote = view.quote(contract);
        return {
          symbol: contract.venueSymbol,
          lastPrice: priceText(contract, quote.lastPrice),
          volume: (quote.volume24hUsd / quote.markPrice).toFixed(3),
          quoteVolume: quote.volume24hUsd.toFixed(2),
          closeTime: view.nowMs,
        };
      });
    case '/ticker/bookTicker':
      return view.open.map((contract) => bookTickerOf(contract, view));
    case '/depth':
      return wanted && depthOf(wanted, query, view);
    case '/fundingRate': {
      if (!wanted) return [];
      const fromMs = Number(query.get('startTime') ?? 0);
      const toMs = Number(query.get('endTime') ?? view.nowMs);
      return view
        .settlements(wanted, fromMs - 60_000, toMs)
        .map((settlement) => ({
          symbol: wanted.venueSymbol,
          fundingTime: settlement.settledAtMs + (wanted.seed % 3),
          fundingRate: rateText(settlement.rateE8),
        }))
        .filter((row) => row.fundingTime >= fromMs && row.fundingTime <= toMs)
        .slice(0, Number(query.get('limit') ?? 100));
    }
    default:
      return undefined;
  }
}

export const aster: SimVenue = {
  profile: {
    slug: 'aster',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', ending: 'time', notices: 'texts' },
    exchange: 'Aster',
    quotes: ['USDT', 'USD1'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1, 2],
    rateCap: 0.03,
    coverage: 0.75,
    multipliedBase: (ticker, multiplier) => (multiplier === 1_000_000 ? `1M${ticker}` : `1000${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 3 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote }) => `${base}${quote}`,
  },
  http: ({ host, method, path, query, body }: SimRequest, view) => {
    if (host === 'web') return method === 'POST' && path === NOTICES_PATH ? notices(body, view) : undefined;
    return path.startsWith(PREFIX) ? answer(path.slice(PREFIX.length), query, view) : undefined;
  },
};
