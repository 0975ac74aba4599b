import { roundPercent } from '../../src/base/numbers.ts';
import type { SimContract } from '../contracts.ts';
import { indexPriceAt, quoteAt, settlementsBetween } from '../market.ts';
import { nextSettlementMs } from '../settlement-times.ts';
import { levelTexts, rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

/** The simulated index starts here, so that it need not be summed up from the listing. */
const INDEX_START_MS = Date.UTC(2025, 0, 1);
const PRINT_EVERY_MS = 8 * 3_600_000;
const NOTICE_REACH_MS = 30 * 86_400_000;
const KIND = { listing: 'LISTING', delisting: 'DELISTING', other: 'UPDATE' };

/** The sums of a contract after every so many settlements: keeping all of them would take 20 MB. */
interface Summed {
  timesMs: number[];
  sums: number[];
}
const SETTLEMENTS_PER_SUM = 16;
const summed = new Map<string, Summed>();

const amountOf = (contract: SimContract, settlement: { settledAtMs: number; rateE8: number }) =>
  (settlement.rateE8 / 1e8) * indexPriceAt(contract, settlement.settledAtMs);

const startOf = (contract: SimContract) => Math.max(contract.listedAtMs, INDEX_START_MS);

/** What one unit has paid until then: the sum of whole periods, and a share of the current one. */
function indexAt(contract: SimContract, atMs: number): number {
  const key = `${contract.venueSymbol} ${contract.seed}`;
  const held = summed.get(key) ?? { timesMs: [startOf(contract)], sums: [0] };
  summed.set(key, held);
  const i = Math.max(
    0,
    held.timesMs.findLastIndex((timeMs) => timeMs <= atMs),
  );
  let [beforeMs, sum] = [held.timesMs[i] ?? 0, held.sums[i] ?? 0];
  for (const [j, settlement] of settlementsBetween(contract, beforeMs + 1, atMs).entries()) {
    beforeMs = settlement.settledAtMs;
    sum += amountOf(contract, settlement);
    // So many follow only the newest sum.
    if ((j + 1) % SETTLEMENTS_PER_SUM > 0) continue;
    held.timesMs.push(beforeMs);
    held.sums.push(sum);
  }
  const nextMs = nextSettlementMs(contract, atMs);
  const [next] = settlementsBetween(contract, nextMs, nextMs);
  return sum + (next ? (amountOf(contract, next) * (atMs - beforeMs)) / (nextMs - beforeMs) : 0);
}

function market(contract: SimContract, view: SimView): object {
  return {
    symbol: contract.venueSymbol,
    base_currency: contract.base,
    quote_currency: contract.quote,
    settlement_currency: contract.settle,
    order_size_increment: (10 ** -contract.sizeDecimals).toFixed(contract.sizeDecimals),
    price_tick_size: (10 ** -contract.priceDecimals).toFixed(contract.priceDecimals),
    open_at: contract.listedAtMs,
    expiry_at: 0,
    asset_kind: 'PERP',
    market_kind: 'cross',
    trading_mode: 'STANDARD',
    funding_period_hours: view.quote(contract).intervalHours,
    funding_multiplier: 1,
    delta1_cross_margin_params: { imf_base: '0.05', imf_shift: '0', imf_factor: '0', mmf_factor: '0.5' },
  };
}

/** The real list holds options and spot too. */
const OTHERS = [
  { symbol: 'BTC-USD-110000-C', base_currency: 'BTC', quote_currency: 'USD', asset_kind: 'PERP_OPTION' },
  { symbol: 'ETH-USD', base_currency: 'ETH', quote_currency: 'USD', asset_kind: 'SPOT' },
];

function fundingData(contract: SimContract, query: URLSearchParams, view: SimView): unknown {
  // The venue has one row a second, newest first; the collector requests only the newest.
  const endMs = Math.floor(Math.min(Number(query.get('end_at') ?? view.nowMs), view.nowMs) / 1000) * 1000;
  if (endMs < Math.max(startOf(contract), Number(query.get('start_at') ?? 0))) return { results: [] };
  const quote = quoteAt(contract, endMs);
  const row = {
    market: contract.venueSymbol,
    funding_index: indexAt(contract, endMs).toFixed(24),
    funding_premium: ((quote.rateE8 / 1e8) * quote.indexPrice).toFixed(24),
    funding_rate: rateText(quote.rateE8),
    funding_rate_8h: ((quote.rateE8 / 1e8) * (8 / quote.intervalHours)).toFixed(8),
    funding_period_hours: quote.intervalHours,
    created_at: endMs,
  };
  return { next: null, prev: null, results: [row] };
}

function answer(path: string, query: URLSearchParams, view: SimView): unknown {
  if (path === '/markets')
    return { results: [...view.contracts.map((contract) => market(contract, view)), ...OTHERS] };
  if (path === '/markets/summary') {
    const results = view.open.map((contract) => {
      const quote = view.quote(contract);
      return {
        symbol: contract.venueSymbol,
        mark_price: String(quote.markPrice),
        last_traded_price: quote.lastPrice.toFixed(contract.priceDecimals),
        bid: quote.bidPrice.toFixed(contract.priceDecimals),
        bid_size: quote.bidContracts.toFixed(contract.sizeDecimals),
        ask: quote.askPrice.toFixed(contract.priceDecimals),
        ask_size: quote.askContracts.toFixed(contract.sizeDecimals),
        volume_24h: quote.volume24hUsd.toFixed(4),
        underlying_price: String(quote.indexPrice),
        // Long and short positions, added up.
        open_interest: (2 * quote.openInterestContracts).toFixed(contract.sizeDecimals),
        funding_rate: rateText(quote.rateE8),
        created_at: view.nowMs,
      };
    });
    return { results: [...results, { symbol: 'BTC-USD-110000-C', bid: '', ask: '', volume_24h: '0' }] };
  }
  if (path === '/system/announcements') {
    const results = view.notices(view.nowMs - NOTICE_REACH_MS, view.nowMs).map((notice) => ({
      title: notice.title,
      content: notice.body,
      kind: KIND[notice.kind],
      visible_at: notice.publishedAtMs,
      expiry_at: notice.publishedAtMs + NOTICE_REACH_MS,
    }));
    return { next: null, prev: null, results: results.toReversed() };
  }
  const wanted = view.find(query.get('market') ?? path.replace('/orderbook/', ''));
  if (!wanted) return undefined;
  if (path === '/funding/data') return fundingData(wanted, query, view);
  if (!path.startsWith('/orderbook/')) return undefined;
  const book = view.book(wanted, Number(query.get('depth') ?? 20));
  const side = (levels: [number, number][]) => levelTexts(wanted, levels);
  return {
    market: wanted.venueSymbol,
    seq_no: view.nowMs,
    last_updated_at: view.nowMs,
    bids: side(book.bids),
    asks: side(book.asks),
  };
}

export const paradex: SimVenue = {
  profile: {
    slug: 'paradex',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', notices: 'texts', noticeDays: 30 },
    exchange: 'Paradex',
    quotes: ['USD'],
    settleOf: () => 'USDC',
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 1],
    rateCap: 0.05,
    coverage: 0.6,
    multipliedBase: (ticker, multiplier) => `${multiplier === 1_000_000 ? 'm' : 'k'}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 3 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote }) => `${base}-${quote}-PERP`,
  },
  http: ({ path, query }: SimRequest, view) =>
    path.startsWith('/v1') ? answer(decodeURIComponent(path.slice('/v1'.length)), query, view) : undefined,
  publishes: (_contract, quote) => ({
    ratePct: roundPercent(((quote.rateE8 / 1e6) * 8) / quote.intervalHours),
    intervalHours: 8,
    nextFundingAtMs: null,
  }),
  settledPrints: (contract, _view, fromMs, toMs) => {
    const prints: { settledAtMs: number; ratePct: number }[] = [];
    const firstMs = Math.max(fromMs, startOf(contract) + PRINT_EVERY_MS);
    for (
      let atMs = Math.ceil(firstMs / PRINT_EVERY_MS) * PRINT_EVERY_MS;
      atMs <= toMs;
      atMs += PRINT_EVERY_MS
    ) {
      const paid = indexAt(contract, atMs) - indexAt(contract, atMs - PRINT_EVERY_MS);
      const ratePct = roundPercent((paid / indexPriceAt(contract, atMs)) * 100);
      prints.push({ settledAtMs: atMs, ratePct });
    }
    return prints;
  },
};
