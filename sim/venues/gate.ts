import { DAY_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { rateText, rateWithChargedE8, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const STATUS = {
  unknown: 'delisted',
  preopen: 'prelaunch',
  trading: 'trading',
  delisting: 'delisting',
  delisted: 'delisted',
};

/** For a minute after a settlement both replies have the rate just charged. */
const shownRateE8 = (contract: SimContract, view: SimView) => rateWithChargedE8(contract, view, 60);

const seconds = (timeMs: number) => Math.floor(timeMs / 1000);

function contractRow(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const status = view.status(contract);
  const isLeaving = status === 'delisting';
  return {
    name: contract.venueSymbol,
    type: contract.isInverse ? 'inverse' : 'direct',
    contract_type: {
      crypto: '',
      stock: 'stocks',
      index: 'indices',
      commodity: 'commodities',
      forex: 'forex',
    }[contract.coin.assetClass ?? 'crypto'],
    quanto_multiplier: contract.isInverse ? '0' : String(contract.contractSize),
    leverage_max: String(contract.maxLeverage),
    mark_type: 'index',
    mark_price: String(quote.markPrice),
    index_price: String(quote.indexPrice),
    last_price: quote.lastPrice.toFixed(contract.priceDecimals),
    maker_fee_rate: '-0.0001',
    taker_fee_rate: '0.00075',
    funding_rate: rateText(shownRateE8(contract, view)),
    funding_rate_indicative: rateText(shownRateE8(contract, view)),
    funding_rate_limit: String(contract.rateCap),
    funding_interval: quote.intervalHours * 3600,
    funding_next_apply: seconds(quote.nextFundingAtMs),
    funding_offset: 0,
    position_size: '4711',
    in_delisting: isLeaving,
    is_pre_market: false,
    status: STATUS[status],
    create_time: seconds(contract.announcedAtMs),
    launch_time: seconds(contract.listedAtMs),
    ...(isLeaving && contract.delistsAtMs !== null
      ? {
          delisting_time: seconds(contract.delistsAtMs - DAY_MS),
          delisted_time: seconds(contract.delistsAtMs),
        }
      : {}),
  };
}

function tickerRow(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const price = (value: number) => value.toFixed(contract.priceDecimals);
  const contracts = contract.isInverse
    ? quote.volume24hUsd
    : quote.volume24hUsd / (quote.markPrice * contract.contractSize);
  return {
    contract: contract.venueSymbol,
    last: price(quote.lastPrice),
    // Both sides, unlike position_size in the contract list.
    total_size: String(2 * quote.openInterestContracts),
    volume_24h: String(Math.round(contracts)),
    volume_24h_base: String(Math.round(quote.volume24hUsd / quote.markPrice)),
    volume_24h_quote: String(Math.round(quote.volume24hUsd)),
    volume_24h_settle: String(
      Math.round(contract.isInverse ? quote.volume24hUsd / quote.markPrice : quote.volume24hUsd),
    ),
    mark_price: String(quote.markPrice),
    index_price: String(quote.indexPrice),
    funding_rate: rateText(shownRateE8(contract, view)),
    highest_bid: price(quote.bidPrice),
    highest_size: quote.bidContracts.toFixed(contract.sizeDecimals),
    lowest_ask: price(quote.askPrice),
    lowest_size: quote.askContracts.toFixed(contract.sizeDecimals),
  };
}

function bookOf(contract: SimContract, view: SimView, limit: number): object {
  const book = view.book(contract, limit);
  const side = (levels: [number, number][]) =>
    levels.map(([p, s]) => ({
      p: p.toFixed(contract.priceDecimals),
      s: s.toFixed(contract.sizeDecimals),
    }));
  const nowSeconds = view.nowMs / 1000;
  return { current: nowSeconds, update: nowSeconds - 0.2, asks: side(book.asks), bids: side(book.bids) };
}

/** Prints are booked a second or two after the full hour; without `from` the venue returns thirty days. */
function history(contract: SimContract, view: SimView, query: URLSearchParams): object[] {
  const to = Number(query.get('to') ?? seconds(view.nowMs));
  const from = Number(query.get('from') ?? to - 30 * 86_400);
  return view
    .settlements(contract, (from - 2) * 1000, to * 1000)
    .map((settlement) => ({
      r: rateText(settlement.rateE8),
      t: seconds(settlement.settledAtMs) + (contract.seed % 3),
    }))
    .filter(({ t }) => t >= from && t <= to)
    .reverse()
    .slice(0, Number(query.get('limit') ?? 100));
}

function articles(body: unknown, view: SimView): object {
  const size = Number((body as { size?: string } | undefined)?.size ?? '20');
  const notices = view.notices(view.nowMs - 60 * DAY_MS, view.nowMs).reverse();
  const list = notices.slice(0, size).map((notice) => {
    const id = 40_000 + (notice.publishedAtMs % 1_000_000_000) + (notice.contract?.seed ?? 0);
    return {
      id,
      title: notice.title,
      brief: notice.body,
      created: '1 days',
      created_t: seconds(notice.publishedAtMs),
      release_timestamp: String(seconds(notice.publishedAtMs)),
      url: `/announcements/article/${id}`,
      tags: notice.kind,
      is_top: 0,
      cate_id: 1,
    };
  });
  return { code: 0, message: '', version: '1.0', data: { total: notices.length, list } };
}

export const gate: SimVenue = {
  profile: {
    slug: 'gate',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', ending: 'time', notices: 'texts' },
    exchange: 'Gate',
    quotes: ['USDT', 'USD1'],
    inverseQuote: 'USD',
    inverseTickers: ['BTC'],
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    afterSettlement: { estimateSeconds: 0, chargedSeconds: 60 },
    rateCap: 0.02,
    rateCaps: { BTC: 0.003, ETH: 0.003 },
    coverage: 0.9,
    // Cheap coins are priced one by one; only the number of coins in a contract grows.
    multipliedBase: null,
    contractSize: (coin) => Number(`1e${Math.round(1 - Math.log10(coin.anchorPriceUsd))}`),
    sizeDecimals: () => 0,
    venueSymbol: ({ base, quote }) => `${base}_${quote}`,
  },
  publishes: (contract, _quote, view) => ({ ratePct: shownRateE8(contract, view) / 1e6 }),
  http: ({ method, path, query, body }: SimRequest, view) => {
    if (path === '/api/v4/ann/list_article') return method === 'POST' ? articles(body, view) : undefined;
    const [, settle = '', call = ''] = /^\/api\/v4\/futures\/(usdt|usd1|btc)\/(\w+)$/.exec(path) ?? [];
    const mine = (list: readonly SimContract[]) => list.filter((c) => c.settle.toLowerCase() === settle);
    const wanted = view.find(query.get('contract') ?? '');
    switch (call) {
      case 'contracts':
        return mine(view.contracts).map((contract) => contractRow(contract, view));
      case 'tickers':
        return mine(view.open).map((contract) => tickerRow(contract, view));
      case 'order_book':
        return wanted ? bookOf(wanted, view, Number(query.get('limit') ?? 10)) : undefined;
      case 'funding_rate':
        return wanted ? history(wanted, view, query) : undefined;
      default:
        return undefined;
    }
  },
};
