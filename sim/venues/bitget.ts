import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const CLASSIC_STATUS = {
  unknown: 'off',
  preopen: 'listed',
  trading: 'normal',
  delisting: 'normal',
  delisted: 'off',
};
const UNIFIED_STATUS = { ...CLASSIC_STATUS, trading: 'online', delisting: 'online', delisted: 'offline' };
const NOTICE_TYPE = { listing: 'coin_listings', delisting: 'symbol_delisting', other: 'latest_news' };
const NOTICE_SUB_TYPE = { listing: 'futures', delisting: 'trading_pair_delisting', other: 'announcements' };
const NOTICES_A_PAGE = 10;
const LONGEST_INTERVAL_MS = 8 * HOUR_MS;

function productTypeOf(contract: SimContract): string {
  return contract.isInverse ? 'COIN-FUTURES' : `${contract.settle}-FUTURES`;
}

/** The venue counts base units everywhere, so a coin-settled contract's dollars are converted to coins. */
function size(contract: SimContract, contracts: number, price: number): string {
  return contract.isInverse ? String(contracts / price) : contracts.toFixed(contract.sizeDecimals);
}

function timesOf(contract: SimContract, view: SimView): object {
  const isLeaving = view.status(contract) === 'delisting';
  return {
    offTime: isLeaving ? String(contract.delistsAtMs) : '-1',
    limitOpenTime: isLeaving ? String((contract.delistsAtMs ?? 0) - DAY_MS) : '-1',
    deliveryTime: '',
    deliveryStartTime: '',
    launchTime: contract.announcedAtMs > view.nowMs - 90 * DAY_MS ? String(contract.listedAtMs) : '',
    fundInterval: String(view.quote(contract).intervalHours),
    maintainTime: '',
    isRwa: 'NO',
  };
}

function classicContract(contract: SimContract, view: SimView): object {
  return {
    symbol: contract.venueSymbol,
    baseCoin: contract.base,
    quoteCoin: contract.quote,
    takerFeeRate: '0.0006',
    supportMarginCoins: contract.isInverse ? [contract.base, 'USDC', 'BGB'] : [contract.settle],
    sizeMultiplier: String(10 ** -contract.sizeDecimals),
    symbolType: 'perpetual',
    symbolStatus: CLASSIC_STATUS[view.status(contract)],
    maxLever: String(contract.maxLeverage),
    ...timesOf(contract, view),
  };
}

function unifiedInstrument(contract: SimContract, view: SimView): object {
  return {
    symbol: contract.venueSymbol,
    category: productTypeOf(contract),
    baseCoin: contract.base,
    quoteCoin: contract.quote,
    takerFeeRate: '0.0006',
    quantityPrecision: String(contract.sizeDecimals),
    type: 'perpetual',
    status: UNIFIED_STATUS[view.status(contract)],
    maxLeverage: String(contract.maxLeverage),
    symbolType: 'crypto',
    ...timesOf(contract, view),
  };
}

/** The coin-settled list has dated futures too, with an empty rate and no next settlement. */
const DATED_FUTURE = {
  symbol: 'BTCUSDH27',
  baseCoin: 'BTC',
  quoteCoin: 'USD',
  symbolType: 'delivery',
  symbolStatus: 'normal',
};

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const price = (value: number) => value.toFixed(contract.priceDecimals);
  return {
    symbol: contract.venueSymbol,
    lastPr: price(quote.lastPrice),
    askPr: price(quote.askPrice),
    bidPr: price(quote.bidPrice),
    bidSz: size(contract, quote.bidContracts, quote.bidPrice),
    askSz: size(contract, quote.askContracts, quote.askPrice),
    ts: String(view.nowMs),
    baseVolume: (quote.volume24hUsd / quote.markPrice).toFixed(4),
    quoteVolume: quote.volume24hUsd.toFixed(4),
    usdtVolume: quote.volume24hUsd.toFixed(4),
    indexPrice: String(quote.indexPrice),
    fundingRate: rateText(quote.rateE8),
    deliveryStartTime: null,
    deliveryTime: null,
    markPrice: String(quote.markPrice),
    holdingAmount: size(contract, quote.openInterestContracts, quote.markPrice),
  };
}

function fundRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    fundingRate: rateText(quote.rateE8),
    fundingRateInterval: String(quote.intervalHours),
    nextUpdate: String(quote.nextFundingAtMs),
    minFundingRate: `-${contract.rateCap}`,
    maxFundingRate: String(contract.rateCap),
  };
}

function history(contract: SimContract, view: SimView, pageNo: number, pageSize: number): object[] {
  const fromMs = view.nowMs - pageNo * pageSize * LONGEST_INTERVAL_MS;
  return view
    .settlements(contract, fromMs, view.nowMs)
    .reverse()
    .slice((pageNo - 1) * pageSize, pageNo * pageSize)
    .map((settlement) => ({
      symbol: contract.venueSymbol,
      fundingRate: rateText(settlement.rateE8),
      fundingTime: String(settlement.settledAtMs),
    }));
}

function dataOf({ path, query }: SimRequest, view: SimView): unknown {
  const wanted = query.get('productType') ?? query.get('category');
  const mine = (list: readonly SimContract[]) => list.filter((c) => productTypeOf(c) === wanted);
  const contract = view.find(query.get('symbol') ?? '');
  const isCoin = wanted === 'COIN-FUTURES';
  switch (path) {
    case '/api/v2/mix/market/contracts':
      return [
        ...mine(view.contracts).map((c) => classicContract(c, view)),
        ...(isCoin ? [DATED_FUTURE] : []),
      ];
    case '/api/v3/market/instruments':
      return isCoin ? undefined : mine(view.contracts).map((c) => unifiedInstrument(c, view));
    case '/api/v2/mix/market/tickers':
      return mine(view.open).map((c) => ticker(c, view));
    case '/api/v2/mix/market/current-fund-rate':
      return [
        ...mine(view.open).map((c) => fundRate(c, view)),
        { symbol: DATED_FUTURE.symbol, fundingRate: '0', fundingRateInterval: '', nextUpdate: '0' },
      ];
    case '/api/v2/mix/market/history-fund-rate':
      return contract
        ? history(contract, view, Number(query.get('pageNo') ?? 1), Number(query.get('pageSize') ?? 20))
        : undefined;
    case '/api/v2/mix/market/merge-depth': {
      if (!contract) return undefined;
      const book = view.book(contract, query.get('limit') === 'max' ? 100 : Number(query.get('limit')));
      const side = (levels: [number, number][]) =>
        levels.map(([price, contracts]) => [price, Number(size(contract, contracts, price))]);
      return { asks: side(book.asks), bids: side(book.bids), ts: String(view.nowMs), precision: 'scale0' };
    }
    case '/api/v2/public/annoucements':
      return view
        .notices(view.nowMs - 30 * DAY_MS, view.nowMs)
        .filter((notice) => NOTICE_TYPE[notice.kind] === query.get('annType'))
        .reverse()
        .slice(0, NOTICES_A_PAGE)
        .map((notice) => ({
          annId: notice.id,
          annTitle: notice.title,
          annDesc: notice.body,
          cTime: String(notice.publishedAtMs),
          language: 'en_US',
          annUrl: `https://www.bitget.com/support/articles/${notice.id}`,
          annType: NOTICE_TYPE[notice.kind],
          annSubType: NOTICE_SUB_TYPE[notice.kind],
        }));
    default:
      return undefined;
  }
}

export const bitget: SimVenue = {
  profile: {
    slug: 'bitget',
    listings: {
      isListedBeforeOpening: true,
      listingTime: 'exact',
      ending: 'time',
      notices: 'texts',
      noticeDays: 30,
    },
    exchange: 'Bitget',
    quotes: ['USDT', 'USDC'],
    inverseQuote: 'USD',
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1, 2],
    rateCap: 0.02,
    coverage: 0.85,
    multipliedBase: (ticker, multiplier) => (multiplier === 1_000_000 ? `1M${ticker}` : `1000${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote, isInverse }) =>
      isInverse ? `${base}USD` : quote === 'USDC' ? `${base}PERP` : `${base}${quote}`,
  },
  http: (request, view) => {
    const data = dataOf(request, view);
    return data === undefined ? undefined : { code: '00000', msg: 'success', requestTime: view.nowMs, data };
  },
};
