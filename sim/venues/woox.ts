import { MINUTE_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { priceText, rateText, type SimRequest, type SimSocket, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

function instrument(contract: SimContract, view: SimView): object {
  return {
    symbol: contract.venueSymbol,
    status: view.status(contract) === 'preopen' ? 'TESTING' : 'TRADING',
    baseAsset: contract.base,
    baseAssetMultiplier: 1,
    quoteAsset: contract.quote,
    quoteTick: priceText(contract, 10 ** -contract.priceDecimals),
    baseTick: sizeText(contract, 10 ** -contract.sizeDecimals),
    minNotional: '10',
    orderMode: 'NORMAL',
    fundingIntervalHours: view.quote(contract).intervalHours,
    fundingCap: '0.02',
    fundingFloor: '-0.02',
    isAllowedRpi: true,
  };
}

/** The real list has spot pairs among the perpetuals, so ours has one too. */
const SPOT = {
  symbol: 'SPOT_BTC_USDT',
  status: 'TRADING',
  baseAsset: 'BTC',
  baseAssetMultiplier: 1,
  quoteAsset: 'USDT',
};

function fundingRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    estFundingRate: rateText(quote.rateE8),
    // A row that stands still keeps the time of its last estimate too.
    estFundingRateTimestamp:
      quote.nextFundingAtMs > view.nowMs
        ? Math.floor(view.nowMs / MINUTE_MS) * MINUTE_MS
        : quote.lastFundingAtMs,
    lastFundingRate: rateText(quote.lastRateE8),
    lastFundingRateTimestamp: quote.lastFundingAtMs,
    nextFundingTime: quote.nextFundingAtMs,
    lastFundingIntervalHours: quote.intervalHours,
    estFundingIntervalHours: quote.intervalHours,
  };
}

function futures(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    indexPrice: priceText(contract, quote.indexPrice),
    markPrice: priceText(contract, quote.markPrice),
    estFundingRate: rateText(quote.rateE8),
    lastFundingRate: rateText(quote.lastRateE8),
    nextFundingTime: quote.nextFundingAtMs,
    openInterest: sizeText(contract, quote.openInterestContracts),
    '24hClose': priceText(contract, quote.lastPrice),
    '24hVolume': (quote.volume24hUsd / quote.markPrice).toFixed(6),
    '24hAmount': quote.volume24hUsd.toFixed(6),
  };
}

/** Newest first, within the requested window. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const size = Number(query.get('size') ?? 25);
  const currentPage = Number(query.get('page') ?? 1);
  const settled = view
    .settlements(contract, Number(query.get('startTime') ?? 0), Number(query.get('endTime') ?? view.nowMs))
    .reverse();
  const markPrice = priceText(contract, view.quote(contract).markPrice);
  const rows = settled.slice((currentPage - 1) * size, currentPage * size).map((settlement) => ({
    symbol: contract.venueSymbol,
    fundingRate: rateText(settlement.rateE8),
    fundingRateTimestamp: settlement.settledAtMs,
    nextFundingTime: settlement.settledAtMs + settlement.intervalHours * 60 * MINUTE_MS,
    markPrice,
  }));
  return { rows, meta: { total: settled.length, recordsPerPage: size, currentPage } };
}

function orderbook(contract: SimContract, view: SimView, levels: number): object {
  const book = view.book(contract, levels);
  const side = (rows: [number, number][]) =>
    rows.map(([p, s]) => ({ price: priceText(contract, p), quantity: sizeText(contract, s) }));
  return { asks: side(book.asks), bids: side(book.bids) };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: object) => ({ success: true, data, timestamp: view.nowMs });
  const wanted = view.find(query.get('symbol') ?? '');
  const invalid = { success: false, message: `invalid symbol ${query.get('symbol')}` };
  switch (path) {
    case '/v3/public/instruments':
      return ok({ rows: [SPOT, ...view.contracts.map((contract) => instrument(contract, view))] });
    case '/v3/public/fundingRate':
      return ok({ rows: view.open.map((contract) => fundingRate(contract, view)) });
    case '/v3/public/futures':
      return ok({ rows: view.open.map((contract) => futures(contract, view)) });
    case '/v3/public/fundingRateHistory':
      return wanted ? ok(history(wanted, query, view)) : invalid;
    case '/v3/public/orderbook':
      return wanted ? ok(orderbook(wanted, view, Number(query.get('maxLevel') ?? 100))) : invalid;
    default:
      return undefined;
  }
}

interface Command {
  id?: unknown;
  cmd?: unknown;
  params?: unknown;
}

const TOPICS_PER_REQUEST = 10;
const TOPICS_PER_SOCKET = 100;

/** Tops of the subscribed contracts, each only when it has changed. */
function socket(): SimSocket {
  const topics = new Set<string>();
  const sent = new Map<string, string>();
  return {
    receive: (message, view) => {
      const { id, cmd, params } = (message ?? {}) as Command;
      if (cmd === 'PING') return [JSON.stringify({ cmd: 'PONG', success: true, time: view.nowMs })];
      if (cmd !== 'SUBSCRIBE' || !Array.isArray(params) || params.length > TOPICS_PER_REQUEST) {
        const data = 'Command type invalid!';
        return [JSON.stringify({ id, cmd: 'SUBSCRIBE', success: false, time: view.nowMs, data })];
      }
      const accepted = params.filter(
        (topic) => String(topic).startsWith('bbo@') && view.find(String(topic).slice(4)) !== undefined,
      );
      const data = accepted.slice(0, TOPICS_PER_SOCKET - topics.size);
      for (const topic of data) topics.add(String(topic));
      return [JSON.stringify({ id, cmd, success: true, time: view.nowMs, data })];
    },
    tick: (view) =>
      view.open
        .filter((contract) => topics.has(`bbo@${contract.venueSymbol}`))
        .flatMap((contract) => {
          const quote = view.quote(contract);
          const top = {
            bp: priceText(contract, quote.bidPrice),
            bq: sizeText(contract, quote.bidContracts),
            ap: priceText(contract, quote.askPrice),
            aq: sizeText(contract, quote.askContracts),
            s: contract.venueSymbol,
          };
          const text = JSON.stringify(top);
          if (sent.get(contract.venueSymbol) === text) return [];
          sent.set(contract.venueSymbol, text);
          const data = { ts: view.nowMs, ...top };
          return [JSON.stringify({ topic: `bbo@${contract.venueSymbol}`, ts: view.nowMs, data })];
        }),
  };
}

export const woox: SimVenue = {
  profile: {
    slug: 'woox',
    listings: { isListedBeforeOpening: true },
    exchange: 'WOOX',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    hasQuietBooks: true,
    rateCap: 0.02,
    coverage: 0.65,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base, quote }) => `PERP_${base}_${quote}`,
  },
  http,
  socket,
};
