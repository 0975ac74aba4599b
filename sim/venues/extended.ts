import type { SimContract } from '../contracts.ts';
import { changeFilter, priceText, rateText, type SimSocket, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

const STATUS = {
  unknown: 'PRELISTED',
  preopen: 'PRELISTED',
  trading: 'ACTIVE',
  delisting: 'REDUCE_ONLY',
  delisted: 'DELISTED',
};
const HISTORY_PAGE_ROWS = 1000;
const MOVED_TO_STARKNET_MS = Date.UTC(2025, 6, 18, 9, 5, 32, 673);

/** Rates have six decimals. */
const roundedE8 = (rateE8: number) => Math.round(rateE8 / 100) * 100 + 0;
const rate = (rateE8: number) => rateText(roundedE8(rateE8)).slice(0, -2);

/** The seconds that the payment run takes. */
const printedAtMs = (contract: SimContract, settledAtMs: number) =>
  settledAtMs + 700 + (contract.seed % 1300);

function market(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const mark = quote.markPrice.toFixed(contract.priceDecimals + 1);
  return {
    name: contract.venueSymbol,
    type: 'PERPETUAL',
    uiName: contract.venueSymbol,
    category: 'Crypto',
    subCategory: 'DeFi',
    assetName: contract.base,
    assetPrecision: contract.sizeDecimals,
    collateralAssetName: 'USD',
    collateralAssetPrecision: 6,
    active: true,
    isRfq: false,
    isOffHours: false,
    status: STATUS[view.status(contract)],
    tradingHours: 'CONTINUOUS',
    marketStats: {
      // The buyers' and the sellers' turnover.
      dailyVolume: (2 * quote.volume24hUsd).toFixed(6),
      dailyVolumeBase: ((2 * quote.volume24hUsd) / quote.markPrice).toFixed(contract.sizeDecimals),
      lastPrice: priceText(contract, quote.lastPrice),
      askPrice: priceText(contract, quote.askPrice),
      bidPrice: priceText(contract, quote.bidPrice),
      markPrice: mark,
      indexPrice: quote.indexPrice.toFixed(contract.priceDecimals + 1),
      fundingRate: rate(quote.rateE8),
      nextFundingRate: quote.nextFundingAtMs,
      openInterest: (quote.openInterestContracts * Number(mark)).toFixed(6),
      openInterestBase: sizeText(contract, quote.openInterestContracts),
    },
    tradingConfig: {
      minOrderSize: sizeText(contract, 10 ** -contract.sizeDecimals),
      minOrderSizeChange: sizeText(contract, 10 ** -contract.sizeDecimals),
      minPriceChange: priceText(contract, 10 ** -contract.priceDecimals),
      maxLeverage: Math.min(contract.maxLeverage, 50).toFixed(2),
      hourlyFundingRateCap: '1',
    },
    visibleOnUi: true,
    createdAt: Math.max(MOVED_TO_STARKNET_MS, contract.announcedAtMs),
  };
}

/** The real list has spot pairs, and ended markets that still show figures. */
const OTHERS = [
  {
    name: 'BTCSPOT-USD',
    type: 'SPOT',
    category: 'Crypto',
    subCategory: 'L1',
    status: 'ACTIVE',
    marketStats: { fundingRate: '0', nextFundingRate: 0, bidPrice: '76987', askPrice: '77093' },
  },
  {
    name: 'OVER_24_5-USD',
    type: 'PERPETUAL',
    category: 'RWA',
    subCategory: 'Equity',
    status: 'DELISTED',
    marketStats: { fundingRate: '0.000005', nextFundingRate: 1789340400000, dailyVolume: '0' },
  },
];

function funding(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const [fromMs, toMs] = [Number(query.get('startTime')), Number(query.get('endTime'))];
  const data = view
    .settlements(contract, fromMs - 2000, toMs)
    .map((settlement) => ({
      m: contract.venueSymbol,
      f: rate(settlement.rateE8),
      T: printedAtMs(contract, settlement.settledAtMs),
    }))
    .filter((row) => row.T >= fromMs && row.T <= toMs)
    .reverse()
    .slice(0, HISTORY_PAGE_ROWS);
  return { status: 'OK', data, pagination: { cursor: 1, count: data.length } };
}

function orderbook(contract: SimContract, view: SimView): object {
  const book = view.book(contract, 100);
  const side = (levels: [number, number][]) =>
    levels.map(([p, s]) => ({ qty: sizeText(contract, s), price: priceText(contract, p) }));
  const data = { market: contract.venueSymbol, bid: side(book.bids), ask: side(book.asks) };
  return { status: 'OK', data };
}

/** Tops of all markets without any subscription, each only when it has changed. */
function socket(): SimSocket {
  const isChanged = changeFilter();
  let seq = 0;
  return {
    receive: () => [],
    tick: (view) =>
      view.open.flatMap((contract) => {
        const quote = view.quote(contract);
        const level = (p: number, s: number) =>
          p > 0 ? [{ p: priceText(contract, p), q: sizeText(contract, s), c: sizeText(contract, s) }] : [];
        const data = {
          t: 'SNAPSHOT',
          m: contract.venueSymbol,
          b: level(quote.bidPrice, quote.bidContracts),
          a: level(quote.askPrice, quote.askContracts),
          d: '1',
        };
        if (!isChanged(contract.venueSymbol, JSON.stringify(data))) return [];
        return [JSON.stringify({ type: 'SNAPSHOT', data, ts: view.nowMs, seq: ++seq })];
      }),
  };
}

export const extended: SimVenue = {
  profile: {
    slug: 'extended',
    listings: { isListedBeforeOpening: true, ending: 'mark' },
    exchange: 'Extended',
    quotes: ['USD'],
    settleOf: () => 'USDC',
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    hasQuietBooks: true,
    rateCap: 0.01,
    coverage: 0.6,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote }) => `${base}-${quote}`,
  },
  publishes: (_contract, quote) => ({ ratePct: roundedE8(quote.rateE8) / 1e6 }),
  settledPrints: (contract, view, fromMs, toMs) =>
    view
      .settlements(contract, fromMs, toMs)
      .map((s) => ({ settledAtMs: s.settledAtMs, ratePct: roundedE8(s.rateE8) / 1e6 })),
  http: ({ path, query }, view) => {
    if (path === '/info/markets')
      return { status: 'OK', data: [...view.contracts.map((c) => market(c, view)), ...OTHERS] };
    const [, , name = '', call = ''] = /^\/info\/(markets\/)?([^/]+)\/(funding|orderbook)$/.exec(path) ?? [];
    const contract = view.find(decodeURIComponent(name));
    if (!contract) return undefined;
    return call === 'funding' ? funding(contract, query, view) : orderbook(contract, view);
  },
  socket,
  refuses: (_host, headers) =>
    headers['user-agent'] ? null : { status: 'ERROR', error: { code: 403, message: 'Forbidden' } },
};
