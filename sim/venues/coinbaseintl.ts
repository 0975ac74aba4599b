import { HOUR_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

/** The quotes of the exchange stopped at this time. */
const ENDED_AT_MS = Date.UTC(2026, 9, 1, 9, 0, 29);
const NANOSECONDS_PER_HOUR = 3_600_000_000_000;

function quoteOf(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    best_bid_price: priceText(contract, quote.bidPrice),
    best_bid_size: sizeText(contract, quote.bidContracts),
    best_ask_price: priceText(contract, quote.askPrice),
    best_ask_size: sizeText(contract, quote.askContracts),
    trade_price: priceText(contract, quote.lastPrice),
    index_price: quote.indexPrice.toFixed(contract.priceDecimals + 1),
    mark_price: quote.markPrice.toFixed(contract.priceDecimals + 1),
    settlement_price: priceText(contract, quote.markPrice),
    predicted_funding: rateText(quote.rateE8),
    timestamp: new Date(view.nowMs).toISOString(),
  };
}

function instrument(contract: SimContract, view: SimView, isOpen: boolean): object {
  const quote = view.quote(contract);
  return {
    instrument_id: String(contract.seed),
    symbol: contract.venueSymbol,
    type: 'PERP',
    base_asset_name: contract.base,
    quote_asset_name: contract.quote,
    base_increment: sizeText(contract, 10 ** -contract.sizeDecimals),
    quote_increment: priceText(contract, 10 ** -contract.priceDecimals),
    qty_24hr: (quote.volume24hUsd / quote.markPrice).toFixed(4),
    notional_24hr: quote.volume24hUsd.toFixed(2),
    open_interest: sizeText(contract, quote.openInterestContracts),
    base_imf: String(1 / contract.maxLeverage),
    funding_interval: String(quote.intervalHours * NANOSECONDS_PER_HOUR),
    trading_state: view.status(contract) === 'preopen' ? 'STANDBY' : isOpen ? 'TRADING' : 'HALT',
    quote: isOpen ? quoteOf(contract, view) : {},
  };
}

/** The real list has spot markets too. */
const SPOT = {
  instrument_id: '149264164756389888',
  symbol: 'BTC-USDC',
  type: 'SPOT',
  base_asset_name: 'BTC',
  quote_asset_name: 'USDC',
  trading_state: 'TRADING',
  quote: {},
};

function funding(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const limit = Math.min(100, Number(query.get('result_limit') ?? 25));
  const offset = Number(query.get('result_offset') ?? 0);
  // Every contract settles each hour, so the rest of the past is not needed.
  const fromMs = view.nowMs - (offset + limit) * HOUR_MS;
  const markPrice = priceText(contract, view.quote(contract).markPrice);
  const results = view
    .settlements(contract, fromMs, view.nowMs)
    .reverse()
    .slice(offset, offset + limit)
    .map(({ settledAtMs, rateE8 }) => ({
      instrument_id: String(contract.seed),
      funding_rate: rateText(rateE8),
      mark_price: markPrice,
      event_time: new Date(settledAtMs).toISOString(),
    }));
  return { pagination: { result_limit: limit, result_offset: offset }, results };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const [, symbol, call] = /^\/api\/v1\/instruments(?:\/([^/]+)\/(\w+))?$/.exec(path) ?? [];
  if (path === '/api/v1/instruments') {
    const open = new Set(view.open);
    return [SPOT, ...view.contracts.map((contract) => instrument(contract, view, open.has(contract)))];
  }
  const wanted = view.find(symbol ?? '');
  if (!wanted) return { title: 'Not Found', status: 404 };
  if (call === 'funding') return funding(wanted, query, view);
  return call === 'quote' ? quoteOf(wanted, view) : undefined;
}

export const coinbaseintl: SimVenue = {
  profile: {
    slug: 'coinbaseintl',
    listings: { isListedBeforeOpening: true },
    exchange: 'CoinbaseIntl',
    quotes: ['USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    endedAtMs: ENDED_AT_MS,
    rateCap: 0.01,
    coverage: 0.35,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 2 : 0),
    venueSymbol: ({ base }) => `${base}-PERP`,
  },
  bookLevels: 1,
  http,
};
