import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import type { SimRequest, SimSocket, SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const price = (contract: SimContract, value: number) => Number(value.toFixed(contract.priceDecimals));
const rate = (rateE8: number) => rateE8 / 1e8;

function info(contract: SimContract, view: SimView): object {
  return {
    symbol: contract.venueSymbol,
    display_symbol_name: contract.base,
    broker_id: contract.venueSymbol.split('_')[3] ?? null,
    quote_tick: 10 ** -contract.priceDecimals,
    base_tick: 10 ** -contract.sizeDecimals,
    funding_period: view.quote(contract).intervalHours,
    cap_funding: contract.rateCap,
    floor_funding: -contract.rateCap,
    interest_rate: 0.0001,
    created_time: contract.listedAtMs,
    status: 'ACTIVE',
    base_mmr: 0.5 / contract.maxLeverage,
    base_imr: 1 / contract.maxLeverage,
  };
}

function fundingRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    est_funding_rate: rate(quote.rateE8),
    // A row that stands still keeps the time of its last estimate too.
    est_funding_rate_timestamp:
      quote.nextFundingAtMs > view.nowMs
        ? Math.floor(view.nowMs / MINUTE_MS) * MINUTE_MS
        : quote.lastFundingAtMs,
    last_funding_rate: rate(quote.lastRateE8),
    last_funding_rate_timestamp: quote.lastFundingAtMs,
    next_funding_time: quote.nextFundingAtMs,
    sum_unitary_funding: 12.5,
  };
}

function future(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    status: 'ACTIVE',
    index_price: quote.indexPrice,
    mark_price: quote.markPrice,
    est_funding_rate: rate(quote.rateE8),
    last_funding_rate: rate(quote.lastRateE8),
    next_funding_time: quote.nextFundingAtMs,
    open_interest: quote.openInterestContracts,
    '24h_close': price(contract, quote.lastPrice),
    '24h_volume': Number((quote.volume24hUsd / quote.markPrice).toFixed(6)),
    '24h_amount': quote.volume24hUsd,
  };
}

/** Newest first, within the requested window, at most 500 rows whatever size is requested. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const size = Math.min(Number(query.get('size') ?? 25), 500);
  const page = Number(query.get('page') ?? 1);
  const rows = view
    .settlements(contract, Number(query.get('start_t') ?? 0), Number(query.get('end_t') ?? view.nowMs))
    .map((settlement) => ({
      symbol: contract.venueSymbol,
      funding_rate: rate(settlement.rateE8),
      funding_rate_timestamp: settlement.settledAtMs,
      next_funding_time: settlement.settledAtMs + settlement.intervalHours * HOUR_MS,
    }))
    .reverse();
  return {
    rows: rows.slice((page - 1) * size, page * size),
    meta: { total: rows.length, records_per_page: size, current_page: page },
  };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: object) => ({ success: true, data, timestamp: view.nowMs });
  const rows = (row: (contract: SimContract, view: SimView) => object) =>
    ok({ rows: view.open.map((contract) => row(contract, view)) });
  const wanted = view.find(query.get('symbol') ?? '');
  switch (path) {
    case '/v1/public/info':
      return rows(info);
    case '/v1/public/funding_rates':
      return rows(fundingRate);
    case '/v1/public/futures':
      return rows(future);
    case '/v1/public/funding_rate_history':
      return wanted
        ? ok(history(wanted, query, view))
        : { success: false, code: -1005, message: 'symbol is invalid' };
    default:
      return undefined;
  }
}

interface Message {
  id?: unknown;
  event?: unknown;
  topic?: unknown;
  params?: { type?: unknown; symbol?: unknown };
}

const BOOK_LEVELS = 100;

/** The tops of all contracts every second, and books on request. */
function socket(): SimSocket {
  let isSubscribed = false;
  return {
    receive: (message, view) => {
      const { id, event, topic, params } = (message ?? {}) as Message;
      const answer = (fields: object) => [JSON.stringify({ id, event, ts: view.nowMs, ...fields })];
      if (event === 'ping') return [JSON.stringify({ event: 'pong', ts: view.nowMs })];
      if (event === 'subscribe') {
        isSubscribed ||= topic === 'bbos';
        return answer({ success: topic === 'bbos' });
      }
      const contract = view.find(String(params?.symbol));
      if (event !== 'request' || params?.type !== 'orderbook' || !contract)
        return answer({ success: false, errorMsg: 'invalid request' });
      const data = {
        symbol: contract.venueSymbol,
        ts: view.nowMs,
        ...view.book(contract, BOOK_LEVELS),
      };
      return answer({ success: true, data });
    },
    tick: (view) => {
      if (!isSubscribed) return [];
      const data = view.open.map((contract) => {
        const quote = view.quote(contract);
        return {
          symbol: contract.venueSymbol,
          ask: quote.askPrice,
          askSize: quote.askContracts,
          bid: quote.bidPrice,
          bidSize: quote.bidContracts,
        };
      });
      return [JSON.stringify({ topic: 'bbos', ts: view.nowMs, data })];
    },
  };
}

export const orderly: SimVenue = {
  profile: {
    slug: 'orderly',
    listings: { listingTime: 'exact' },
    exchange: 'Orderly',
    quotes: ['USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4],
    rateCap: 0.02,
    coverage: 0.4,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    // Front ends list small coins on the shared book under their own name.
    venueSymbol: ({ base, coin, quote }) => `PERP_${base}_${quote}${coin.tier === 3 ? '_mythos' : ''}`,
  },
  http,
  socket,
};
