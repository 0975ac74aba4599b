import { DAY_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';
import { bookTickerOf } from './binance.ts';

const PREFIX = '/capi/v3/market';
const HISTORY_WINDOW_MS = 7 * DAY_MS;

/** The list has no status, and a contract is in it from its opening to its end. */
function instrument(contract: SimContract, view: SimView): object {
  const { intervalHours } = view.quote(contract);
  const hours = Array.from({ length: 24 / intervalHours }, (_, i) => String(i * intervalHours));
  return {
    symbol: contract.venueSymbol,
    displaySymbol: contract.venueSymbol,
    baseAsset: contract.base,
    quoteAsset: contract.quote,
    marginAsset: contract.settle,
    pricePrecision: contract.priceDecimals,
    quantityPrecision: contract.sizeDecimals,
    // The step of an order, not the unit of any size.
    contractVal: sizeText(contract, 10 ** -contract.sizeDecimals),
    delivery: hours.map((hour) => `${hour.padStart(2, '0')}:00:00`),
    forwardContractFlag: true,
    maxLeverage: contract.maxLeverage,
    makerFeeRate: '0.0002',
    takerFeeRate: '0.0008',
    contractType: 'PERPETUAL',
    underlyingType: {
      crypto: 'COIN',
      stock: 'Stocks',
      index: 'Indices',
      commodity: 'Commodities',
      forex: 'Forex',
    }[contract.coin.assetClass ?? 'crypto'],
  };
}

/** The prices of this reply are up to a minute old, although `time` runs on: here 2 % off, so that no parser can take them. */
function premium(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    markPrice: (quote.markPrice * 0.98).toFixed(8),
    indexPrice: (quote.indexPrice * 0.98).toFixed(8),
    forecastFundingRate: rateText(quote.rateE8),
    lastFundingRate: rateText(quote.lastRateE8),
    interestRate: '0.0003',
    nextFundingTime: quote.nextFundingAtMs,
    time: view.nowMs,
    collectCycle: quote.intervalHours * 60,
  };
}

function dayTicker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    lastPrice: priceText(contract, quote.lastPrice),
    volume: (quote.volume24hUsd / quote.markPrice).toFixed(4),
    quoteVolume: quote.volume24hUsd.toFixed(4),
    markPrice: String(quote.markPrice),
    indexPrice: String(quote.indexPrice),
    openTime: view.nowMs - DAY_MS,
    closeTime: view.nowMs,
  };
}

/** Newest first. More than seven days at once are refused. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): unknown {
  const toMs = Number(query.get('endTime') ?? view.nowMs);
  const fromMs = Number(query.get('startTime') ?? toMs - HISTORY_WINDOW_MS);
  if (toMs - fromMs > HISTORY_WINDOW_MS) return { code: -1128, msg: 'Time range cannot exceed 7 days' };
  return view
    .settlements(contract, fromMs, toMs)
    .map((settlement) => ({
      symbol: contract.venueSymbol,
      fundingRate: rateText(settlement.rateE8),
      fundingTime: settlement.settledAtMs,
      markPrice: String(view.quote(contract).markPrice),
    }))
    .reverse()
    .slice(0, Number(query.get('limit') ?? 100));
}

function depth(contract: SimContract, query: URLSearchParams, view: SimView): unknown {
  const levels = Number(query.get('limit') ?? 15);
  if (levels !== 15 && levels !== 200) return { code: -1142, msg: "Parameter 'limit' is invalid." };
  const book = view.book(contract, levels);
  const side = (levels: [number, number][]) => levelTexts(contract, levels);
  return { asks: side(book.asks), bids: side(book.bids), lastUpdateId: view.nowMs };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const wanted = view.find(query.get('symbol') ?? '');
  const invalid = { code: -1142, msg: "Parameter 'symbol' is invalid." };
  switch (path) {
    case `${PREFIX}/exchangeInfo`:
      return { assets: [], rateLimits: [], symbols: view.open.map((one) => instrument(one, view)) };
    case `${PREFIX}/premiumIndex`:
      return view.open.map((contract) => premium(contract, view));
    case `${PREFIX}/ticker/24hr`:
      return view.open.map((contract) => dayTicker(contract, view));
    case `${PREFIX}/ticker/bookTicker`:
      return view.open.map((contract) => bookTickerOf(contract, view));
    case `${PREFIX}/fundingRate`:
      return wanted ? history(wanted, query, view) : invalid;
    case `${PREFIX}/depth`:
      return wanted ? depth(wanted, query, view) : invalid;
    default:
      return undefined;
  }
}

export const weex: SimVenue = {
  profile: {
    slug: 'weex',
    exchange: 'WEEX',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    rateCap: 0.02,
    coverage: 0.8,
    multipliedBase: (ticker, multiplier) => (multiplier === 1_000_000 ? `1M${ticker}` : `1000${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote }) => `${base}${quote}`,
  },
  http,
};
