import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

const NO_DELIVERY_MS = 4_133_404_800_000;
const UNADJUSTED_INTERVAL_HOURS = 8;

const STATUS = {
  unknown: 'CLOSE',
  preopen: 'PENDING_TRADING',
  trading: 'TRADING',
  delisting: 'TRADING',
  delisted: 'CLOSE',
};

function instrument(contract: SimContract, view: SimView, isCoinM: boolean): object {
  const status = view.status(contract);
  return {
    symbol: contract.venueSymbol,
    pair: contract.venueSymbol.replace('_PERP', ''),
    contractType: 'PERPETUAL',
    deliveryDate: status === 'delisting' ? contract.delistsAtMs : NO_DELIVERY_MS,
    onboardDate: contract.listedAtMs,
    [isCoinM ? 'contractStatus' : 'status']: STATUS[status],
    ...(isCoinM ? { contractSize: contract.contractSize } : {}),
    baseAsset: contract.base,
    quoteAsset: contract.quote,
    marginAsset: contract.settle,
    pricePrecision: contract.priceDecimals,
    quantityPrecision: contract.sizeDecimals,
    underlyingType: { crypto: 'COIN', stock: 'EQUITY', index: 'INDEX', commodity: 'COMMODITY', forex: 'FX' }[
      contract.coin.assetClass ?? 'crypto'
    ],
    underlyingSubType: [],
    filters: [],
  };
}

/** The real list has dated futures among the perpetuals, so ours has one too. */
const DATED_FUTURE = {
  symbol: 'BTCUSDT_270326',
  contractType: 'CURRENT_QUARTER',
  status: 'TRADING',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  marginAsset: 'USDT',
};

/** Aster and WEEX copy this reply and the next. */
export function bookTickerOf(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    bidPrice: priceText(contract, quote.bidPrice),
    bidQty: sizeText(contract, quote.bidContracts),
    askPrice: priceText(contract, quote.askPrice),
    askQty: sizeText(contract, quote.askContracts),
    time: view.nowMs,
  };
}

export function depthOf(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const { bids, asks } = view.book(contract, Number(query.get('limit') ?? 500));
  return {
    lastUpdateId: view.nowMs,
    E: view.nowMs,
    T: view.nowMs,
    bids: levelTexts(contract, bids),
    asks: levelTexts(contract, asks),
  };
}

function answer(path: string, query: URLSearchParams, view: SimView, isCoinM: boolean): unknown {
  const mine = (list: readonly SimContract[]) => list.filter((contract) => contract.isInverse === isCoinM);
  const wanted = view.find(query.get('symbol') ?? '');
  switch (path) {
    case '/exchangeInfo':
      return {
        timezone: 'UTC',
        symbols: [...mine(view.contracts).map((c) => instrument(c, view, isCoinM)), DATED_FUTURE],
      };
    case '/premiumIndex':
      return mine(view.open).map((contract) => {
        const quote = view.quote(contract);
        return {
          symbol: contract.venueSymbol,
          markPrice: quote.markPrice.toFixed(8),
          indexPrice: quote.indexPrice.toFixed(8),
          lastFundingRate: rateText(quote.rateE8),
          interestRate: '0.00010000',
          nextFundingTime: quote.nextFundingAtMs,
          time: view.nowMs,
        };
      });
    case '/fundingInfo':
      return mine(view.open)
        .map((contract) => ({
          symbol: contract.venueSymbol,
          fundingIntervalHours: view.quote(contract).intervalHours,
        }))
        .filter((row) => row.fundingIntervalHours !== UNADJUSTED_INTERVAL_HOURS);
    case '/ticker/24hr':
      return mine(view.open).map((contract) => {
        const quote = view.quote(contract);
        const volume = isCoinM
          ? { volume: String(Math.round(quote.volume24hUsd / contract.contractSize)) }
          : {
              volume: (quote.volume24hUsd / quote.quoteCoinUsd / quote.markPrice).toFixed(3),
              quoteVolume: (quote.volume24hUsd / quote.quoteCoinUsd).toFixed(2),
            };
        return { symbol: contract.venueSymbol, lastPrice: priceText(contract, quote.lastPrice), ...volume };
      });
    case '/ticker/bookTicker':
      return mine(view.open).map((contract) => bookTickerOf(contract, view));
    case '/depth':
      return wanted && depthOf(wanted, query, view);
    case '/fundingRate': {
      const ofAll = !query.has('symbol') && !isCoinM;
      if (!wanted && !ofAll) return [];
      const limit = Number(query.get('limit') ?? 100);
      const fromMs = Number(query.get('startTime') ?? 0);
      const toMs = Number(query.get('endTime') ?? view.nowMs);
      const rows = (wanted ? [wanted] : mine(view.open)).flatMap((contract) =>
        view.settlements(contract, fromMs - 60_000, toMs).map((settlement) => ({
          symbol: contract.venueSymbol,
          // Real prints carry a few milliseconds of jitter.
          fundingTime: settlement.settledAtMs + (contract.seed % 12),
          fundingRate: rateText(settlement.rateE8),
        })),
      );
      return rows
        .filter((row) => row.fundingTime >= fromMs && row.fundingTime <= toMs)
        .sort((a, b) => a.fundingTime - b.fundingTime)
        .slice(0, limit);
    }
    default:
      return undefined;
  }
}

export const binance: SimVenue = {
  profile: {
    slug: 'binance',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', ending: 'time' },
    exchange: 'Binance',
    quotes: ['USDT', 'USDC'],
    crossPairs: [['ETH', 'BTC']],
    inverseQuote: 'USD',
    inverseFaceUsd: (ticker) => (ticker === 'BTC' ? 100 : 10),
    intervals: [8, 4, 1, 2],
    rateCap: 0.03,
    coverage: 0.9,
    multipliedBase: (ticker, multiplier) => (multiplier === 1_000_000 ? `1M${ticker}` : `1000${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 3 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 0,
    venueSymbol: ({ base, quote, isInverse }) => (isInverse ? `${base}USD_PERP` : `${base}${quote}`),
  },
  http: ({ host, path, query }: SimRequest, view) => {
    const isCoinM = host === 'coin-m';
    const prefix = isCoinM ? '/dapi/v1' : '/fapi/v1';
    return path.startsWith(prefix) ? answer(path.slice(prefix.length), query, view, isCoinM) : undefined;
  },
};
