import { SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

const MARKET = '/deepcoin/market';
const TRADE = '/deepcoin/trade';
const HISTORY_ROWS = 20;

/** The funding calls write BTC-USDT-SWAP as BTCUSDT. */
const compact = ({ venueSymbol }: SimContract) => venueSymbol.replace('-SWAP', '').replace('-', '');
const wholeSecondMs = (view: SimView) => view.nowMs - (view.nowMs % SECOND_MS);

function instrument(contract: SimContract): object {
  return {
    instType: 'SWAP',
    instId: contract.venueSymbol,
    uly: '',
    // Cut to eight letters.
    baseCcy: contract.base.slice(0, 8),
    quoteCcy: contract.quote,
    ctVal: String(contract.contractSize),
    ctValCcy: '',
    listTime: '0',
    lever: String(contract.maxLeverage),
    tickSz: priceText(contract, 10 ** -contract.priceDecimals),
    lotSz: '1',
    minSz: '1',
    ctType: '',
    alias: '',
    state: 'live',
    maxLmtSz: '200000',
    maxMktSz: '200000',
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const coins = quote.volume24hUsd / quote.lastPrice;
  const contracts = contract.isInverse
    ? quote.volume24hUsd / contract.contractSize
    : coins / contract.contractSize;
  return {
    instType: 'SWAP',
    instId: contract.venueSymbol,
    last: priceText(contract, quote.lastPrice),
    lastSz: '',
    askPx: priceText(contract, quote.askPrice),
    askSz: sizeText(contract, quote.askContracts),
    bidPx: priceText(contract, quote.bidPrice),
    bidSz: sizeText(contract, quote.bidContracts),
    volCcy24h: (contract.isInverse ? coins : quote.volume24hUsd).toFixed(8),
    vol24h: contracts.toFixed(0),
    ts: String(wholeSecondMs(view)),
  };
}

/** An instrument of no list, with a volume above that of all others. */
const HIDDEN = {
  instType: 'SWAP',
  instId: 'dETH-USDT-SWAP',
  last: '4480.02',
  askPx: '4480.13',
  askSz: '7200',
  bidPx: '4480.02',
  bidSz: '7100',
  volCcy24h: '78132071265',
  vol24h: '174401724',
  markPx: '4480.1',
};

function markPrice(contract: SimContract, view: SimView): object {
  const markPx = String(view.quote(contract).markPrice);
  return { instType: 'SWAP', instId: contract.venueSymbol, markPx, ts: String(wholeSecondMs(view)) };
}

/** Rates of names that are no contracts. */
const DEAD_RATES = [
  { instrumentId: 'BTCUSDC', fundingRate: 0.0001 },
  { instrumentId: 'BDXUSDT', fundingRate: -0.025 },
];

const currentRate = (contract: SimContract, view: SimView) => ({
  instrumentId: compact(contract),
  fundingRate: Number(rateText(view.quote(contract).rateE8)),
});

function cycle(contract: SimContract, view: SimView): object {
  const { intervalHours, nextFundingAtMs } = view.quote(contract);
  return {
    settleInterval: intervalHours * 3600,
    instrumentID: compact(contract),
    nextSettleTime: nextFundingAtMs / SECOND_MS,
  };
}

/** The newest twenty, whatever `size` says. */
const history = (contract: SimContract, view: SimView) => ({
  rows: view.newestSettlements(contract, view.nowMs, HISTORY_ROWS).map((settlement) => ({
    instrumentID: compact(contract),
    rate: rateText(settlement.rateE8),
    CreateTime: settlement.settledAtMs / SECOND_MS,
    ratePeriodSec: 0,
  })),
});

/** Coins for linear contracts, where the ticker counts contracts. */
function book(contract: SimContract, levels: number, view: SimView): object {
  const { bids, asks } = view.book(contract, levels);
  const side = (rows: [number, number][]) =>
    contract.isInverse
      ? levelTexts(contract, rows)
      : rows.map(([price, size]) => [priceText(contract, price), String(size * contract.contractSize)]);
  return { bids: side(bids), asks: side(asks) };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: unknown) => ({ code: '0', msg: '', data });
  const refused = (code: string, msg: string) => ({ code, msg, data: null });
  const instId = query.get('instId') ?? '';
  const wanted = view.open.find((one) => one.venueSymbol === instId || compact(one) === instId);
  const isInverse = query.get('instType') === 'Swap';
  const family = view.open.filter((contract) => contract.isInverse === isInverse);
  switch (path) {
    case `${MARKET}/instruments`:
      return ok(query.get('instType') === 'SWAP' ? view.open.map(instrument) : []);
    case `${MARKET}/tickers`:
      return ok([HIDDEN, ...view.open.map((contract) => ticker(contract, view))]);
    case `${MARKET}/mark-price`:
      return ok([HIDDEN, ...view.open.map((contract) => markPrice(contract, view))]);
    case `${TRADE}/fund-rate/current-funding-rate`: {
      const rates = family.map((contract) => currentRate(contract, view));
      return ok({ current_fund_rates: [...DEAD_RATES, ...rates] });
    }
    case `${TRADE}/funding-rate`:
      return ok(family.map((contract) => cycle(contract, view)));
    case `${TRADE}/fund-rate/history`:
      return wanted ? ok(history(wanted, view)) : refused('50', `contract symbol(${instId}) not found`);
    case `${MARKET}/books`: {
      const levels = Number(query.get('sz') ?? 0);
      if (!(levels >= 1 && levels <= 400)) return refused('51', 'The Size value must be between 1 and 400');
      return wanted ? ok(book(wanted, levels, view)) : refused('51', 'Instrument ID does not exist');
    }
    default:
      return undefined;
  }
}

export const deepcoin: SimVenue = {
  profile: {
    slug: 'deepcoin',
    exchange: 'Deepcoin',
    quotes: ['USDT'],
    inverseQuote: 'USD',
    inverseTickers: ['LTC', 'ETH', 'XRP', 'BCH', 'LINK'],
    inverseFaceUsd: (ticker) => (ticker === 'ETH' || ticker === 'BCH' ? 10 : 1),
    intervals: [8, 4, 1],
    rateCap: 0.03,
    coverage: 0.6,
    traditionalCoverage: 0.3,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 1000 ? 0.001 : coin.anchorPriceUsd * multiplier > 1 ? 0.1 : 1,
    sizeDecimals: () => 0,
    venueSymbol: ({ base, quote }) => `${base}-${quote}-SWAP`,
  },
  http,
  givesClasses: false,
  settledPrints: (contract, view, fromMs, toMs) =>
    view
      .newestSettlements(contract, view.nowMs, HISTORY_ROWS)
      .filter(({ settledAtMs }) => settledAtMs >= fromMs && settledAtMs <= toMs)
      .map(({ settledAtMs, rateE8 }) => ({ settledAtMs, ratePct: rateE8 / 1e6 }))
      .reverse(),
};
