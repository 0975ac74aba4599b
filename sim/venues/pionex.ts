import { HOUR_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

/** Codes of Pionex's own, which differ from the base in the symbol. */
const OWN_CODES: Readonly<Record<string, string>> = { '0G': 'ZEROG', '1INCH': 'INCH', NEIRO: 'NEIROCTO' };

const symbolRow = (symbol: string, baseCurrency: string, quoteCurrency: string) => ({
  symbol,
  name: symbol.replace('_PERP', '_PERPETUAL').replaceAll('_', ' '),
  type: 'PERP',
  baseCurrency,
  quoteCurrency,
  minNotional: '1',
  maxOrderNum: 200,
  status: 'TRADING',
  liquidationFeeRate: '0.02',
});

/** Contracts that are priced in a coin. */
const IN_COINS = [symbolRow('BTC_ETH_PERP', 'BTC', 'ETH'), symbolRow('USDT_BTC_PERP', 'USDT', 'BTC')];

function index(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    indexPrice: String(quote.indexPrice),
    markPrice: String(quote.markPrice),
    nextFundingRate: rateText(quote.rateE8),
    nextFundingTime: quote.nextFundingAtMs,
    updateTime: Math.floor(view.nowMs / 100) * 100,
  };
}

function bookTicker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const hasBook = quote.bidPrice > 0;
  return {
    symbol: contract.venueSymbol,
    bidPrice: hasBook ? priceText(contract, quote.bidPrice) : '',
    bidSize: hasBook ? sizeText(contract, quote.bidContracts) : '',
    askPrice: hasBook ? priceText(contract, quote.askPrice) : '',
    askSize: hasBook ? sizeText(contract, quote.askContracts) : '',
    timestamp: view.nowMs,
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    time: view.nowMs,
    close: priceText(contract, quote.lastPrice),
    volume: (quote.volume24hUsd / quote.markPrice).toFixed(6),
    amount: quote.volume24hUsd.toFixed(8),
  };
}

const MAX_ROWS = 100;
const HISTORY_DAYS = 400;

/** Newest first, ending at `endTime`, whatever `startTime` is. */
function fundingRates(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const endMs = Number(query.get('endTime') ?? view.nowMs);
  return {
    symbol: contract.venueSymbol,
    rates: view
      .settlements(contract, endMs - HISTORY_DAYS * 24 * HOUR_MS, endMs)
      .slice(-Number(query.get('limit') ?? MAX_ROWS))
      .reverse()
      .map(({ rateE8, settledAtMs }) => ({ fundingRate: rateText(rateE8), fundingTime: settledAtMs })),
  };
}

function depth(contract: SimContract, view: SimView, levels: number): object {
  const { bids, asks } = view.book(contract, levels);
  const side = (levels: [number, number][]) => levelTexts(contract, levels);
  // A real book of 1,000 levels had a level of size 0 at its top.
  const empty = bids.length > 0 ? [['999999', '0']] : [];
  return { bids: side(bids), asks: [...empty, ...side(asks)], updateTime: view.nowMs };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: object) => ({ result: true, data, timestamp: view.nowMs });
  const refused = (code: string) => ({
    result: false,
    code,
    message: 'symbol error',
    timestamp: Math.floor(view.nowMs / 1000),
  });
  const rows = (row: (contract: SimContract, view: SimView) => object) =>
    view.open.map((contract) => row(contract, view));
  const symbol = query.get('symbol');
  const wanted = view.find(symbol ?? '');
  switch (path) {
    case '/api/v1/common/symbols': {
      const listed = view.open.map(({ venueSymbol, base, quote }) =>
        symbolRow(venueSymbol, OWN_CODES[base] ?? base, quote),
      );
      return ok({ symbols: [...IN_COINS, ...listed] });
    }
    case '/api/v1/market/indexes':
      if (symbol !== null)
        return wanted ? ok({ indexes: [index(wanted, view)] }) : refused('MARKET_PARAMETER_ERROR');
      return ok({ indexes: rows(index) });
    case '/api/v1/market/bookTickers':
      return ok({ tickers: rows(bookTicker) });
    case '/api/v1/market/tickers':
      return ok({ tickers: rows(ticker) });
    case '/api/v1/market/openInterests':
      return ok({
        openInterests: rows((contract) => ({
          symbol: contract.venueSymbol,
          openInterest: String(view.quote(contract).openInterestContracts),
        })),
      });
    case '/api/v1/market/fundingRates':
      if (Number(query.get('limit')) > MAX_ROWS) return refused('MARKET_PARAMETER_ERROR');
      return wanted ? ok(fundingRates(wanted, query, view)) : refused('MARKET_INVALID_SYMBOL');
    case '/api/v1/market/depth':
      return wanted
        ? ok(depth(wanted, view, Number(query.get('limit') ?? 20)))
        : refused('MARKET_INVALID_SYMBOL');
    default:
      return undefined;
  }
}

export const pionex: SimVenue = {
  profile: {
    slug: 'pionex',
    exchange: 'Pionex',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    rateCap: 0.02,
    coverage: 0.7,
    multipliedBase: null,
    contractSize: () => 1,
    sizeDecimals: (coin) => (coin.anchorPriceUsd > 100 ? 4 : coin.anchorPriceUsd > 1 ? 1 : 0),
    venueSymbol: ({ base, quote }) => `${base}_${quote}_PERP`,
  },
  http,
  /** In the second half of an interval, only an equal one before it shows that no print is missing. */
  publishes: (contract, { nextFundingAtMs: nextMs, intervalHours }, view) => {
    const [before, last] = view
      .settlements(contract, view.nowMs - 48 * HOUR_MS, view.nowMs)
      .slice(-2)
      .map((print) => print.settledAtMs) as [number, number?];
    const [beforeMs, lastMs] = last === undefined ? [undefined, before] : [before, last];
    const isKnown =
      lastMs !== undefined &&
      (view.nowMs - lastMs < (nextMs - lastMs) / 2 || lastMs - (beforeMs ?? 0) === nextMs - lastMs);
    return { intervalHours: isKnown ? intervalHours : null };
  },
};
