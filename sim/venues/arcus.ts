import { SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { lastOpenMs } from '../traditional.ts';
import {
  changeFilter,
  levelTexts,
  priceText,
  rateText,
  type SimRequest,
  type SimSocket,
  type SimVenue,
  sizeText,
} from '../venue.ts';
import type { SimView } from '../view.ts';

const MICROSECONDS_PER_MS = 1000;
const LAST_LEVELS = 100;
const CATEGORIES = {
  crypto: 'CRYPTO',
  stock: 'EQUITIES',
  index: 'INDICES',
  forex: 'FOREX',
  commodity: 'COMMODITIES',
};

/** A market that is offline stays in the list, at a price of 0 and with the settlement of the others. */
const OFFLINE = {
  marketDisplayName: 'F-USD',
  marketId: 11,
  status: 'OFFLINE',
  baseAsset: 'F',
  quoteAsset: 'USD',
  oraclePrice: '0.0000',
  markPrice: '0',
  fundingRate: '0',
  nextFundingRate: '0',
  volume24h: '0',
  volume24hNotional: '0',
  openInterest: '0',
  initialMarginFraction: '0.2',
  isOutsideRth: null,
  type: 'PERPETUAL',
  category: 'EQUITIES',
  addedTimestamp: 1_735_689_600,
};

function market(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    marketDisplayName: contract.venueSymbol,
    marketId: contract.seed % 1000,
    status: 'ONLINE',
    baseAsset: contract.base,
    // It settles in USDG all the same.
    quoteAsset: 'USD',
    oraclePrice: String(quote.indexPrice),
    markPrice: String(quote.markPrice),
    // What was charged last, so that a parser that confuses the two fails.
    fundingRate: rateText(quote.lastRateE8),
    nextFundingRate: rateText(quote.rateE8),
    nextFundingAt: quote.nextFundingAtMs / SECOND_MS,
    volume24h: (quote.volume24hUsd / quote.markPrice).toFixed(2),
    volume24hNotional: quote.volume24hUsd.toFixed(2),
    // Long and short positions, added up.
    openInterest: sizeText(contract, 2 * quote.openInterestContracts),
    initialMarginFraction: String(1 / contract.maxLeverage),
    isOutsideRth: lastOpenMs(contract.coin, view.nowMs) !== view.nowMs,
    type: 'PERPETUAL',
    category: CATEGORIES[contract.coin.assetClass ?? 'crypto'],
    addedTimestamp: contract.listedAtMs / SECOND_MS,
  };
}

/** Newest first, at most `limit`; times are microseconds. */
function fundingRates(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const at = (name: string) => Number(query.get(name)) / MICROSECONDS_PER_MS;
  const rows = view
    .settlements(contract, at('from'), at('to'))
    .toReversed()
    .slice(0, Number(query.get('limit')));
  return {
    fundingRates: rows.map(({ rateE8, settledAtMs }) => ({
      marketDisplayName: contract.venueSymbol,
      fundingRate: rateText(rateE8),
      time: settledAtMs * MICROSECONDS_PER_MS,
    })),
  };
}

function book(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const { bids, asks } = view.book(contract, Math.min(LAST_LEVELS, Number(query.get('nLevels') ?? 20)));
  return {
    market: contract.venueSymbol,
    bids: levelTexts(contract, bids),
    asks: levelTexts(contract, asks),
    timestamp: view.nowMs * MICROSECONDS_PER_MS,
  };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const [, call, named] = path.split('/');
  const contract = view.find(named ?? query.get('market') ?? '');
  if (call === 'markets') {
    const markets = view.open.map((one) => market(one, view));
    const nextFundingAt = Math.ceil(view.nowMs / 3_600_000) * 3600;
    return { markets: [...markets, { ...OFFLINE, nextFundingAt }] };
  }
  if (!contract) return undefined;
  if (call === 'fundingRates') return fundingRates(contract, query, view);
  return call === 'l2OrderBook' ? book(contract, query, view) : undefined;
}

function top(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    bestBid: [priceText(contract, quote.bidPrice), sizeText(contract, quote.bidContracts)],
    bestAsk: [priceText(contract, quote.askPrice), sizeText(contract, quote.askContracts)],
  };
}

/** The acknowledgement has the first top; after that a top is sent when it has changed. */
function socket(): SimSocket {
  const isChanged = changeFilter();
  const subscribed = new Set<string>();
  const frame = (type: string, contract: SimContract, view: SimView) => {
    const contents = { ...top(contract, view), timestamp: view.nowMs * MICROSECONDS_PER_MS };
    return JSON.stringify({ type, channel: 'bbo', id: contract.venueSymbol, contents });
  };
  return {
    receive: (message, view) => {
      const { type, channel, id = '' } = (message ?? {}) as Record<string, string | undefined>;
      const contract = view.find(id);
      if (type !== 'subscribe' || channel !== 'bbo' || !contract)
        return [JSON.stringify({ type: 'error', message: `Invalid market ${id}` })];
      subscribed.add(id);
      return [frame('subscribed', contract, view)];
    },
    tick: (view) =>
      view.open
        .filter(({ venueSymbol }) => subscribed.has(venueSymbol))
        .filter((contract) => isChanged(contract.venueSymbol, JSON.stringify(top(contract, view))))
        .map((contract) => frame('channel_data', contract, view)),
  };
}

export const arcus: SimVenue = {
  profile: {
    slug: 'arcus',
    listings: { listingTime: 'exact' },
    exchange: 'Arcus',
    quotes: ['USD'],
    settleOf: () => 'USDG',
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.04,
    coverage: 0.12,
    traditionalCoverage: 0.8,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: () => 4,
    venueSymbol: ({ base }) => `${base}-USD`,
  },
  http,
  socket,
};
