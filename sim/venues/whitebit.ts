import { HOUR_MS, SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import {
  levelTexts,
  priceText,
  rateText,
  type SimRequest,
  type SimSocket,
  type SimVenue,
  sizeText,
} from '../venue.ts';
import type { SimView } from '../view.ts';

function market(contract: SimContract, view: SimView): object {
  const isEnding = view.status(contract) === 'delisting' && contract.delistsAtMs !== null;
  return {
    name: contract.venueSymbol,
    stock: contract.base,
    money: contract.quote,
    stockPrec: String(contract.sizeDecimals),
    moneyPrec: String(contract.priceDecimals),
    feePrec: '6',
    makerFee: '0.01',
    takerFee: '0.055',
    minAmount: sizeText(contract, 10 ** -contract.sizeDecimals),
    minTotal: '5.05',
    maxTotal: '100000000000',
    tradesEnabled: true,
    isCollateral: true,
    type: 'futures',
    isTradFiFutures: false,
    delistedAt: isEnding ? (contract.delistsAtMs ?? 0) / SECOND_MS : null,
  };
}

/** The real list has spot markets among the perpetuals, so ours has one too. */
const SPOT = {
  name: 'BTC_USDT',
  stock: 'BTC',
  money: 'USDT',
  stockPrec: '6',
  moneyPrec: '2',
  makerFee: '0.1',
  takerFee: '0.1',
  tradesEnabled: true,
  isCollateral: true,
  type: 'spot',
  isTradFiFutures: false,
  delistedAt: null,
};

function future(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    ticker_id: contract.venueSymbol,
    stock_currency: contract.base,
    money_currency: contract.quote,
    last_price: priceText(contract, quote.lastPrice),
    stock_volume: (quote.volume24hUsd / quote.markPrice).toFixed(6),
    money_volume: quote.volume24hUsd.toFixed(4),
    bid: priceText(contract, quote.bidPrice),
    ask: priceText(contract, quote.askPrice),
    product_type: 'Perpetual',
    open_interest: sizeText(contract, quote.openInterestContracts),
    index_price: quote.indexPrice.toFixed(contract.priceDecimals + 1),
    index_name: `${contract.base} future contract`,
    index_currency: contract.base,
    mark_price: quote.markPrice.toFixed(contract.priceDecimals + 1),
    funding_rate: rateText(quote.rateE8),
    next_funding_rate_timestamp: String(quote.nextFundingAtMs),
    funding_interval_minutes: quote.intervalHours * 60,
    funding_cap: '0.02',
    funding_floor: '-0.02',
    brackets: { '1': 0, '10': 0, '100': 50 },
    max_leverage: contract.maxLeverage,
  };
}

/** Newest first; both ends of the window in seconds. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object[] {
  const fromMs = Number(query.get('startDate') ?? 0) * SECOND_MS;
  const toMs = Number(query.get('endDate') ?? view.nowMs / SECOND_MS) * SECOND_MS;
  return view
    .settlements(contract, fromMs, toMs)
    .map(({ settledAtMs, rateE8, intervalHours }) => ({
      fundingTime: String(settledAtMs / SECOND_MS),
      fundingRate: rateText(rateE8),
      market: contract.venueSymbol,
      settlementPrice: priceText(contract, view.quote(contract).markPrice),
      rateCalculatedTime: String((settledAtMs - intervalHours * HOUR_MS) / SECOND_MS),
    }))
    .reverse()
    .slice(0, Math.min(100, Number(query.get('limit') ?? 100)));
}

function orderbook(contract: SimContract, view: SimView, levels: number): object {
  const book = view.book(contract, levels);
  const side = (levels: [number, number][]) => levelTexts(contract, levels);
  return {
    ticker_id: contract.venueSymbol,
    timestamp: Math.floor(view.nowMs / SECOND_MS),
    asks: side(book.asks),
    bids: side(book.bids),
  };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const [, call, name] = /^\/api\/v4\/public\/([a-z-]+)(?:\/(.+))?$/.exec(path) ?? [];
  const wanted = view.find(name ?? '');
  const unavailable = { market: ['Market is not available.'] };
  switch (call) {
    case 'markets':
      // The list has only markets that trade.
      return [SPOT, ...view.open.map((contract) => market(contract, view))];
    case 'futures':
      return { success: true, message: null, result: view.open.map((contract) => future(contract, view)) };
    case 'funding-history':
      return wanted ? history(wanted, query, view) : unavailable;
    case 'orderbook':
      return wanted ? orderbook(wanted, view, Number(query.get('limit') || 100)) : unavailable;
    default:
      return undefined;
  }
}

/** Tops of the subscribed contracts, each only when it has changed. One unknown market refuses the whole request. */
function socket(): SimSocket {
  const markets = new Set<string>();
  const sent = new Map<string, string>();
  return {
    receive: (message, view) => {
      const { id, method, params } = (message ?? {}) as { id?: unknown; method?: unknown; params?: unknown };
      const answer = (result: unknown, error: object | null = null) => [
        JSON.stringify({ error, result, id }),
      ];
      if (method === 'ping') return answer('pong');
      if (method !== 'bookTicker_subscribe' || !Array.isArray(params))
        return answer(null, { code: 4, message: 'method not found' });
      const unknown = params.find((market) => view.find(String(market)) === undefined);
      if (unknown !== undefined)
        return answer(null, { code: 9, message: `market ${unknown} does not exist` });
      markets.clear();
      for (const market of params) markets.add(String(market));
      return answer({ status: 'success' });
    },
    tick: (view) =>
      view.open
        .filter((contract) => markets.has(contract.venueSymbol))
        .flatMap((contract) => {
          const quote = view.quote(contract);
          const top = [
            priceText(contract, quote.bidPrice),
            sizeText(contract, quote.bidContracts),
            priceText(contract, quote.askPrice),
            sizeText(contract, quote.askContracts),
          ];
          const text = JSON.stringify(top);
          if (sent.get(contract.venueSymbol) === text) return [];
          sent.set(contract.venueSymbol, text);
          const seconds = view.nowMs / SECOND_MS;
          const row = [seconds, seconds, contract.venueSymbol, view.nowMs, ...top];
          return [JSON.stringify({ method: 'bookTicker_update', params: [row], id: null })];
        }),
  };
}

export const whitebit: SimVenue = {
  profile: {
    slug: 'whitebit',
    listings: { ending: 'time' },
    exchange: 'WhiteBIT',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4],
    hasQuietBooks: true,
    rateCap: 0.02,
    coverage: 0.55,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 3 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base }) => `${base}_PERP`,
  },
  http,
  socket,
};
