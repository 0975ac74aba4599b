import { DAY_MS } from '../../src/base/times.ts';
import type { SimCoin } from '../coins.ts';
import type { SimContract } from '../contracts.ts';
import type { SimRequest, SimSocket, SimVenue } from '../venue.ts';
import type { VenueProfile } from '../venue-profile.ts';
import type { SimView } from '../view.ts';

const STATE = { unknown: 3, preopen: 0, trading: 0, delisting: 0, delisted: 3 };
/** The venue's history does not reach back to the listing. */
const HISTORY_MS = 540 * DAY_MS;
const LARGEST_PAGE_ROWS = 100;

/** The zones of the site, by asset class. */
const ZONE = { crypto: 'pow', stock: 'stock', index: 'stockIndex', commodity: 'metals', forex: 'forex' };

/** Times of older contracts are 0 at the venue. */
function openingTimeOf(contract: SimContract, view: SimView): number {
  return contract.listedAtMs > view.nowMs - 90 * DAY_MS ? contract.listedAtMs : 0;
}

function detail(contract: SimContract, view: SimView): object {
  return {
    symbol: contract.venueSymbol,
    displayNameEn: `${contract.venueSymbol} PERPETUAL`,
    baseCoin: contract.base,
    quoteCoin: contract.quote,
    baseCoinName: contract.base,
    quoteCoinName: contract.quote,
    futureType: 1,
    settleCoin: contract.settle,
    contractSize: contract.contractSize,
    maxLeverage: contract.maxLeverage,
    priceScale: contract.priceDecimals,
    volScale: 0,
    takerFeeRate: 0.0002,
    makerFeeRate: 0,
    state: STATE[view.status(contract)],
    isNew: false,
    isHidden: false,
    conceptPlate: [`mc-trade-zone-${ZONE[contract.coin.assetClass ?? 'crypto']}`],
    apiAllowed: true,
    createTime: contract.announcedAtMs,
    openingTime: openingTimeOf(contract, view),
    type: 1,
  };
}

/** The list has a type for dated futures, though none trades today. */
const DATED_FUTURE = {
  symbol: 'BTC_USDT_270326',
  baseCoin: 'BTC',
  quoteCoin: 'USDT',
  settleCoin: 'USDT',
  futureType: 2,
  contractSize: 0.0001,
  state: 0,
};

function fundingRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    fundingRate: quote.rateE8 / 1e8,
    maxFundingRate: contract.rateCap,
    minFundingRate: -contract.rateCap,
    collectCycle: quote.intervalHours,
    nextSettleTime: quote.nextFundingAtMs,
    timestamp: view.nowMs,
    idxPrice: quote.indexPrice,
    fairPrice: quote.markPrice,
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const contracts = contract.isInverse
    ? quote.volume24hUsd / contract.contractSize
    : quote.volume24hUsd / (quote.markPrice * contract.contractSize);
  return {
    contractId: contract.seed % 10_000,
    symbol: contract.venueSymbol,
    lastPrice: quote.lastPrice,
    bid1: quote.bidPrice,
    ask1: quote.askPrice,
    volume24: Math.round(contracts),
    amount24: contract.isInverse ? quote.volume24hUsd / quote.markPrice : quote.volume24hUsd,
    holdVol: quote.openInterestContracts,
    indexPrice: quote.indexPrice,
    fairPrice: quote.markPrice,
    fundingRate: quote.rateE8 / 1e8,
    timestamp: view.nowMs,
  };
}

function history(contract: SimContract, view: SimView, pageNumber: number, pageSize: number): object {
  const oldestMs = view.nowMs - HISTORY_MS;
  const totalCount = view.settlementCount(contract, oldestMs, view.nowMs);
  const skipped = (pageNumber - 1) * pageSize;
  const rows = Math.max(0, Math.min(pageSize, totalCount - skipped));
  return {
    pageSize,
    totalCount,
    totalPage: Math.ceil(totalCount / pageSize),
    currentPage: pageNumber,
    resultList: view.newestSettlements(contract, view.nowMs, rows, skipped).map((settlement) => ({
      symbol: contract.venueSymbol,
      fundingRate: settlement.rateE8 / 1e8,
      settleTime: settlement.settledAtMs,
      collectCycle: settlement.intervalHours,
    })),
  };
}

function bookOf(contract: SimContract, view: SimView, limit: number) {
  const book = view.book(contract, limit);
  const side = (levels: [number, number][]) => levels.map(([price, contracts]) => [price, contracts, 1]);
  return { asks: side(book.asks), bids: side(book.bids), version: view.nowMs };
}

function announcements(query: URLSearchParams, view: SimView): object {
  const notices = view.notices(view.nowMs - 60 * DAY_MS, view.nowMs).reverse();
  const limit = Number(query.get('limit') ?? 20);
  const details = notices.slice(0, limit).map((notice) => ({
    title: notice.title,
    url: `https://www.mexc.com/announcements/article/${notice.id}`,
    language: 'EN',
    postTime: notice.publishedAtMs,
  }));
  return { code: 0, data: [{ details, totalPage: String(Math.ceil(notices.length / limit)) }], msg: '' };
}

function answer({ path, query }: SimRequest, view: SimView): unknown {
  const [, call = '', symbol = ''] = /^\/api\/v1\/contract\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
  const wanted = view.find(call === 'funding_rate' ? (query.get('symbol') ?? '') : symbol);
  switch (call) {
    case 'detail':
      return [...view.contracts.map((contract) => detail(contract, view)), DATED_FUTURE];
    case 'funding_rate':
      if (symbol === '') return view.open.map((contract) => fundingRate(contract, view));
      // No client of the venue requests more rows, so the simulator refuses it.
      return wanted && symbol === 'history' && Number(query.get('page_size')) <= LARGEST_PAGE_ROWS
        ? history(wanted, view, Number(query.get('page_num')), Number(query.get('page_size')))
        : undefined;
    case 'ticker':
      return view.open.map((contract) => ticker(contract, view));
    case 'depth':
      return wanted
        ? { ...bookOf(wanted, view, Number(query.get('limit') ?? 1500)), cts: null, timestamp: view.nowMs }
        : undefined;
    default:
      return undefined;
  }
}

/** One book per push, for every contract that the client has subscribed to. */
function bookSocket(): SimSocket {
  const levelsOf = new Map<string, number>();
  return {
    receive: (message, view) => {
      const { method, param } = message as { method?: string; param?: { symbol?: string; limit?: number } };
      if (method === 'ping') return [JSON.stringify({ channel: 'pong', data: view.nowMs, ts: view.nowMs })];
      const symbol = param?.symbol ?? '';
      if (method !== 'sub.depth.full') return [];
      if (!view.find(symbol))
        return [
          JSON.stringify({ channel: 'rs.error', data: `Contract [${symbol}] not exists`, ts: view.nowMs }),
        ];
      levelsOf.set(symbol, param?.limit ?? 20);
      return [JSON.stringify({ channel: 'rs.sub.depth.full', data: 'success', ts: view.nowMs })];
    },
    tick: (view) =>
      view.open
        .filter((contract) => levelsOf.has(contract.venueSymbol))
        .map((contract) =>
          JSON.stringify({
            symbol: contract.venueSymbol,
            data: { cts: view.nowMs, ...bookOf(contract, view, levelsOf.get(contract.venueSymbol) ?? 20) },
            channel: 'push.depth.full',
            ts: view.nowMs,
          }),
        ),
  };
}

const COMMON = {
  inverseFaceUsd: (ticker: string) => (ticker === 'BTC' ? 100 : 10),
  // The hour is ours: at which one the venue's contract of 24 h settles was not noted.
  offGridHours: { 24: 16 },
  offGridOneIn: 1,
  rateCap: 0.03,
  multipliedBase: (ticker: string, multiplier: number) => `${multiplier}${ticker}`,
  contractSize: (coin: SimCoin, multiplier: number) =>
    Number(`1e${Math.round(1 - Math.log10(coin.anchorPriceUsd * multiplier))}`),
  sizeDecimals: () => 0,
  venueSymbol: ({ base, quote }: { base: string; quote: string }) => `${base}_${quote}`,
};

/** A venue with this software. */
export const mexcVenue = (own: Omit<VenueProfile, keyof typeof COMMON>): SimVenue => ({
  profile: { ...COMMON, ...own },
  http: (request, view) => {
    if (request.path === '/api/v3/announcements')
      return own.listings?.notices ? announcements(request.query, view) : undefined;
    const data = answer(request, view);
    return data === undefined ? undefined : { success: true, code: 0, data };
  },
  socket: () => bookSocket(),
});

export const mexc = mexcVenue({
  slug: 'mexc',
  listings: { isListedBeforeOpening: true, listingTime: 'exact', notices: 'titles' },
  exchange: 'MEXC',
  quotes: ['USDT', 'USDC'],
  inverseQuote: 'USD',
  intervals: [8, 4, 1, 2, 24],
  coverage: 0.95,
});
