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

const TAG = { crypto: 'Crypto', stock: 'Stock', index: 'Index', commodity: 'Commodity', forex: 'FX' };
const HISTORY_PAGE_ROWS = 1000;

/** Rates have seven decimals. */
const roundedE8 = (rateE8: number) => Math.round(rateE8 / 10) * 10 + 0;
const rate = (rateE8: number) => rateText(roundedE8(rateE8)).slice(0, -1);

/** Times have nanoseconds. */
const isoText = (atMs: number) => new Date(atMs).toISOString().replace('Z', '237665Z');
/** The milliseconds that the payment run takes. */
const paidAtMs = (contract: SimContract, settledAtMs: number) => settledAtMs + 10 + (contract.seed % 30);

function contractRow(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const { assetClass = 'crypto' } = contract.coin;
  return {
    market: contract.venueSymbol,
    displayName: `${contract.base}USD`,
    productType: 'perpetual',
    contractType: 'linear',
    baseCurrency: contract.base,
    quoteCurrency: 'USD',
    disabled: false,
    lastPrice: priceText(contract, quote.lastPrice),
    usdVolume: quote.volume24hUsd.toFixed(2),
    bid: priceText(contract, quote.bidPrice),
    ask: priceText(contract, quote.askPrice),
    openInterest: sizeText(contract, quote.openInterestContracts),
    openInterestUsd: (quote.openInterestContracts * quote.markPrice).toFixed(6),
    // Older than the oracle price beside the mark.
    indexPrice: (quote.indexPrice * 1.005).toFixed(contract.priceDecimals + 1),
    fundingRate: rate(quote.lastRateE8),
    nextFundingRate: rate(quote.rateE8),
    nextFundingRateTimestamp: new Date(quote.nextFundingAtMs).toISOString().replace('.000', ''),
    makerFee: '0.0001',
    takerFee: '0.00025',
    isClosed: lastOpenMs(contract.coin, view.nowMs) < view.nowMs,
    tags: [TAG[assetClass]],
  };
}

/** Contracts that cannot be traded stay in the list with figures of 0. */
const DISABLED = {
  ...{ market: 'EURUSD-USD.P', productType: 'perpetual', baseCurrency: 'EURUSD', quoteCurrency: 'USD' },
  ...{ disabled: true, isClosed: false, tags: ['FX'], lastPrice: '0', usdVolume: '0', indexPrice: '0' },
  ...{ nextFundingRate: '0.0000063', nextFundingRateTimestamp: '2026-09-13T23:00:00Z', takerFee: '0.00035' },
};

function markPrices(view: SimView): object {
  const rows = view.open.map((contract) => {
    const quote = view.quote(contract);
    const price = (value: number) => value.toFixed(contract.priceDecimals + 1);
    const market = contract.venueSymbol;
    return { market, markPrice: price(quote.markPrice), oraclePrice: price(quote.indexPrice) };
  });
  return Object.fromEntries(rows.map((row) => [row.market, row]));
}

/** Newest first. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object[] {
  const [fromMs, toMs] = [Number(query.get('startTime')), Number(query.get('endTime'))];
  return view
    .settlements(contract, fromMs - 1000, toMs)
    .map(({ settledAtMs, rateE8 }) => ({ atMs: paidAtMs(contract, settledAtMs), rateE8 }))
    .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs && atMs <= view.nowMs)
    .reverse()
    .slice(0, Math.min(HISTORY_PAGE_ROWS, Number(query.get('limit'))))
    .map(({ atMs, rateE8 }) => ({
      market: contract.venueSymbol,
      time: isoText(atMs),
      fundingRate: rate(rateE8),
    }));
}

function answer({ path, query }: SimRequest, view: SimView): unknown {
  const call = path.replace('/v1/perps/', '');
  if (call === 'contracts') return [...view.open.map((contract) => contractRow(contract, view)), DISABLED];
  if (call === 'mark_prices') return markPrices(view);
  const contract = view.find(query.get('market') ?? '');
  if (!contract) return undefined;
  if (call === 'funding_rate_history') return history(contract, query, view);
  if (call !== 'depth') return undefined;
  const book = view.book(contract, Number(query.get('depth')));
  const [bids, asks] = [levelTexts(contract, book.bids), levelTexts(contract, book.asks)];
  return { market: contract.venueSymbol, time: isoText(view.nowMs), bids, asks };
}

/** Tops of all markets, each only when it has changed. */
function socket(): SimSocket {
  const isChanged = changeFilter();
  let isSubscribed = false;
  return {
    receive: (message) => {
      const { op, channel } = (message ?? {}) as { op?: unknown; channel?: unknown };
      if (op === 'ping') return ['{"type":"pong"}'];
      if (op !== 'subscribe' || channel !== 'topOfBooksPerps') return ['{"type":"error"}'];
      isSubscribed = true;
      return [JSON.stringify({ type: 'subscribed', channel })];
    },
    tick: (view) => {
      const data = (isSubscribed ? view.open : []).flatMap((contract) => {
        const quote = view.quote(contract);
        const level = (price: number, size: number) =>
          price > 0 ? levelTexts(contract, [[price, size]]) : [];
        const top = {
          bids: level(quote.bidPrice, quote.bidContracts),
          asks: level(quote.askPrice, quote.askContracts),
        };
        const market = contract.venueSymbol;
        return isChanged(market, JSON.stringify(top)) ? [{ market, time: isoText(view.nowMs), ...top }] : [];
      });
      return data.length === 0 ? [] : [JSON.stringify({ type: 'update', channel: 'topOfBooksPerps', data })];
    },
  };
}

export const ondo: SimVenue = {
  profile: {
    slug: 'ondo',
    exchange: 'Ondo',
    quotes: ['USD'],
    settleOf: () => 'USDC',
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.01,
    coverage: 0.05,
    traditionalCoverage: 0.8,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base, quote }) => `${base}-${quote}.P`,
  },
  publishes: (_contract, quote) => ({ ratePct: roundedE8(quote.rateE8) / 1e6 }),
  settledPrints: (contract, view, fromMs, toMs) =>
    view
      .settlements(contract, fromMs, toMs)
      .map((print) => ({ settledAtMs: print.settledAtMs, ratePct: roundedE8(print.rateE8) / 1e6 })),
  http: (request, view) => {
    const result = answer(request, view);
    return result === undefined ? { success: false, error: 'not found' } : { success: true, result };
  },
  socket,
};
