import { SECOND_MS } from '../../src/base/times.ts';
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

const pair = (symbol: string, base: string, quote: string, fields: object) => ({
  symbol,
  base,
  quote,
  minTradeVolume: '0.0001',
  basePrecision: 4,
  quotePrecision: 1,
  minLeverage: 1,
  maxFundingRate: '2',
  minFundingRate: '-2',
  isApiSupported: true,
  ...fields,
});

/** The real list has coin-margined contracts too. */
const INVERSE = pair('BTCUSD', 'BTC', 'USD', { maxLeverage: 100, symbolStatus: 'OPEN' });

function tradingPairs(view: SimView): object[] {
  const pairs = view.contracts.map((contract) =>
    // `base` leaves out the multiplier.
    pair(contract.venueSymbol, contract.coin.ticker, contract.quote, {
      maxLeverage: contract.maxLeverage,
      symbolStatus: view.status(contract) === 'preopen' ? 'PREVIEW' : 'OPEN',
    }),
  );
  return [...pairs, INVERSE];
}

/** The rate in percent: a hundred times the fraction, to the digit. */
const percentText = (rateE8: number) => String(rateE8 / 1e6);

const rate = (symbol: string, fields: object) => ({
  symbol,
  maxFundingRate: '2',
  minFundingRate: '-2',
  ...fields,
});

/** A contract that does not settle, such as a delisted one, has a rate of 0 and a time just past. */
const idleRate = (symbol: string, view: SimView) =>
  rate(symbol, {
    markPrice: '0',
    lastPrice: '0',
    indexPrice: null,
    fundingRate: '0',
    fundingInterval: 8,
    nextFundingTime: String(view.nowMs - 7001),
  });

function fundingRates(view: SimView): object[] {
  const open = new Set(view.open);
  const rows = view.contracts.map((contract) => {
    if (!open.has(contract)) return idleRate(contract.venueSymbol, view);
    const quote = view.quote(contract);
    return rate(contract.venueSymbol, {
      markPrice: quote.markPrice.toFixed(contract.priceDecimals + 1),
      lastPrice: priceText(contract, quote.lastPrice),
      indexPrice: quote.indexPrice.toFixed(contract.priceDecimals + 1),
      fundingRate: percentText(quote.rateE8),
      fundingInterval: quote.intervalHours,
      nextFundingTime: String(quote.nextFundingAtMs),
    });
  });
  return [...rows, idleRate('MILKUSDT', view), idleRate('WAVESUSDT', view)];
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    markPrice: priceText(contract, quote.markPrice),
    lastPrice: priceText(contract, quote.lastPrice),
    quoteVol: quote.volume24hUsd.toFixed(4),
    baseVol: (quote.volume24hUsd / quote.markPrice).toFixed(4),
  };
}

/** Newest first, as fractions. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object[] {
  const fromMs = Number(query.get('starTime') ?? 0);
  return view
    .settlements(contract, fromMs, Number(query.get('endTime') ?? view.nowMs))
    .map(({ settledAtMs, rateE8 }) => ({
      fundingRate: rateText(rateE8),
      fundingTime: String(settledAtMs),
      markPrice: priceText(contract, view.quote(contract).markPrice),
    }))
    .reverse()
    .slice(0, Math.min(200, Number(query.get('limit') ?? 100)));
}

function book(contract: SimContract, view: SimView, levels: number) {
  const { bids, asks } = view.book(contract, levels);
  const side = (levels: [number, number][]) => levelTexts(contract, levels);
  return { asks: side(asks), bids: side(bids) };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: unknown) => ({ code: 0, data, msg: 'Success' });
  const wanted = view.find(query.get('symbol') ?? '');
  const refused = { code: 20015, data: null, msg: 'this Futures is not allowed to trade.' };
  switch (path) {
    case '/api/v1/futures/market/trading_pairs':
      return ok(tradingPairs(view));
    case '/api/v1/futures/market/funding_rate/batch':
      return ok(fundingRates(view));
    case '/api/v1/futures/market/tickers':
      return ok(view.open.map((contract) => ticker(contract, view)));
    case '/api/v1/futures/market/get_funding_rate_history':
      return wanted ? ok(history(wanted, query, view)) : refused;
    case '/api/v1/futures/market/depth':
      return wanted ? ok(book(wanted, view, Number(query.get('limit') ?? 50))) : refused;
    default:
      return undefined;
  }
}

const MAX_TOPICS = 300;
const NO_LEVEL = [['', '']];

interface Command {
  op?: unknown;
  ping?: unknown;
  args?: { symbol?: unknown; ch?: unknown }[];
}

/** Whole best levels of the subscribed contracts on every tick; an unknown symbol gets one push without prices. */
function socket(): SimSocket {
  const symbols = new Set<string>();
  const push = (symbol: string, view: SimView, data: object) =>
    JSON.stringify({ ch: 'depth_book1', symbol, ts: view.nowMs, data });
  return {
    receive: (message, view) => {
      const { op, ping, args = [] } = (message ?? {}) as Command;
      if (op === 'ping')
        return [JSON.stringify({ op: 'ping', pong: ping, ping: Math.floor(view.nowMs / SECOND_MS) })];
      if (op !== 'subscribe') return [];
      const replies: string[] = [];
      for (const { symbol, ch } of args) {
        if (ch !== 'depth_book1' || typeof symbol !== 'string') continue;
        if (symbols.size >= MAX_TOPICS)
          return [JSON.stringify({ op, data: { msg: 'subscribe channel > 300', nonce: '', result: false } })];
        symbols.add(symbol);
        if (!view.find(symbol)) replies.push(push(symbol, view, { b: NO_LEVEL, a: NO_LEVEL }));
      }
      return replies;
    },
    tick: (view) =>
      view.open
        .filter((contract) => symbols.has(contract.venueSymbol))
        .map((contract) => {
          const quote = view.quote(contract);
          return push(contract.venueSymbol, view, {
            b: [[priceText(contract, quote.bidPrice), sizeText(contract, quote.bidContracts)]],
            a: [[priceText(contract, quote.askPrice), sizeText(contract, quote.askContracts)]],
          });
        }),
  };
}

export const bitunix: SimVenue = {
  profile: {
    slug: 'bitunix',
    listings: { isListedBeforeOpening: true },
    exchange: 'Bitunix',
    quotes: ['USDT', 'USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    offGridHours: { 4: 1 },
    rateCap: 0.02,
    coverage: 0.7,
    multipliedBase: (ticker, multiplier) => (multiplier === 1000 ? `1000${ticker}` : `1M${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 2 : 0),
    venueSymbol: ({ base, quote }) => `${base}${quote}`,
  },
  http,
  socket,
};
