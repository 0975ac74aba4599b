import { DAY_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import {
  changeFilter,
  priceText,
  rateText,
  type SimRequest,
  type SimSocket,
  type SimVenue,
  sizeText,
} from '../venue.ts';
import type { SimView } from '../view.ts';

/** The real list has spot pairs among the perpetuals, so ours has one too. */
const SPOT = {
  symbol: 'SOL-USDC',
  max_leverage: 1,
  funding_rate: '0',
  next_funding_rate: '0',
  created_at: 1_776_615_970_246,
  instrument_type: 'spot',
  base_asset: 'SOL',
};

/** The estimate for the hour after the next settlement differs, so that a parser that confuses the two fails. */
const estimateE8 = (rateE8: number) => rateE8 + 1250;

function info(contract: SimContract, view: SimView): object {
  const { rateE8 } = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    tick_size: priceText(contract, 10 ** -contract.priceDecimals),
    lot_size: sizeText(contract, 10 ** -contract.sizeDecimals),
    max_leverage: Math.min(contract.maxLeverage, 50),
    isolated_only: false,
    funding_rate: rateText(rateE8),
    next_funding_rate: rateText(estimateE8(rateE8)),
    created_at: contract.listedAtMs,
    instrument_type: 'perpetual',
    base_asset: contract.base,
    execution_modes: ['orderbook'],
  };
}

function prices(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    funding: rateText(quote.rateE8),
    mark: String(quote.markPrice),
    mid: String((quote.bidPrice + quote.askPrice) / 2),
    next_funding: rateText(estimateE8(quote.rateE8)),
    // Long and short positions, added up.
    open_interest: sizeText(contract, 2 * quote.openInterestContracts),
    oracle: String(quote.indexPrice),
    symbol: contract.venueSymbol,
    // A row that stands still keeps its time too.
    timestamp: Math.min(view.nowMs, quote.nextFundingAtMs - 1),
    // The buyers' and the sellers' turnover.
    volume_24h: (2 * quote.volume24hUsd).toFixed(5),
  };
}

/** Newest first from the cursor on, without a filter by time; prints are half a second late. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const toMs = Number(query.get('cursor') ?? view.nowMs);
  const limit = Number(query.get('limit') ?? 100);
  const settlements = view
    .settlements(contract, toMs - Math.ceil(limit / 24 + 1) * DAY_MS, toMs)
    .toReversed()
    .slice(0, limit);
  const oldest = settlements.at(-1);
  return {
    success: true,
    data: settlements.map((settlement) => ({
      oracle_price: '1',
      funding_rate: rateText(settlement.rateE8),
      next_funding_rate: rateText(estimateE8(settlement.rateE8)),
      created_at: settlement.settledAtMs + 400 + (contract.seed % 100),
    })),
    next_cursor: oldest ? String(oldest.settledAtMs - 1) : null,
    has_more: oldest !== undefined,
  };
}

function book(contract: SimContract, view: SimView): object {
  const { bids, asks } = view.book(contract, 10);
  const side = (levels: [number, number][]) =>
    levels.map(([p, s]) => ({ p: priceText(contract, p), a: sizeText(contract, s), n: 1 }));
  return { s: contract.venueSymbol, l: [side(bids), side(asks)], t: view.nowMs };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: object) => ({ success: true, data, error: null, code: null });
  const wanted = view.find(query.get('symbol') ?? '');
  const refused = { success: false, data: null, error: 'Market not found', code: 404 };
  switch (path) {
    case '/info':
      return ok([SPOT, ...view.open.map((contract) => info(contract, view))]);
    case '/info/prices':
      return ok(view.open.map((contract) => prices(contract, view)));
    case '/funding_rate/history':
      return wanted ? history(wanted, query, view) : refused;
    case '/book':
      return wanted ? ok(book(wanted, view)) : refused;
    default:
      return undefined;
  }
}

/** Tops of the subscribed markets, each only when it has changed. */
function socket(): SimSocket {
  const isChanged = changeFilter();
  const symbols = new Set<string>();
  return {
    receive: (message) => {
      const { method, params } = (message ?? {}) as { method?: string; params?: { symbol?: string } };
      if (method === 'ping') return ['{"channel":"pong"}'];
      symbols.add(params?.symbol ?? '');
      return [JSON.stringify({ channel: 'subscribe', data: params })];
    },
    tick: (view) =>
      view.open
        .filter((contract) => symbols.has(contract.venueSymbol))
        .flatMap((contract) => {
          const quote = view.quote(contract);
          const top = {
            s: contract.venueSymbol,
            b: priceText(contract, quote.bidPrice),
            B: sizeText(contract, quote.bidContracts),
            a: priceText(contract, quote.askPrice),
            A: sizeText(contract, quote.askContracts),
          };
          if (!isChanged(contract.venueSymbol, JSON.stringify(top))) return [];
          return [JSON.stringify({ channel: 'bbo', data: { ...top, t: view.nowMs, i: 1, li: 1 } })];
        }),
  };
}

export const pacifica: SimVenue = {
  profile: {
    slug: 'pacifica',
    listings: { listingTime: 'exact' },
    exchange: 'Pacifica',
    quotes: ['USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.04,
    coverage: 0.35,
    // The venue has no prefix for a million; the number in full keeps the price right.
    multipliedBase: (ticker, multiplier) => (multiplier === 1000 ? `k${ticker}` : `${multiplier}${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base }) => base,
  },
  http,
  socket,
};
