import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

const MAX_LEVELS = 200;
const MAX_ROWS = 100;
const CATEGORY = { stock: 'STOCK', commodity: 'COMMODITY', index: 'INDEX', forex: undefined };

/** The history writes BTCUSDT as BTC-USDT. */
const dashed = ({ base, settle }: SimContract) => `${base}-${settle}`;

function config(contract: SimContract, view: SimView): object {
  const { assetClass = 'crypto' } = contract.coin;
  const isEnding = view.status(contract) === 'delisting';
  return {
    crossSymbolName: contract.venueSymbol,
    symbol: dashed(contract),
    symbolDisplayName: contract.venueSymbol,
    baseTokenId: contract.base,
    settleAssetId: contract.settle,
    displayMaxLeverage: String(Math.min(contract.maxLeverage, 100)),
    displayMinLeverage: '1',
    enableDisplay: !isEnding,
    enableOpenPosition: !isEnding,
    enableTrade: true,
    isPrelaunch: view.status(contract) === 'preopen',
    // The smallest order, which is no contract size.
    minOrderSize: '0.0010',
    stepSize: sizeText(contract, 10 ** -contract.sizeDecimals),
    tickSize: priceText(contract, 10 ** -contract.priceDecimals),
    fundingInterestRate: '0.0003',
    fundingMaxRate: '0.005',
    category: assetClass === 'crypto' ? 'L1' : CATEGORY[assetClass],
    l2PairId: '50001',
  };
}

/** A contract that has ended stays in the list, and a bet on an event is in a list of its own. */
const ENDED = {
  crossSymbolName: 'GONEUSDT',
  symbol: 'GONE-USDT',
  baseTokenId: 'GONE',
  settleAssetId: 'USDT',
  enableDisplay: false,
  enableOpenPosition: false,
  enableTrade: false,
  isPrelaunch: false,
  pullOffTime: 1_782_381_600,
  deliveryTime: 1_782_385_200_000,
  category: 'L1',
};
const EVENT = { crossSymbolName: 'WIN2028USDT', symbol: 'WIN2028-USDT', baseTokenId: 'WIN2028' };

function symbols(view: SimView): object {
  const configs = (isTraditional: boolean) =>
    view.contracts
      .filter(({ coin }) => ((coin.assetClass ?? 'crypto') !== 'crypto') === isTraditional)
      .map((contract) => config(contract, view));
  return {
    contractConfig: {
      perpetualContract: [...configs(false), ENDED],
      stockContract: configs(true),
      predictionContract: [EVENT],
    },
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    fundingRate: rateText(quote.rateE8),
    // The interest alone, which never changes.
    predictedFundingRate: '0.0000125',
    nextFundingTime: new Date(quote.nextFundingAtMs).toISOString().replace('.000Z', 'Z'),
    markPrice: priceText(contract, quote.markPrice),
    indexPrice: priceText(contract, quote.indexPrice),
    lastPrice: priceText(contract, quote.lastPrice),
    oraclePrice: '',
    openInterest: sizeText(contract, quote.openInterestContracts),
    turnover24h: quote.volume24hUsd.toFixed(4),
    volume24h: (quote.volume24hUsd / quote.lastPrice).toFixed(contract.sizeDecimals),
    tradeCount: '',
  };
}

/** The tickers have rows of ended contracts and of events too. */
const OTHER_TICKERS = ['GONEUSDT', 'WIN2028USDT'].map((symbol) => ({
  symbol,
  fundingRate: '0',
  predictedFundingRate: '0.0000125',
  nextFundingTime: '',
  markPrice: '0.5',
  turnover24h: '0',
}));

function funding(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const [fromMs, toMs] = [
    Number(query.get('beginTimeInclusive')),
    Number(query.get('endTimeExclusive') ?? view.nowMs + 1),
  ];
  const rows = view.settlements(contract, fromMs, toMs - 1).toReversed();
  const limit = Math.min(Number(query.get('limit') ?? MAX_ROWS), MAX_ROWS);
  const historyFunds = rows.slice(0, limit).map(({ settledAtMs, rateE8 }) => ({
    symbol: dashed(contract),
    rate: rateText(rateE8),
    price: '1',
    fundingTime: settledAtMs,
    fundingTimestamp: settledAtMs,
  }));
  return { historyFunds, totalSize: rows.length };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: unknown) => ({ data, timeCost: 1853 });
  const refused = { code: 3, msg: 'invalid symbol', key: 'INVALID_SYMBOL' };
  const symbol = query.get('symbol') ?? '';
  switch (path) {
    case '/symbols':
      return ok(symbols(view));
    case '/data/all-ticker-info':
      return ok([...view.open.map((contract) => ticker(contract, view)), ...OTHER_TICKERS]);
    case '/depth': {
      const wanted = view.find(symbol);
      if (!wanted) return refused;
      const { bids, asks } = view.book(wanted, Math.min(Number(query.get('limit') ?? 25), MAX_LEVELS));
      return ok({ a: levelTexts(wanted, asks), b: levelTexts(wanted, bids), s: symbol, u: 18_665_465 });
    }
    case '/history-funding': {
      const wanted = view.contracts.find((contract) => dashed(contract) === symbol);
      return wanted ? ok(funding(wanted, query, view)) : refused;
    }
    default:
      return undefined;
  }
}

export const apex: SimVenue = {
  profile: {
    slug: 'apex',
    listings: { isListedBeforeOpening: true, ending: 'mark' },
    exchange: 'ApeX',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    rateCap: 0.005,
    coverage: 0.4,
    traditionalCoverage: 0.5,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) => (coin.anchorPriceUsd * multiplier > 100 ? 3 : 1),
    venueSymbol: ({ base, quote }) => `${base}${quote}`,
  },
  http,
};
