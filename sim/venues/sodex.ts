import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

/** Halted contracts stay in both lists, with the ticker of their last day. */
const HALTED = {
  symbol: { name: 'BASED-USD', baseCoin: 'BASED', maxLeverage: 10, status: 'HALT' },
  ticker: {
    symbol: 'BASED-USD',
    volume: '10044357',
    quoteVolume: '681603.0959',
    ...{ askPx: '0', askSz: '0', bidPx: '0', bidSz: '0' },
    fundingRate: '0.0000125',
    nextFundingTime: 1_782_576_000_000,
    indexPrice: '0.0683',
    markPrice: '0.0683',
    openInterest: '0',
  },
};

function symbol(fields: object, isTraditional: boolean): object {
  return {
    ...fields,
    quoteCoin: 'vUSDC',
    fundingInterval: 3600,
    maxFundingRate: '0.04',
    minFundingRate: '-0.04',
    ...(isTraditional ? { fundingDiscount: '0.5' } : {}),
    makerFee: '0.00012',
    takerFee: '0.0004',
  };
}

function symbols(view: SimView): object[] {
  const listed = view.open.map(({ venueSymbol, base, maxLeverage, coin }) =>
    symbol(
      { name: venueSymbol, baseCoin: base, maxLeverage, status: 'TRADING' },
      coin.assetClass !== undefined && coin.assetClass !== 'crypto',
    ),
  );
  return [...listed, symbol(HALTED.symbol, false)];
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    volume: (quote.volume24hUsd / quote.markPrice).toFixed(5),
    quoteVolume: quote.volume24hUsd.toFixed(5),
    askPx: priceText(contract, quote.askPrice),
    askSz: sizeText(contract, quote.askContracts),
    bidPx: priceText(contract, quote.bidPrice),
    bidSz: sizeText(contract, quote.bidContracts),
    fundingRate: rateText(quote.rateE8),
    nextFundingTime: quote.nextFundingAtMs,
    indexPrice: String(quote.indexPrice),
    markPrice: String(quote.markPrice),
    // Long and short positions, added up.
    openInterest: sizeText(contract, 2 * quote.openInterestContracts),
  };
}

function book(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const { bids, asks } = view.book(contract, Number(query.get('limit') ?? 20));
  return { updateID: 99, bids: levelTexts(contract, bids), asks: levelTexts(contract, asks) };
}

function dataOf({ path, query }: SimRequest, view: SimView): object | undefined {
  if (path === '/markets/symbols') return symbols(view);
  if (path === '/markets/tickers')
    return [...view.open.map((contract) => ticker(contract, view)), HALTED.ticker];
  const [, , name = '', call] = path.split('/');
  const contract = view.find(name);
  return contract && call === 'orderbook' ? book(contract, query, view) : undefined;
}

export const sodex: SimVenue = {
  profile: {
    slug: 'sodex',
    exchange: 'SoDEX',
    quotes: ['USDC'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    rateCap: 0.04,
    coverage: 0.25,
    traditionalCoverage: 0.6,
    multipliedBase: (ticker_, multiplier) => `${multiplier}${ticker_}`,
    contractSize: () => 1,
    sizeDecimals: () => 4,
    venueSymbol: ({ base }) => `${base}-USD`,
  },
  // The simulated market settles; the venue does not publish it.
  settledPrints: () => [],
  http: (request, view) => {
    const data = dataOf(request, view);
    return data && { code: 0, timestamp: view.nowMs, data };
  },
};
