import { ownValue } from '../../src/base/own-value.ts';
import { DAY_MS, SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { priceText, rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

function market(contract: SimContract): object {
  return {
    symbol: contract.venueSymbol,
    type: 'FuturesPerpetual',
    category: { crypto: 'CRYPTO', commodity: 'COMMODITIES', stock: 'STOCK', index: 'STOCK', forex: 'STOCK' }[
      contract.coin.assetClass ?? 'crypto'
    ],
    tradeCurrency: `${contract.base}-PERP`,
    baseCurrency: contract.base,
    quoteCurrency: contract.quote,
    displayName: contract.base,
    active: true,
    minPriceIncrement: priceText(contract, 10 ** -contract.priceDecimals),
    pricePrecision: contract.priceDecimals,
    minOrderSize: '1',
    minSizeIncrement: '1',
    sizePrecision: 0,
    contractSize: String(contract.contractSize),
    availableSettlement: ['USD', 'USDT', 'USDC'],
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const contracts = quote.volume24hUsd / quote.markPrice / contract.contractSize;
  return {
    symbol: contract.venueSymbol,
    lastPrice: priceText(contract, quote.lastPrice),
    amount: contracts.toFixed(0),
    volume: quote.volume24hUsd.toFixed(6),
    openTime: Math.floor((view.nowMs - DAY_MS) / SECOND_MS),
    closeTime: Math.floor(view.nowMs / SECOND_MS),
    bidPrice: priceText(contract, quote.bidPrice),
    bidQty: String(quote.bidContracts),
    askPrice: priceText(contract, quote.askPrice),
    askQty: String(quote.askContracts),
    openInterest: String(quote.openInterestContracts),
    fundingRate: rateText(quote.rateE8),
    nextFundingTime: quote.nextFundingAtMs,
    fundingIntervalMinutes: quote.intervalHours * 60,
  };
}

/** The older API spells a contract without its quote, has numbers in place of texts, and dated futures in the list. */
function prices(view: SimView): object[] {
  const rows = view.open.map((contract) => {
    const { indexPrice, lastPrice, markPrice } = view.quote(contract);
    return { symbol: `${contract.base}-PERP`, indexPrice, lastPrice, markPrice };
  });
  return [...rows, { symbol: 'BTC-261225', indexPrice: 100_000, lastPrice: 100_000, markPrice: 100_000 }];
}

const PERIOD_DAYS: Readonly<Record<string, number>> = { '7D': 7, '2W': 14, '1M': 30 };
const MAX_DELAY_MS = 1000;

/** Each print has a stamp up to a second after the hour. */
function history(contract: SimContract, period: string, view: SimView): object[] {
  const days = ownValue(PERIOD_DAYS, period) ?? 7;
  return view
    .settlements(contract, view.nowMs - days * DAY_MS, view.nowMs)
    .map(({ settledAtMs, rateE8 }) => ({
      timestamp: settledAtMs + (contract.seed % MAX_DELAY_MS),
      rate: rateText(rateE8),
    }))
    .reverse();
}

/** The best ask is last. */
function orderbook(contract: SimContract, view: SimView, levels: number): object {
  const book = view.book(contract, Math.min(50, levels));
  const side = (rows: [number, number][]) => rows.map(([p, s]) => [priceText(contract, p), String(s)]);
  return { timestamp: view.nowMs, bids: side(book.bids), asks: side(book.asks).reverse() };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: unknown) => ({ data, code: 1, msg: 'Success', success: true, time: view.nowMs });
  const wanted = view.find(query.get('symbol') ?? '');
  const msg = `Request parameter is invalid: Invalid symbol format ${query.get('symbol')}`;
  const invalid = { code: 10010004, msg, success: false, time: view.nowMs, data: [] };
  switch (path) {
    case '/public-api/market/v1/markets':
      return ok({ symbols: view.open.map((contract) => market(contract)) });
    case '/public-api/market/v1/ticker/24hr':
      return ok(view.open.map((contract) => ticker(contract, view)));
    case '/futures/api/v2.3/price':
      return prices(view);
    case '/public-api/market/v1/recentFundingHistory':
      return wanted ? ok(history(wanted, query.get('period') ?? '', view)) : invalid;
    case '/public-api/market/v1/orderbook':
      return wanted ? ok(orderbook(wanted, view, Number(query.get('depth') ?? 10))) : invalid;
    default:
      return undefined;
  }
}

export const btse: SimVenue = {
  profile: {
    slug: 'btse',
    exchange: 'BTSE',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4],
    rateCap: 0.02,
    coverage: 0.35,
    multipliedBase: (ticker, multiplier) => (multiplier === 1000 ? `1K${ticker}` : `1M${ticker}`),
    contractSize: (coin) =>
      coin.anchorPriceUsd > 10_000
        ? 0.00001
        : coin.anchorPriceUsd > 100
          ? 0.0001
          : coin.anchorPriceUsd > 1
            ? 0.01
            : 1,
    sizeDecimals: () => 0,
    venueSymbol: ({ base, quote }) => `${base}-PERP-${quote}`,
  },
  http,
};
