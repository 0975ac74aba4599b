import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { nextSettlementMs } from '../settlement-times.ts';
import { rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const HISTORY_DAYS = 90;
const NOTICE_TYPE = {
  listing: 'announcements-new-listings',
  delisting: 'announcements-delistings',
  other: 'announcements-earn',
} as const;
const NOTICES_PER_PAGE = 20;

/** A contract's row from its announcement until five minutes before it opens. */
const announced = (instId: string, listTime: string): object => ({
  instType: 'SWAP',
  instId,
  listTime,
  state: 'preopen',
  ctVal: '',
  ctMult: '',
  ctType: '',
  ctValCcy: '',
  settleCcy: '',
  uly: '',
  instFamily: '',
  expTime: '',
  lever: '',
  instCategory: '',
});

function instrument(contract: SimContract, view: SimView): object {
  const status = view.status(contract);
  const listTime = String(contract.listedAtMs);
  if (status === 'preopen' && view.nowMs < contract.listedAtMs - 5 * MINUTE_MS)
    return announced(contract.venueSymbol, listTime);
  return {
    instType: 'SWAP',
    instId: contract.venueSymbol,
    instFamily: contract.venueSymbol.replace('-SWAP', ''),
    uly: `${contract.base}-${contract.quote}`,
    baseCcy: '',
    quoteCcy: '',
    settleCcy: contract.settle,
    ctType: contract.isInverse ? 'inverse' : 'linear',
    ctVal: String(contract.contractSize),
    ctMult: '1',
    ctValCcy: contract.isInverse ? 'USD' : contract.base,
    listTime,
    contTdSwTime: '',
    preMktSwTime: '',
    expTime: status === 'delisting' ? String(contract.delistsAtMs) : '',
    lever: String(contract.maxLeverage),
    lotSz: String(10 ** -contract.sizeDecimals),
    tickSz: (10 ** -contract.priceDecimals).toFixed(contract.priceDecimals),
    state: status === 'preopen' ? 'preopen' : 'live',
    ruleType: 'normal',
    // Indices come as shares.
    instCategory: { crypto: '1', stock: '3', index: '3', commodity: '4', forex: '5' }[
      contract.coin.assetClass ?? 'crypto'
    ],
  };
}

function fundingRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    formulaType: 'noRate',
    fundingRate: wideRate(quote.rateE8),
    fundingTime: String(quote.nextFundingAtMs),
    instId: contract.venueSymbol,
    instType: 'SWAP',
    method: 'current_period',
    nextFundingRate: '',
    nextFundingTime: String(nextSettlementMs(contract, quote.nextFundingAtMs)),
    prevFundingTime: String(quote.lastFundingAtMs),
    settFundingRate: wideRate(quote.lastRateE8),
    settState: view.nowMs - quote.lastFundingAtMs < MINUTE_MS ? 'processing' : 'settled',
    ts: String(view.nowMs),
  };
}

/** The venue prints sixteen decimals. */
const wideRate = (rateE8: number): string => `${rateText(rateE8)}00000000`;

/** A future that pays funding like a perpetual; the call for all rates has it among the perpetuals. */
const X_PERP = {
  fundingRate: '0.0001',
  fundingTime: '',
  instId: 'BTC-USD_UM_XPERP-310404',
  instType: 'FUTURES',
};

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const price = (value: number) => value.toFixed(contract.priceDecimals);
  const size = (value: number) => value.toFixed(contract.sizeDecimals);
  const coins = quote.volume24hUsd / quote.markPrice;
  const contracts = contract.isInverse
    ? quote.volume24hUsd / contract.contractSize
    : coins / contract.contractSize;
  return {
    instType: 'SWAP',
    instId: contract.venueSymbol,
    last: price(quote.lastPrice),
    lastSz: '1',
    askPx: price(quote.askPrice),
    askSz: size(quote.askContracts),
    bidPx: price(quote.bidPrice),
    bidSz: size(quote.bidContracts),
    volCcy24h: coins.toFixed(4),
    vol24h: size(contracts),
    ts: String(view.nowMs),
  };
}

function history(query: URLSearchParams, view: SimView): object[] {
  const contract = view.find(query.get('instId') ?? '');
  if (!contract) return [];
  const newerThanMs = Number(query.get('before') ?? 0);
  const olderThanMs = Number(query.get('after') ?? view.nowMs + 1);
  return view
    .settlements(contract, Math.max(newerThanMs, view.nowMs - HISTORY_DAYS * DAY_MS), olderThanMs)
    .filter(({ settledAtMs }) => settledAtMs > newerThanMs && settledAtMs < olderThanMs)
    .toReversed()
    .slice(0, Math.min(400, Number(query.get('limit') ?? 400)))
    .map((settlement) => ({
      formulaType: 'noRate',
      // The forecast differs from what was paid.
      fundingRate: wideRate(settlement.rateE8 + 7),
      fundingTime: String(settlement.settledAtMs),
      instId: contract.venueSymbol,
      instType: 'SWAP',
      method: 'current_period',
      realizedRate: wideRate(settlement.rateE8),
    }));
}

function announcements(query: URLSearchParams, view: SimView): object[] {
  const wanted = query.get('annType');
  const notices = view
    .notices(view.nowMs - 60 * DAY_MS, view.nowMs)
    .toReversed()
    .filter((notice) => wanted === null || NOTICE_TYPE[notice.kind] === wanted);
  const first = (Number(query.get('page') ?? 1) - 1) * NOTICES_PER_PAGE;
  const details = notices.slice(first, first + NOTICES_PER_PAGE).map((notice) => ({
    annType: NOTICE_TYPE[notice.kind],
    title: notice.title,
    url: `https://www.okx.com/en-sg/help/${notice.id}`,
    pTime: String(notice.publishedAtMs),
    businessPTime: String(notice.publishedAtMs),
  }));
  return [{ details, totalPage: String(Math.ceil(notices.length / NOTICES_PER_PAGE)) }];
}

/** There are indices of coins without a contract too. */
function indices(view: SimView, quoteCcy: string | null): object[] {
  const listed = view.open
    .filter((contract) => contract.quote === quoteCcy)
    .map((contract) => ({
      instId: contract.venueSymbol.replace(/-SWAP$/, ''),
      idxPx: String(view.quote(contract).indexPrice),
      ts: String(view.nowMs),
    }));
  return [...listed, { instId: `NOSWAP-${quoteCcy}`, idxPx: '1', ts: String(view.nowMs) }];
}

function openInterest(contract: SimContract, view: SimView): object {
  const { openInterestContracts, markPrice } = view.quote(contract);
  const units = openInterestContracts * contract.contractSize;
  return {
    instType: 'SWAP',
    instId: contract.venueSymbol,
    oi: String(openInterestContracts),
    oiCcy: String(contract.isInverse ? units / markPrice : units),
    oiUsd: String(contract.isInverse ? units : units * markPrice),
    ts: String(view.nowMs),
  };
}

function data(path: string, query: URLSearchParams, view: SimView): object[] | undefined {
  switch (path) {
    case '/api/v5/public/instruments':
      return [...view.contracts.map((contract) => instrument(contract, view)), announced('', '')];
    case '/api/v5/public/funding-rate':
      return [...view.open.map((contract) => fundingRate(contract, view)), X_PERP];
    case '/api/v5/market/tickers':
      return view.open.map((contract) => ticker(contract, view));
    case '/api/v5/public/mark-price':
      return view.open.map((contract) => ({
        instType: 'SWAP',
        instId: contract.venueSymbol,
        markPx: String(view.quote(contract).markPrice),
        ts: String(view.nowMs),
      }));
    case '/api/v5/market/index-tickers':
      return indices(view, query.get('quoteCcy'));
    case '/api/v5/public/open-interest':
      return view.open.map((contract) => openInterest(contract, view));
    case '/api/v5/public/funding-rate-history':
      return history(query, view);
    case '/api/v5/market/books': {
      const contract = view.find(query.get('instId') ?? '');
      if (!contract) return undefined;
      const book = view.book(contract, Number(query.get('sz') ?? 1));
      const side = (levels: [number, number][]) =>
        levels.map(([p, s]) => [
          p.toFixed(contract.priceDecimals),
          s.toFixed(contract.sizeDecimals),
          '0',
          '1',
        ]);
      return [{ asks: side(book.asks), bids: side(book.bids), ts: String(view.nowMs) }];
    }
    case '/api/v5/support/announcements':
      return announcements(query, view);
    default:
      return undefined;
  }
}

export const okx: SimVenue = {
  profile: {
    slug: 'okx',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', ending: 'time', notices: 'titles' },
    exchange: 'OKX',
    quotes: ['USDT', 'USDC', 'USD'],
    inverseQuote: 'USD',
    inverseFaceUsd: (ticker) => (ticker === 'BTC' ? 100 : 10),
    intervals: [8, 4, 1, 2, 6],
    rateCap: 0.015,
    coverage: 0.7,
    multipliedBase: null,
    // 0.01 BTC, 0.1 ETH, 1000 DOGE, 10,000,000 PEPE: some hundred dollars each, as at the venue.
    contractSize: (coin) => 10 ** -Math.floor(Math.log10(coin.anchorPriceUsd / 100)),
    sizeDecimals: (coin) => (coin.tier === 0 ? 2 : 0),
    venueSymbol: ({ base, quote, isInverse }) =>
      `${base}-${quote}${quote === 'USD' && !isInverse ? '_UM' : ''}-SWAP`,
  },
  http: ({ path, query }: SimRequest, view) => {
    const rows = data(path, query, view);
    return rows && { code: '0', msg: '', data: rows };
  },
};
