import type { SimContract, SimStatus } from '../contracts.ts';
import { hash } from '../noise.ts';
import { changeFilter, type SimRequest, type SimSocket, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const productIdOf = (contract: SimContract) => 2 * (hash(contract.venueSymbol) % 1_000_000) + 2;
const tickerOf = (contract: SimContract) => `${contract.venueSymbol}_USDT0`;

/** A decimal text times 10^18, without passing through a float. */
function x18(text: string): string {
  const [whole = '0', decimals = ''] = text.split('.');
  return String(BigInt(`${whole}${decimals.padEnd(18, '0')}`));
}

const price = (contract: SimContract, value: number) => x18(value.toFixed(contract.priceDecimals));
const size = (contract: SimContract, value: number) => x18(value.toFixed(contract.sizeDecimals));
const NO_PRICE = '170141183460469231731687303715884105727';

const STATUS: Partial<Record<SimStatus, string>> = { trading: 'live', delisting: 'soft_reduce_only' };

function symbol(contract: SimContract, view: SimView): object {
  return {
    type: 'perp',
    product_id: productIdOf(contract),
    symbol: contract.venueSymbol,
    price_increment_x18: x18((10 ** -contract.priceDecimals).toFixed(contract.priceDecimals)),
    maker_fee_rate_x18: '100000000000000',
    taker_fee_rate_x18: '350000000000000',
    long_weight_initial_x18: x18((1 - 1 / contract.maxLeverage).toFixed(6)),
    trading_status: STATUS[view.status(contract)] ?? 'not_tradable',
    isolated_only: false,
  };
}

const SPOT = { type: 'spot', product_id: 0, symbol: 'USDT0', trading_status: 'live' };

function contractRow(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    product_id: productIdOf(contract),
    ticker_id: tickerOf(contract),
    base_currency: contract.venueSymbol,
    quote_currency: 'USDT0',
    last_price: quote.lastPrice,
    base_volume: quote.volume24hUsd / quote.markPrice,
    quote_volume: quote.volume24hUsd,
    product_type: 'perpetual',
    // The positions of all accounts, long and short.
    open_interest: 2 * quote.openInterestContracts,
    open_interest_usd: 2 * quote.openInterestContracts * quote.markPrice,
    index_price: quote.indexPrice,
    mark_price: quote.markPrice,
    // A rate of 24 hours, of which each hour settles one 24th.
    funding_rate: (quote.rateE8 * 24) / 1e8,
    next_funding_rate_timestamp: quote.nextFundingAtMs / 1000,
  };
}

interface HistoryQuery {
  product_id: number;
  start_time: number;
  end_time: number;
  limit: number;
}

/** Oldest first, hourly rates, times in seconds as text. */
function history({ product_id, start_time, end_time, limit }: HistoryQuery, view: SimView): object {
  const contract = view.contracts.find((one) => productIdOf(one) === product_id);
  const prints = contract ? view.settlements(contract, start_time * 1000, end_time * 1000) : [];
  return {
    funding_rates: prints.slice(0, Math.min(limit, 1000)).map(({ settledAtMs, rateE8 }) => ({
      product_id,
      timestamp: String(settledAtMs / 1000),
      funding_rate_x18: String(BigInt(rateE8) * 10n ** 10n),
    })),
  };
}

function http({ host, method, path, query, body }: SimRequest, view: SimView): unknown {
  if (host === 'gateway' && path === '/v1/query' && query.get('type') === 'symbols') {
    const symbols = Object.fromEntries(view.open.map((one) => [one.venueSymbol, symbol(one, view)]));
    return {
      status: 'success',
      data: { symbols: { USDT0: SPOT, ...symbols } },
      request_type: 'query_symbols',
    };
  }
  // The next three are not ours: the comparison with ccxt makes them.
  if (host === 'gateway' && path === '/v1/symbols') return view.open.map((one) => symbol(one, view));
  if (host === 'gateway' && path === '/v2/pairs')
    return view.open.map((one) => ({
      product_id: productIdOf(one),
      ticker_id: tickerOf(one),
      quote: 'USDT0',
    }));
  if (host === 'gateway' && path === '/v2/assets') return [];
  if (host === 'gateway' && path === '/v2/orderbook') {
    const contract = view.contracts.find((one) => tickerOf(one) === query.get('ticker_id'));
    if (!contract) return { status: 'failure', error: 'unknown ticker' };
    const book = view.book(contract, Number(query.get('depth') ?? 100));
    return {
      product_id: productIdOf(contract),
      ticker_id: tickerOf(contract),
      ...book,
      timestamp: view.nowMs,
    };
  }
  if (host === 'rest' && path === '/v2/contracts')
    return Object.fromEntries(view.open.map((one) => [tickerOf(one), contractRow(one, view)]));
  if (host === 'rest' && path === '/v1' && method === 'POST')
    return history((body as { funding_rate_history: HistoryQuery }).funding_rate_history, view);
  return undefined;
}

interface Message {
  method?: unknown;
  stream?: { type?: unknown; product_id?: unknown };
  id?: unknown;
}

/** Tops of the subscribed contracts, each only when it has changed. */
function socket(): SimSocket {
  const products = new Set<number>();
  const isNew = changeFilter();
  return {
    receive: (message, view) => {
      const { method, stream, id } = (message ?? {}) as Message;
      if (method === 'ping') return [JSON.stringify({ type: 'pong', id, server_time: String(view.nowMs) })];
      const product = Number(stream?.product_id);
      const isKnown = view.contracts.some((contract) => productIdOf(contract) === product);
      if (method !== 'subscribe' || stream?.type !== 'best_bid_offer' || !isKnown)
        return [JSON.stringify({ result: null, id, error: 'unknown product' })];
      products.add(product);
      return [JSON.stringify({ result: null, id })];
    },
    tick: (view) =>
      view.open
        .filter((contract) => products.has(productIdOf(contract)))
        .flatMap((contract) => {
          const quote = view.quote(contract);
          const top = {
            bid_price: price(contract, quote.bidPrice),
            bid_qty: size(contract, quote.bidContracts),
            ask_price: quote.askPrice > 0 ? price(contract, quote.askPrice) : NO_PRICE,
            ask_qty: size(contract, quote.askContracts),
          };
          if (!isNew(contract.venueSymbol, JSON.stringify(top))) return [];
          const timestamp = `${view.nowMs}000000`;
          return [
            JSON.stringify({ type: 'best_bid_offer', timestamp, product_id: productIdOf(contract), ...top }),
          ];
        }),
  };
}

export const nado: SimVenue = {
  profile: {
    slug: 'nado',
    listings: { ending: 'mark' },
    exchange: 'Nado',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.004,
    coverage: 0.3,
    multipliedBase: (ticker, multiplier) => (multiplier === 1000 ? `k${ticker}` : `${multiplier}${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base }) => `${base}-PERP`,
  },
  http,
  socket,
  /** The gateway refuses clients that cannot read compressed replies. */
  refuses: (host, headers) =>
    host === 'gateway' && !/gzip|br|deflate/.test(String(headers['accept-encoding']))
      ? { reason: "Invalid compression headers: 'Accept-Encoding' must include 'gzip', 'br' or 'deflate'" }
      : null,
};
