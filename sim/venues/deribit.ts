import { HOUR_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { hash } from '../noise.ts';
import type { SimRequest, SimSocket, SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const PREFIX = '/api/v2/public/';
/** The year 3000, which the venue writes for a contract without an end. */
const NO_EXPIRATION_MS = 32_503_708_800_000;

/** Amounts are dollars on inverse contracts and base units on linear ones. */
function amount(contract: SimContract, contracts: number): number {
  return contract.isInverse ? contracts * contract.contractSize : contracts;
}

const STATE = {
  unknown: 'inactive',
  preopen: 'inactive',
  trading: 'open',
  delisting: 'open',
  delisted: 'archivized',
};

/** Shares and goods came from Coinbase. The venue's word for a currency is not known. */
const UNDERLYING = {
  crypto: 'crypto',
  stock: 'equity',
  index: 'crypto_index',
  commodity: 'commodity',
  forex: 'currency',
};

function instrument(contract: SimContract, view: SimView): object {
  const status = view.status(contract);
  return {
    state: STATE[status],
    is_active: status !== 'preopen',
    kind: 'future',
    instrument_name: contract.venueSymbol,
    instrument_type: contract.isInverse ? 'reversed' : 'linear',
    future_type: contract.isInverse ? 'reversed' : 'linear',
    underlying_type: UNDERLYING[contract.coin.assetClass ?? 'crypto'],
    settlement_period: 'perpetual',
    base_currency: contract.base,
    quote_currency: contract.quote,
    counter_currency: contract.quote,
    settlement_currency: contract.settle,
    price_index: `${contract.base.toLowerCase()}_${contract.quote.toLowerCase()}`,
    creation_timestamp: contract.listedAtMs,
    expiration_timestamp: status === 'delisting' ? contract.delistsAtMs : NO_EXPIRATION_MS,
    // On linear contracts this is only the step of an amount; amounts are in base units.
    contract_size: contract.isInverse ? contract.contractSize : 10 ** -contract.sizeDecimals,
    tick_size: 10 ** -contract.priceDecimals,
    max_leverage: Math.min(50, contract.maxLeverage),
    taker_commission: 0.00035,
    maker_commission: 0,
  };
}

/** The real lists have dated futures among the perpetuals, so ours have one too. */
const DATED_FUTURE = {
  state: 'open',
  is_active: true,
  kind: 'future',
  instrument_name: 'BTC-26MAR27',
  instrument_type: 'reversed',
  settlement_period: 'month',
  base_currency: 'BTC',
  quote_currency: 'USD',
  settlement_currency: 'BTC',
  contract_size: 10,
};

/** The venue rounds the rate of BNB to four decimals here; the ticker channel has all digits. */
function summaryRate(contract: SimContract, rate: number): number {
  return contract.base === 'BNB' ? Number(rate.toFixed(4)) : rate;
}

function summary(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    instrument_name: contract.venueSymbol,
    base_currency: contract.base,
    quote_currency: contract.quote,
    bid_price: quote.bidPrice,
    ask_price: quote.askPrice,
    mark_price: quote.markPrice,
    open_interest: amount(contract, quote.openInterestContracts),
    last: quote.lastPrice,
    estimated_delivery_price: quote.indexPrice,
    current_funding: summaryRate(contract, (quote.rateE8 * 8) / 1e8),
    funding_8h: (quote.lastRateE8 * 8) / 1e8,
    volume: quote.volume24hUsd / quote.markPrice,
    volume_usd: quote.volume24hUsd,
    volume_notional: quote.volume24hUsd,
    creation_timestamp: view.nowMs,
  };
}

function history(contract: SimContract, query: URLSearchParams, view: SimView): object[] {
  const prints = view.settlements(
    contract,
    Number(query.get('start_timestamp')),
    Number(query.get('end_timestamp')),
  );
  return prints.slice(0, 744).map(({ settledAtMs, rateE8 }) => ({
    timestamp: settledAtMs,
    index_price: view.quote(contract).indexPrice,
    prev_index_price: view.quote(contract).indexPrice,
    interest_1h: rateE8 / 1e8,
    interest_8h: (rateE8 * 8) / 1e8,
  }));
}

function orderBook(contract: SimContract, levels: number, view: SimView): object {
  const book = view.book(contract, levels);
  const side = (rows: [number, number][]) => rows.map(([p, s]) => [p, amount(contract, s)]);
  return {
    instrument_name: contract.venueSymbol,
    timestamp: view.nowMs,
    state: 'open',
    bids: side(book.bids),
    asks: side(book.asks),
  };
}

function announcements(count: number, view: SimView): object[] {
  return view
    .notices(view.nowMs - 60 * 24 * HOUR_MS, view.nowMs)
    .toReversed()
    .slice(0, count)
    .map(({ id, title, body, publishedAtMs }) => ({
      id: hash(id),
      title,
      body,
      publication_timestamp: publishedAtMs,
      important: false,
      confirmation: false,
    }));
}

function result(method: string, query: URLSearchParams, view: SimView): unknown {
  const wanted = view.find(query.get('instrument_name') ?? '');
  switch (method) {
    case 'get_instruments':
      return [DATED_FUTURE, ...view.contracts.map((contract) => instrument(contract, view))];
    case 'get_book_summary_by_currency': {
      const mine = view.open.filter((contract) => contract.settle === query.get('currency'));
      const dated = { instrument_name: 'BTC-26MAR27', volume_usd: 1, mark_price: 1 };
      return [...mine.map((contract) => summary(contract, view)), dated];
    }
    case 'get_funding_rate_history':
      return wanted && history(wanted, query, view);
    case 'get_order_book':
      return wanted && orderBook(wanted, Number(query.get('depth') ?? 5), view);
    case 'get_announcements':
      return announcements(Number(query.get('count') ?? 5), view);
    default:
      return undefined;
  }
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  if (!path.startsWith(PREFIX)) return undefined;
  const found = result(path.slice(PREFIX.length), query, view);
  const usOut = view.nowMs * 1000;
  const timing = { usIn: usOut - 90, usOut, usDiff: 90, testnet: false };
  if (found === undefined)
    return { jsonrpc: '2.0', error: { code: -32602, message: 'Invalid params' }, ...timing };
  return { jsonrpc: '2.0', result: found, ...timing };
}

interface Request {
  id?: unknown;
  method?: unknown;
  params?: { channels?: unknown };
}

function socket(): SimSocket {
  const channels = new Set<string>();
  const channelOf = (contract: SimContract) => `ticker.${contract.venueSymbol}.agg2`;
  return {
    receive: (message, view) => {
      const { id, method, params } = (message ?? {}) as Request;
      const answer = (found: unknown) => [
        JSON.stringify({ jsonrpc: '2.0', id, result: found, testnet: false }),
      ];
      if (method === 'public/set_heartbeat') return answer('ok');
      if (method === 'public/test') return answer({ version: '1.2.26' });
      const wanted = new Set<unknown>(Array.isArray(params?.channels) ? params.channels : []);
      for (const contract of view.contracts)
        if (wanted.has(channelOf(contract))) channels.add(channelOf(contract));
      return answer([...channels]);
    },
    tick: (view) =>
      view.open
        .filter((contract) => channels.has(channelOf(contract)))
        .map((contract) => {
          const quote = view.quote(contract);
          const data = {
            timestamp: view.nowMs,
            state: 'open',
            instrument_name: contract.venueSymbol,
            last_price: quote.lastPrice,
            mark_price: quote.markPrice,
            index_price: quote.indexPrice,
            best_bid_price: quote.bidPrice,
            best_bid_amount: amount(contract, quote.bidContracts),
            best_ask_price: quote.askPrice,
            best_ask_amount: amount(contract, quote.askContracts),
            current_funding: (quote.rateE8 * 8) / 1e8,
            funding_8h: (quote.lastRateE8 * 8) / 1e8,
          };
          const params = { channel: channelOf(contract), data };
          return JSON.stringify({ jsonrpc: '2.0', method: 'subscription', params });
        }),
  };
}

export const deribit: SimVenue = {
  profile: {
    slug: 'deribit',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', ending: 'time', notices: 'texts' },
    exchange: 'Deribit',
    quotes: ['USDC'],
    inverseQuote: 'USD',
    inverseTickers: ['BTC', 'ETH'],
    inverseFaceUsd: (ticker) => (ticker === 'BTC' ? 10 : 1),
    intervals: [1],
    rateCap: 0.00625,
    coverage: 0.5,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 1000 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 2 : 0,
    venueSymbol: ({ base, quote, isInverse }) =>
      isInverse ? `${base}-PERPETUAL` : `${base}_${quote}-PERPETUAL`,
  },
  http,
  socket,
  // Funding accrues continuously: there is no next settlement, and the running rate is stated for eight hours.
  publishes: (_contract, quote) => ({
    ratePct: (quote.rateE8 * 8) / 1e6,
    intervalHours: 8,
    nextFundingAtMs: null,
  }),
};
