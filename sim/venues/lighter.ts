import type { SimContract } from '../contracts.ts';
import type { SimRequest, SimSocket, SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const FUNDINGS_LIMIT = 750;
const NOTICE_REACH_MS = 30 * 86_400_000;

/** The venue writes rates as percents with four decimals and drops the rest. */
function percentText(rateE8: number): string {
  return (Math.trunc(rateE8 / 100) / 10_000).toFixed(4);
}

const percent = (rateE8: number) => Number(percentText(rateE8)) || 0;

/** Real markets are numbered from 0; the seed serves as the number here, without a registry. */
const byId = (view: SimView, id: string | null) =>
  view.contracts.find((contract) => String(contract.seed) === id);

/** In percent. Some markets have a fee, most have none. */
const takerFeeText = ({ seed }: SimContract) => (seed % 7 === 0 ? '0.0200' : '0.0000');

function details(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    market_id: contract.seed,
    market_type: 'perp',
    base_asset_id: 0,
    quote_asset_id: 0,
    status: 'active',
    taker_fee: takerFeeText(contract),
    is_taker_fee_enabled: true,
    maker_fee: '0.0000',
    size_decimals: contract.sizeDecimals,
    price_decimals: contract.priceDecimals,
    min_initial_margin_fraction: 500,
    multiplier: '1.000000000000000000',
    last_trade_price: quote.lastPrice,
    mark_price: quote.markPrice,
    index_price: quote.indexPrice,
    open_interest: quote.openInterestContracts,
    daily_base_token_volume: quote.volume24hUsd / quote.markPrice,
    daily_quote_token_volume: quote.volume24hUsd,
    created_at: contract.listedAtMs,
    market_config: {
      market_margin_mode: 0,
      force_reduce_only: view.status(contract) === 'delisting',
      trading_hours: '',
      hidden: false,
    },
  };
}

/** The classes of the app's token list. */
const LISTED_AS = {
  crypto: { asset_type: 'CRYPTO', categories: ['NEW'] },
  stock: { asset_type: 'RWA', categories: ['NEW', 'STOCK'] },
  index: { asset_type: 'RWA', categories: ['ETF'] },
  commodity: { asset_type: 'RWA', categories: ['COMMODITIES'] },
  forex: { asset_type: 'RWA', categories: ['FX'] },
};

/** Closed markets stay in the real list. */
const CLOSED = {
  symbol: 'GONE',
  market_id: 39,
  market_type: 'perp',
  status: 'inactive',
  min_initial_margin_fraction: 2000,
  last_trade_price: 1,
  daily_quote_token_volume: 0,
  market_config: { force_reduce_only: true, hidden: false },
};

/** Markets of shares on the chain: spot, which has no funding. */
const SPOT = {
  ...CLOSED,
  ...{ symbol: 'SNDK/USDG', market_id: 2048, market_type: 'spot', status: 'active', last_trade_price: 262 },
  ...{ daily_quote_token_volume: 18_400, market_config: { force_reduce_only: false, hidden: false } },
};

function answer(path: string, query: URLSearchParams, view: SimView): unknown {
  const wanted = byId(view, query.get('market_id'));
  switch (path) {
    case '/tokenlist':
      return {
        code: 200,
        tokens: view.contracts.map((contract) => ({
          symbol: contract.base.replace(/^1000(?=[A-Z])/, 'k'),
          ...(/^1000(?=[A-Z])/.test(contract.base) ? { backend_symbol: contract.base } : {}),
          market: 'PERPS',
          ...LISTED_AS[contract.coin.assetClass ?? 'crypto'],
        })),
      };
    case '/orderBookDetails':
      return {
        code: 200,
        order_book_details: [...view.contracts.map((contract) => details(contract, view)), CLOSED, SPOT],
        spot_order_book_details: [],
      };
    case '/funding-rates':
      return {
        code: 200,
        funding_rates: view.open.flatMap((contract) => {
          const row = { market_id: contract.seed, symbol: contract.venueSymbol };
          const rate = Number(((percent(view.quote(contract).rateE8) * 8) / 100).toPrecision(12));
          return [
            { ...row, exchange: 'binance', rate: 0.0001 },
            { ...row, exchange: 'lighter', rate },
          ];
        }),
      };
    case '/announcement':
      return {
        code: 200,
        announcements: view
          .notices(view.nowMs - NOTICE_REACH_MS, view.nowMs)
          .toReversed()
          .map((notice) => ({
            title: notice.title,
            content: notice.body,
            created_at: notice.publishedAtMs,
            expired_at: notice.publishedAtMs + NOTICE_REACH_MS,
          })),
      };
    case '/fundings': {
      if (!wanted) return { code: 20001, message: 'invalid param' };
      const fromMs = Number(query.get('start_timestamp')) * 1000;
      const toMs = Number(query.get('end_timestamp')) * 1000;
      const fundings = view.settlements(wanted, fromMs, toMs).map((settlement) => ({
        timestamp: settlement.settledAtMs / 1000,
        value: '0.01',
        rate: percentText(Math.abs(settlement.rateE8)),
        direction: settlement.rateE8 >= 0 ? 'long' : 'short',
      }));
      // Sources disagree on which end of a long reply is cut, so both happen here.
      const isCutAtEnd = wanted.seed % 2 === 0;
      const cut = isCutAtEnd ? fundings.slice(0, FUNDINGS_LIMIT) : fundings.slice(-FUNDINGS_LIMIT);
      return { code: 200, resolution: '1h', fundings: cut };
    }
    case '/orderBookOrders': {
      if (!wanted) return { code: 20001, message: 'invalid param' };
      const book = view.book(wanted, Math.min(Number(query.get('limit')), 100));
      const side = (levels: [number, number][]) =>
        levels.map(([price, size], i) => ({
          order_index: i,
          initial_base_amount: size.toFixed(wanted.sizeDecimals),
          remaining_base_amount: size.toFixed(wanted.sizeDecimals),
          price: price.toFixed(wanted.priceDecimals),
          order_expiry: view.nowMs,
        }));
      return { code: 200, asks: side(book.asks), bids: side(book.bids) };
    }
    default:
      return undefined;
  }
}

function stats(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const unitUsdc = view.streamsInterestInCoins ? 1 : quote.markPrice;
  const price = (value: number) => value.toFixed(contract.priceDecimals);
  return {
    symbol: contract.venueSymbol,
    market_id: contract.seed,
    index_price: price(quote.indexPrice),
    mark_price: price(quote.markPrice),
    mid_price: price((quote.bidPrice + quote.askPrice) / 2),
    best_bid_price: price(quote.bidPrice),
    best_ask_price: price(quote.askPrice),
    // In USDC; the list beside it is in coins.
    open_interest: (quote.openInterestContracts * unitUsdc).toFixed(6),
    last_trade_price: price(quote.lastPrice),
    funding_clamp_small: '0.0500',
    funding_clamp_big: '4.0000',
    current_funding_rate: percentText(quote.rateE8),
    funding_rate: percentText(quote.lastRateE8),
    funding_timestamp: quote.lastFundingAtMs,
    daily_base_token_volume: quote.volume24hUsd / quote.markPrice,
    daily_quote_token_volume: quote.volume24hUsd,
  };
}

function socket(): SimSocket {
  const tickers = new Set<string>();
  let wantsStats = false;
  const allStats = (view: SimView, type: string) =>
    JSON.stringify({
      channel: 'market_stats:all',
      market_stats: Object.fromEntries(view.open.map((contract) => [contract.seed, stats(contract, view)])),
      timestamp: view.nowMs,
      type,
    });
  const ticker = (contract: SimContract, view: SimView, type: string) => {
    const quote = view.quote(contract);
    const level = (price: number, size: number) =>
      price > 0
        ? { price: price.toFixed(contract.priceDecimals), size: size.toFixed(contract.sizeDecimals) }
        : { price: '', size: '' };
    return JSON.stringify({
      channel: `ticker:${contract.seed}`,
      last_updated_at: view.nowMs * 1000,
      nonce: view.nowMs,
      ticker: {
        s: contract.venueSymbol,
        a: level(quote.askPrice, quote.askContracts),
        b: level(quote.bidPrice, quote.bidContracts),
        last_updated_at: view.nowMs * 1000,
      },
      timestamp: view.nowMs,
      type,
    });
  };
  return {
    receive: (message, view) => {
      const { type, channel = '' } = message as { type?: string; channel?: string };
      if (type === 'ping') return [JSON.stringify({ type: 'pong' })];
      if (type !== 'subscribe') return [];
      if (channel === 'market_stats/all') {
        wantsStats = true;
        return [allStats(view, 'subscribed/market_stats')];
      }
      const contract = byId(view, channel.replace('ticker/', ''));
      if (!contract) return [JSON.stringify({ error: { code: 30005, message: 'Invalid Channel' } })];
      tickers.add(String(contract.seed));
      return [ticker(contract, view, 'subscribed/ticker')];
    },
    tick: (view) => [
      ...(wantsStats ? [allStats(view, 'update/market_stats')] : []),
      ...view.open
        .filter((contract) => tickers.has(String(contract.seed)))
        .map((contract) => ticker(contract, view, 'update/ticker')),
      // The venue sends a ticker without content now and then.
      ...[...tickers]
        .slice(0, 1)
        .map((id) => JSON.stringify({ channel: `ticker:${id}`, type: 'update/ticker' })),
    ],
  };
}

const LISTINGS = { isListedBeforeOpening: true, listingTime: 'exact', ending: 'mark' } as const;

type Deployment = Pick<
  SimVenue['profile'],
  'slug' | 'exchange' | 'quotes' | 'settleOf' | 'coverage' | 'traditionalCoverage' | 'listings'
>;

export const lighterVenue = (own: Deployment): SimVenue => ({
  profile: {
    listings: LISTINGS,
    ...own,
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.005,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base }) => base,
  },
  http: ({ path, query }: SimRequest, view) =>
    path.startsWith('/api/v1') ? answer(path.slice('/api/v1'.length), query, view) : undefined,
  socket,
  publishes: (_contract, quote) => ({ ratePct: percent(quote.rateE8) }),
  settledPrints: (contract, view, fromMs, toMs) =>
    view.settlements(contract, fromMs, toMs).map((settlement) => ({
      settledAtMs: settlement.settledAtMs,
      ratePct: percent(settlement.rateE8),
    })),
});

export const lighter = lighterVenue({
  ...{ slug: 'lighter', exchange: 'Lighter', quotes: ['USDC'], coverage: 0.7 },
  listings: { ...LISTINGS, notices: 'texts', noticeDays: 30 },
});
