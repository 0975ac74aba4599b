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

/** Real prints are stamped this much after the settlement. */
const PRINT_DELAY_MS = 21_000;

/** The venue closed its futures then, and goes on listing them and writing prints. */
const ENDED_AT_MS = Date.UTC(2026, 8, 22, 3, 18);

/** A market that is not open yet is not in the list; one of the closed venue is. */
function listed(view: SimView): SimContract[] {
  return view.contracts.filter((contract) => view.nowMs >= contract.listedAtMs);
}

function market(contract: SimContract, view: SimView): object {
  return {
    market: contract.venueSymbol,
    contract_type: contract.isInverse ? 'inverse' : 'linear',
    taker_fee_rate: '0.0005',
    maker_fee_rate: '0.0003',
    min_amount: String(10 ** -contract.sizeDecimals),
    base_ccy: contract.base,
    quote_ccy: contract.quote,
    base_ccy_precision: 8,
    quote_ccy_precision: contract.priceDecimals,
    tick_size: (10 ** -contract.priceDecimals).toFixed(contract.priceDecimals),
    status: 'online',
    delisted_at: view.status(contract) === 'delisting' ? contract.delistsAtMs : 0,
    is_market_available: view.nowMs < ENDED_AT_MS,
    is_copy_trading_available: false,
    is_api_trading_available: true,
    leverage: ['1', '3', '5', '10', '20', String(contract.maxLeverage)],
    open_interest_volume: '100',
  };
}

function fundingRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    market: contract.venueSymbol,
    mark_price: priceText(contract, quote.markPrice),
    latest_funding_rate: rateText(quote.lastRateE8),
    next_funding_rate: rateText(quote.rateE8),
    max_funding_rate: '0.00375',
    min_funding_rate: '-0.00375',
    latest_funding_time: quote.lastFundingAtMs,
    next_funding_time: quote.nextFundingAtMs,
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const base = quote.volume24hUsd / quote.markPrice;
  const [volume, value] = contract.isInverse
    ? [(quote.volume24hUsd / contract.contractSize).toFixed(0), base.toFixed(8)]
    : [base.toFixed(8), quote.volume24hUsd.toFixed(8)];
  return {
    market: contract.venueSymbol,
    last: priceText(contract, quote.lastPrice),
    volume,
    value,
    volume_sell: '0',
    volume_buy: '0',
    index_price: priceText(contract, quote.indexPrice),
    mark_price: priceText(contract, quote.markPrice),
    period: 86400,
  };
}

function depth(contract: SimContract, view: SimView, limit: number): object {
  const book = view.book(contract, limit);
  const side = (levels: [number, number][]) => levelTexts(contract, levels);
  return {
    market: contract.venueSymbol,
    is_full: true,
    depth: {
      asks: side(book.asks),
      bids: side(book.bids),
      last: priceText(contract, view.quote(contract).lastPrice),
      updated_at: view.nowMs,
      checksum: 0,
    },
  };
}

/** Newest first, with the page number that the venue also takes. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const fromMs = Number(query.get('start_time') ?? 0);
  const toMs = Number(query.get('end_time') ?? view.nowMs);
  const limit = Number(query.get('limit') ?? 10);
  const start = (Number(query.get('page') ?? 1) - 1) * limit;
  const rows = view
    .settlements(contract, fromMs - PRINT_DELAY_MS, toMs)
    .map((settlement) => ({
      market: contract.venueSymbol,
      funding_time: settlement.settledAtMs + PRINT_DELAY_MS,
      theoretical_funding_rate: rateText(settlement.rateE8 + 7),
      actual_funding_rate: rateText(settlement.rateE8),
    }))
    .filter((row) => row.funding_time >= fromMs && row.funding_time <= toMs)
    .reverse();
  return {
    code: 0,
    data: rows.slice(start, start + limit),
    pagination: { has_next: rows.length > start + limit },
    message: 'OK',
  };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: unknown) => ({ code: 0, data, message: 'OK' });
  const wanted = view.find(query.get('market') ?? '');
  switch (path) {
    case '/v2/futures/market':
      return ok(listed(view).map((contract) => market(contract, view)));
    case '/v2/futures/funding-rate':
      return ok(listed(view).map((contract) => fundingRate(contract, view)));
    case '/v2/futures/ticker':
      return ok(view.open.map((contract) => ticker(contract, view)));
    case '/v2/futures/depth':
      if (!wanted) return { code: 4004, data: {}, message: 'invalid argument' };
      return ok(depth(wanted, view, Number(query.get('limit') ?? 20)));
    case '/v2/futures/funding-rate-history':
      if (!wanted) return { code: 4004, data: {}, message: 'invalid argument' };
      return history(wanted, query, view);
    default:
      return undefined;
  }
}

interface Command {
  method?: unknown;
  params?: { market_list?: unknown };
  id?: unknown;
}

function socket(): SimSocket {
  let markets: ReadonlySet<unknown> = new Set();
  return {
    receive: (message) => {
      const { method, params, id } = (message ?? {}) as Command;
      if (method === 'server.ping')
        return [JSON.stringify({ id, code: 0, data: { result: 'pong' }, message: 'OK' })];
      if (method !== 'bbo.subscribe') return [JSON.stringify({ id, code: 30002, message: 'unknown method' })];
      markets = new Set(Array.isArray(params?.market_list) ? params.market_list : []);
      return [JSON.stringify({ id, code: 0, message: 'OK' })];
    },
    tick: (view) =>
      view.open
        .filter((contract) => markets.has(contract.venueSymbol))
        .map((contract) => {
          const quote = view.quote(contract);
          return JSON.stringify({
            method: 'bbo.update',
            data: {
              market: contract.venueSymbol,
              updated_at: view.nowMs,
              best_bid_price: priceText(contract, quote.bidPrice),
              best_bid_size: sizeText(contract, quote.bidContracts),
              best_ask_price: priceText(contract, quote.askPrice),
              best_ask_size: sizeText(contract, quote.askContracts),
            },
            id: null,
          });
        }),
  };
}

export const coinex: SimVenue = {
  profile: {
    slug: 'coinex',
    listings: { ending: 'time' },
    exchange: 'CoinEx',
    quotes: ['USDT', 'USDC'],
    inverseQuote: 'USD',
    inverseTickers: ['BTC', 'ETH'],
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 2],
    endedAtMs: ENDED_AT_MS,
    rateCap: 0.015,
    coverage: 0.7,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base, quote }) => `${base}${quote}`,
  },
  http,
  socket,
};
