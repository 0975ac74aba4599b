import type { SimContract } from '../contracts.ts';
import {
  changeFilter,
  priceText,
  type SimRequest,
  type SimSocket,
  type SimVenue,
  sizeText,
} from '../venue.ts';
import type { SimView } from '../view.ts';

const nanoseconds = (timeMs: number) => `${timeMs}000000`;
const millisecondsOf = (text: unknown) => Number(String(text).slice(0, -6));

/** Percent of the contract's own interval, with four decimals. */
const percent = (rateE8: number) => (Math.round(rateE8 / 100) + 0) / 1e4;

const THOUSANDS: ReadonlySet<string> = new Set(['PEPE', 'BONK', 'SHIB', 'FLOKI', 'LUNC', 'DOGS', 'NEIRO']);

/** The deployment of the venue's last version: the same for all contracts. */
const CREATE_TIME = '1787802370345408848';
const OPTION = { instrument: 'BTC_USDT_Call_25Dec26_100000', base: 'BTC', quote: 'USDT', kind: 'CALL' };

/** Contracts before their opening are not active. */
function instrument(contract: SimContract, view: SimView): object {
  return {
    instrument: contract.venueSymbol,
    base: contract.venueSymbol.split('_')[0],
    quote: contract.quote,
    kind: 'PERPETUAL',
    venues: ['ORDERBOOK', 'RFQ'],
    settlement_period: 'PERPETUAL',
    base_decimals: 9,
    quote_decimals: 6,
    tick_size: priceText(contract, 10 ** -contract.priceDecimals),
    min_size: sizeText(contract, 10 ** -contract.sizeDecimals),
    create_time: CREATE_TIME,
    funding_interval_hours: view.quote(contract).intervalHours,
    adjusted_funding_rate_cap: '2.0',
    adjusted_funding_rate_floor: '-2.0',
    asset_class: 'UNSPECIFIED',
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const half = (quote.volume24hUsd / 2).toFixed(4);
  return {
    instrument: contract.venueSymbol,
    mark_price: String(quote.markPrice),
    index_price: String(quote.indexPrice),
    last_price: priceText(contract, quote.lastPrice),
    best_bid_price: priceText(contract, quote.bidPrice),
    best_bid_size: sizeText(contract, quote.bidContracts),
    best_ask_price: priceText(contract, quote.askPrice),
    best_ask_size: sizeText(contract, quote.askContracts),
    funding_rate_8h_curr: String(percent(quote.rateE8)),
    buy_volume_24h_q: half,
    sell_volume_24h_q: half,
    open_interest: sizeText(contract, quote.openInterestContracts),
    funding_rate: String(percent(quote.rateE8)),
    funding_interval_hours: quote.intervalHours,
    next_funding_time: nanoseconds(quote.nextFundingAtMs),
  };
}

/** Newest first. */
function funding(contract: SimContract, body: Record<string, unknown>, view: SimView): object {
  const limit = Number(body.limit ?? 500);
  const toMs = body.end_time === undefined ? view.nowMs : millisecondsOf(body.end_time);
  const rows = view
    .settlements(contract, millisecondsOf(body.start_time ?? '0000000'), toMs)
    .toReversed()
    .map((settlement) => ({
      instrument: contract.venueSymbol,
      funding_rate: String(percent(settlement.rateE8)),
      funding_time: nanoseconds(settlement.settledAtMs),
      mark_price: '1',
      funding_rate_8_h_avg: String(percent(settlement.rateE8)),
      funding_interval_hours: settlement.intervalHours,
    }));
  return { result: rows.slice(0, limit), next: rows.length > limit ? 'eyJmdW5kaW5nVGltZSI6MX0' : '' };
}

function book(contract: SimContract, view: SimView, depth: number): object {
  const { bids, asks } = view.book(contract, depth);
  const side = (levels: [number, number][]) =>
    levels.map(([p, s]) => ({ price: priceText(contract, p), size: sizeText(contract, s), num_orders: 1 }));
  return {
    event_time: nanoseconds(view.nowMs),
    instrument: contract.venueSymbol,
    bids: side(bids),
    asks: side(asks),
  };
}

function http({ method, path, body }: SimRequest, view: SimView): unknown {
  if (method !== 'POST') return undefined;
  const fields = (body ?? {}) as Record<string, unknown>;
  if (path === '/all_instruments')
    return { result: [OPTION, ...view.open.map((contract) => instrument(contract, view))] };
  const wanted = view.find(String(fields.instrument));
  if (!wanted) return { code: 1004, message: 'Data Not Found', status: 404 };
  if (path === '/funding') return funding(wanted, fields, view);
  if (path === '/book') return { result: book(wanted, view, Number(fields.depth ?? 10)) };
  if (path === '/ticker') return { result: { event_time: nanoseconds(view.nowMs), ...ticker(wanted, view) } };
  return undefined;
}

/** Tickers of the subscribed contracts, each only when it has changed. */
function socket(): SimSocket {
  const isChanged = changeFilter();
  const selectors = new Map<string, string>();
  return {
    receive: (message) => {
      const { id, params } = (message ?? {}) as {
        id?: number;
        params?: { stream?: string; selectors?: string[] };
      };
      if (params?.stream !== 'v1.ticker.s')
        return [JSON.stringify({ jsonrpc: '2.0', error: { code: 1101, message: 'Feed Format' }, id })];
      for (const selector of params.selectors ?? []) selectors.set(selector.split('@')[0] ?? '', selector);
      const result = { stream: params.stream, subs: params.selectors, unsubs: [] };
      return [JSON.stringify({ jsonrpc: '2.0', result, id, method: 'subscribe' })];
    },
    tick: (view) =>
      view.open.flatMap((contract) => {
        const selector = selectors.get(contract.venueSymbol);
        const row = ticker(contract, view);
        if (selector === undefined || !isChanged(contract.venueSymbol, JSON.stringify(row))) return [];
        const feed = { event_time: nanoseconds(view.nowMs), ...row };
        return [JSON.stringify({ stream: 'v1.ticker.s', selector, sequence_number: '0', feed })];
      }),
  };
}

export const grvt: SimVenue = {
  profile: {
    slug: 'grvt',
    exchange: 'GRVT',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4],
    hasQuietBooks: true,
    rateCap: 0.02,
    coverage: 0.5,
    // The venue spells a thousand with a capital K; the number in full keeps the price of other coins right.
    multipliedBase: (ticker, multiplier) =>
      multiplier === 1000 && THOUSANDS.has(ticker) ? `k${ticker}` : `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote }) => `${base.replace(/^k(?=[A-Z])/, 'K')}_${quote}_Perp`,
  },
  publishes: (_contract, quote) => ({ ratePct: percent(quote.rateE8) }),
  settledPrints: (contract, view, fromMs, toMs) =>
    view
      .settlements(contract, fromMs, toMs)
      .map((s) => ({ settledAtMs: s.settledAtMs, ratePct: percent(s.rateE8) })),
  http,
  socket,
};
