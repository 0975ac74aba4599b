import { SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

/** After a settlement a row goes on showing it, with the rate that was charged. */
const PASSED_MS = 75 * SECOND_MS;

function showsPassedSettlement(contract: SimContract, view: SimView): boolean {
  return view.nowMs - view.quote(contract).lastFundingAtMs < PASSED_MS;
}

function indexToken(contract: SimContract): string {
  return `${contract.coin.ticker}${contract.quote}`;
}

function instrument(contract: SimContract): object {
  return {
    exchangeId: '301',
    symbol: contract.venueSymbol,
    symbolName: contract.venueSymbol,
    status: 'TRADING',
    baseAsset: contract.venueSymbol,
    quoteAsset: contract.quote,
    inverse: false,
    index: contract.base,
    indexToken: indexToken(contract),
    marginToken: contract.settle,
    contractMultiplier: String(contract.contractSize),
    underlying: contract.base,
    filters: [],
    riskLimits: [
      { quantity: '42000.0', initialMargin: String(1 / contract.maxLeverage) },
      { quantity: '84000.0', initialMargin: '0.5' },
    ],
    closingStartTime: '0',
    closingEndTime: '0',
    isRwa: false,
    launchTime: String(contract.listedAtMs),
  };
}

function fundingRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const isPassed = showsPassedSettlement(contract, view);
  return {
    symbol: contract.venueSymbol,
    rate: rateText(isPassed ? quote.lastRateE8 : quote.rateE8),
    period: `${quote.intervalHours}H`,
    nextFundingTime: String(isPassed ? quote.lastFundingAtMs : quote.nextFundingAtMs),
    interest: '0.0001',
    fundingRateCap: String(contract.rateCap),
    fundingRateFloor: String(-contract.rateCap),
  };
}

/** Rows of demo contracts, which the contract list does not have. */
function shadowOf(rows: readonly object[], ...fields: string[]): object[] {
  const [first] = rows as Record<string, unknown>[];
  if (!first) return [];
  const names = Object.fromEntries(fields.map((field) => [field, 'TBV_BTC-SWAP-TBV_USDT']));
  return [{ ...first, ...names }];
}

function dayTicker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    t: view.nowMs,
    si: contract.venueSymbol,
    s: contract.venueSymbol,
    c: priceText(contract, quote.lastPrice),
    v: (quote.volume24hUsd / quote.markPrice / contract.contractSize).toFixed(1),
    qv: quote.volume24hUsd.toFixed(5),
    op: String(quote.openInterestContracts),
  };
}

function bookTicker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    E: 0,
    s: contract.venueSymbol,
    b: priceText(contract, quote.bidPrice),
    bq: sizeText(contract, quote.bidContracts),
    a: priceText(contract, quote.askPrice),
    aq: sizeText(contract, quote.askContracts),
    t: view.nowMs,
  };
}

/** Newest first, below `fromId`; times in the query are ignored. Here a print's id is its hour. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object[] {
  const toMs = Number(query.get('fromId') ?? Number.POSITIVE_INFINITY) * 3_600_000 - 1;
  return view.newestSettlements(contract, toMs, Number(query.get('limit') ?? 20)).map((settlement) => ({
    id: String(settlement.settledAtMs / 3_600_000),
    symbol: contract.venueSymbol,
    settleTime: String(settlement.settledAtMs),
    settleRate: rateText(settlement.rateE8),
    period: `${settlement.intervalHours}H`,
  }));
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const wanted = view.find(query.get('symbol') ?? '');
  const invalid = { code: -100011, msg: 'Not supported symbols' };
  switch (path) {
    case '/api/v1/exchangeInfo':
      return {
        timezone: 'UTC',
        serverTime: String(view.nowMs),
        symbols: [],
        contracts: view.open.map(instrument),
      };
    case '/api/v1/futures/fundingRate': {
      const rows = view.open.map((contract) => fundingRate(contract, view));
      return [...rows, ...shadowOf(rows, 'symbol')];
    }
    case '/quote/v1/contract/ticker/24hr': {
      const rows = view.open.map((contract) => dayTicker(contract, view));
      return [...rows, ...shadowOf(rows, 's', 'si')];
    }
    case '/quote/v1/contract/ticker/bookTicker':
      return view.open.map((contract) => bookTicker(contract, view));
    case '/quote/v1/markPrice':
      return view.open.map((contract) => ({
        exchangeId: 301,
        symbolId: contract.venueSymbol,
        price: String(view.quote(contract).markPrice),
        time: view.nowMs,
      }));
    case '/quote/v1/index':
      return {
        index: Object.fromEntries(
          view.open.map((contract) => [indexToken(contract), String(view.quote(contract).indexPrice)]),
        ),
        edp: {},
      };
    case '/api/v1/futures/historyFundingRate':
      return wanted ? history(wanted, query, view) : invalid;
    case '/quote/v1/depth': {
      if (!wanted) return invalid;
      const book = view.book(wanted, Number(query.get('limit') ?? 100));
      const side = (levels: [number, number][]) => levelTexts(wanted, levels);
      return { t: view.nowMs, b: side(book.bids), a: side(book.asks) };
    }
    default:
      return undefined;
  }
}

export const toobit: SimVenue = {
  profile: {
    slug: 'toobit',
    listings: { listingTime: 'exact' },
    exchange: 'Toobit',
    quotes: ['USDT', 'USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    rateCap: 0.02,
    coverage: 0.75,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 1000 ? 0.001 : coin.anchorPriceUsd * multiplier > 100 ? 0.01 : 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 1000 ? 1 : 0),
    venueSymbol: ({ base, quote }) => `${base}-SWAP-${quote}`,
  },
  http,
  showsPassedSettlement,
};
