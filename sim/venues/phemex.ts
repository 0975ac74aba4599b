import type { SimContract } from '../contracts.ts';
import { rateText, type SimRequest, type SimSocket, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const BOOK_LEVELS = 30;
const SNAPSHOT_EVERY_TICKS = 60;

/** Coin-margined prices are integers; cheap coins have a larger scale than the usual 4. */
const scaleOf = (contract: SimContract) => Math.max(4, contract.priceDecimals);
const scaled = (contract: SimContract, value: number) => Math.round(value * 10 ** scaleOf(contract));
const nanoseconds = (timeMs: number) => timeMs * 1e6;

function price(contract: SimContract, value: number): string | number {
  return contract.isInverse ? scaled(contract, value) : value.toFixed(contract.priceDecimals);
}

function size(contract: SimContract, contracts: number): string | number {
  return contract.isInverse ? contracts : contracts.toFixed(contract.sizeDecimals);
}

/** The venue's name of the contract without its quote: `BTCUSDT`, `BTC` for BTCUSD, `cETH` for cETHUSD. */
function stem(contract: SimContract): string {
  return contract.isInverse ? contract.venueSymbol.replace(/USD$/, '') : contract.venueSymbol;
}

function product(contract: SimContract, view: SimView): object {
  const delistMs = view.status(contract) === 'delisting' ? contract.delistsAtMs : 0;
  const common = {
    symbol: contract.venueSymbol,
    indexSymbol: `.${stem(contract)}`,
    fundingRateSymbol: `.${stem(contract)}FR`,
    fundingRate8hSymbol: `.${stem(contract)}FR8H`,
    settleCurrency: contract.settle,
    quoteCurrency: contract.quote,
    status: 'Listed',
    timeline: [contract.announcedAtMs, contract.listedAtMs, 0, delistMs],
  };
  if (contract.isInverse)
    return {
      ...common,
      type: 'Perpetual',
      contractUnderlyingAssets: contract.quote,
      contractSize: `${contract.contractSize} USD`,
      priceScale: scaleOf(contract),
      ratioScale: 8,
      fundingInterval: 8,
    };
  return {
    ...common,
    type: 'PerpetualV2',
    perpProductSubType: 'Normal',
    contractUnderlyingAssets: contract.base,
    baseCurrency: contract.multiplier > 1 ? `${contract.multiplier} ${contract.coin.ticker}` : contract.base,
    fundingInterval: view.quote(contract).intervalHours * 3600,
  };
}

/** The real lists have many contracts that ended long ago, and spot pairs too. */
const DELISTED = { symbol: 'LUNAUSDT', type: 'PerpetualV2', status: 'Delisted', settleCurrency: 'USDT' };
const SPOT = { symbol: 'sBTCUSDT', type: 'Spot', status: 'Listed', quoteCurrency: 'USDT', priceScale: 8 };

function funding(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    fundingInterval: quote.intervalHours * 3600,
    toNextfundingInterval: Math.floor((quote.nextFundingAtMs - view.nowMs) / 1000),
    nextfundingTime: quote.nextFundingAtMs,
    fundingRate: rateText(quote.rateE8),
    interestRate: '0.0001',
    fundingRateCap: '0.02',
    fundingRateFloor: '-0.02',
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  if (contract.isInverse)
    return {
      symbol: contract.venueSymbol,
      askEp: scaled(contract, quote.askPrice),
      bidEp: scaled(contract, quote.bidPrice),
      lastEp: scaled(contract, quote.lastPrice),
      markEp: scaled(contract, quote.markPrice),
      indexEp: scaled(contract, quote.indexPrice),
      fundingRateEr: quote.rateE8,
      predFundingRateEr: quote.rateE8,
      openInterest: quote.openInterestContracts,
      volume: Math.round(quote.volume24hUsd / contract.contractSize),
      turnoverEv: Math.round((quote.volume24hUsd / quote.markPrice) * 1e8),
      timestamp: nanoseconds(view.nowMs),
    };
  return {
    symbol: contract.venueSymbol,
    askRp: price(contract, quote.askPrice),
    bidRp: price(contract, quote.bidPrice),
    lastRp: price(contract, quote.lastPrice),
    markPriceRp: String(quote.markPrice),
    indexPriceRp: String(quote.indexPrice),
    openInterestRv: String(quote.openInterestContracts),
    fundingRateRr: rateText(quote.rateE8),
    predFundingRateRr: rateText(quote.rateE8),
    volumeRq: (quote.volume24hUsd / quote.markPrice).toFixed(3),
    turnoverRv: quote.volume24hUsd.toFixed(4),
    timestamp: nanoseconds(view.nowMs),
  };
}

type Sides = { bids: [number, number][]; asks: [number, number][] };

function bookMessage(
  contract: SimContract,
  sides: Sides,
  type: string,
  depth: number,
  view: SimView,
): object {
  const wire = (levels: [number, number][]) =>
    levels.map(([p, s]) => [price(contract, p), size(contract, s)]);
  return {
    depth,
    [contract.isInverse ? 'book' : 'orderbook_p']: { asks: wire(sides.asks), bids: wire(sides.bids) },
    sequence: view.nowMs,
    symbol: contract.venueSymbol,
    timestamp: nanoseconds(view.nowMs),
    type,
  };
}

function history(query: URLSearchParams, view: SimView): object {
  const wanted = view.contracts.find((contract) => `.${stem(contract)}FR8H` === query.get('symbol'));
  const fromMs = Number(query.get('start') ?? 0);
  const toMs = Number(query.get('end') ?? view.nowMs);
  const limit = Math.min(100, Number(query.get('limit') ?? 100));
  const prints = wanted ? view.settlements(wanted, fromMs, toMs) : [];
  return {
    rows: prints.slice(0, limit).map(({ settledAtMs, rateE8, intervalHours }) => ({
      symbol: query.get('symbol'),
      fundingRate: rateText(rateE8),
      fundingTime: settledAtMs,
      intervalSeconds: intervalHours * 3600,
    })),
  };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: unknown) => ({ code: 0, msg: 'OK', data });
  const found = (result: unknown) => ({ error: null, id: 0, result });
  const ofKind = (list: readonly SimContract[], isInverse: boolean) =>
    list.filter((contract) => contract.isInverse === isInverse);
  switch (path) {
    case '/public/products-plus':
      return ok({
        ratioScale: 8,
        currencies: [],
        products: [SPOT, ...ofKind(view.contracts, true).map((contract) => product(contract, view))],
        perpProductsV2: [...ofKind(view.contracts, false).map((c) => product(c, view)), DELISTED],
      });
    case '/contract-biz/public/real-funding-rates': {
      const pageSize = Number(query.get('pageSize') ?? 20);
      const start = (Number(query.get('pageNum') ?? 1) - 1) * pageSize;
      const rows = view.open.slice(start, start + pageSize).map((contract) => funding(contract, view));
      return ok({ total: view.open.length, rows });
    }
    case '/md/v3/ticker/24hr/all':
      return found(ofKind(view.open, false).map((contract) => ticker(contract, view)));
    case '/md/v1/ticker/24hr/all':
      return found(ofKind(view.open, true).map((contract) => ticker(contract, view)));
    case '/md/orderbook':
    case '/md/v2/orderbook': {
      const wanted = view.find(query.get('symbol') ?? '');
      if (!wanted || wanted.isInverse !== (path === '/md/orderbook'))
        return { error: { code: 6001, message: 'invalid argument' }, id: null, result: null };
      return found(bookMessage(wanted, view.book(wanted, BOOK_LEVELS), 'snapshot', BOOK_LEVELS, view));
    }
    case '/api-data/public/data/funding-rate-history':
      return ok(history(query, view));
    default:
      return undefined;
  }
}

interface Command {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** A snapshot first and every 60 pushes, otherwise the changes of the best level, if there are any. */
function socket(): SimSocket {
  const last = new Map<string, { sides: Sides; ticks: number } | null>();
  const changes = (before: [number, number][], now: [number, number][]) => [
    ...now,
    ...before.filter(([p]) => !now.some(([q]) => q === p)).map(([p]): [number, number] => [p, 0]),
  ];
  return {
    receive: (message, view) => {
      const { id, method, params } = (message ?? {}) as Command;
      if (method === 'server.ping') return [JSON.stringify({ error: null, id, result: 'pong' })];
      const symbol = Array.isArray(params) ? String(params[0]) : '';
      const contract = view.find(symbol);
      const channel = contract?.isInverse ? 'orderbook.subscribe' : 'orderbook_p.subscribe';
      if (!contract || method !== channel)
        return [JSON.stringify({ error: { code: 6001, message: 'invalid argument' }, id, result: null })];
      last.set(symbol, null);
      return [JSON.stringify({ error: null, id, result: { status: 'success' } })];
    },
    tick: (view) =>
      view.open
        .filter((contract) => last.has(contract.venueSymbol))
        .flatMap((contract) => {
          const quote = view.quote(contract);
          const sides: Sides = {
            bids: quote.bidPrice > 0 ? [[quote.bidPrice, quote.bidContracts]] : [],
            asks: quote.askPrice > 0 ? [[quote.askPrice, quote.askContracts]] : [],
          };
          const known = last.get(contract.venueSymbol) ?? null;
          const isSnapshot = known === null || known.ticks % SNAPSHOT_EVERY_TICKS === 0;
          last.set(contract.venueSymbol, { sides, ticks: (known?.ticks ?? 0) + 1 });
          if (!isSnapshot && JSON.stringify(known.sides) === JSON.stringify(sides)) return [];
          const sent =
            known === null || isSnapshot
              ? sides
              : { bids: changes(known.sides.bids, sides.bids), asks: changes(known.sides.asks, sides.asks) };
          return [
            JSON.stringify(bookMessage(contract, sent, isSnapshot ? 'snapshot' : 'incremental', 1, view)),
          ];
        }),
  };
}

export const phemex: SimVenue = {
  profile: {
    slug: 'phemex',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', ending: 'time' },
    exchange: 'Phemex',
    quotes: ['USDT', 'USDC'],
    inverseQuote: 'USD',
    inverseTickers: ['BTC', 'ETH', 'SOL', 'XRP', 'ADA', 'LINK'],
    inverseFaceUsd: () => 1,
    intervals: [8, 4],
    hasQuietBooks: true,
    rateCap: 0.02,
    coverage: 0.6,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 1000 ? 3 : coin.anchorPriceUsd * multiplier > 1 ? 2 : 0,
    venueSymbol: ({ base, coin, quote, isInverse }) => {
      if (isInverse) return coin.ticker === 'BTC' ? 'BTCUSD' : `c${base}USD`;
      return base === coin.ticker ? `${base}${quote}` : `u${base}${quote}`;
    },
  },
  http,
  socket,
};
