import { HOUR_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { rateText, type SimRequest, type SimVenue } from '../venue.ts';
import type { SimView } from '../view.ts';

const LINEAR = '/openApi/swap/v2/quote';
const INVERSE = '/openApi/cswap/v1/market';
const STATUS = { unknown: 0, preopen: 5, trading: 1, delisting: 1, delisted: 0 };

function instrument(contract: SimContract, view: SimView): object {
  const status = view.status(contract);
  if (contract.isInverse) {
    return {
      symbol: contract.venueSymbol,
      pricePrecision: contract.priceDecimals,
      minTickSize: String(contract.contractSize),
      minTradeValue: String(contract.contractSize),
      minQty: '1.00000000',
      status: STATUS[status],
      timeOnline: contract.listedAtMs,
    };
  }
  return {
    contractId: String(contract.seed),
    symbol: contract.venueSymbol,
    size: '0',
    quantityPrecision: contract.sizeDecimals,
    pricePrecision: contract.priceDecimals,
    makerFeeRate: 0.0002,
    takerFeeRate: 0.0005,
    maxLongLeverage: contract.maxLeverage,
    maxShortLeverage: contract.maxLeverage,
    currency: contract.settle,
    asset: contract.base,
    status: STATUS[status],
    apiStateOpen: 'true',
    apiStateClose: 'true',
    displayName: contract.venueSymbol,
    launchTime: contract.listedAtMs,
    maintainTime: 0,
    offTime: status === 'delisting' ? contract.delistsAtMs : 0,
  };
}

function premium(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    markPrice: quote.markPrice.toFixed(contract.priceDecimals + 1),
    indexPrice: quote.indexPrice.toFixed(contract.priceDecimals + 1),
    lastFundingRate: rateText(quote.rateE8),
    nextFundingTime: quote.nextFundingAtMs,
    ...(contract.isInverse
      ? {}
      : {
          fundingIntervalHours: quote.intervalHours,
          minFundingRate: '-0.020000',
          maxFundingRate: '0.020000',
          updateTime: quote.lastFundingAtMs,
        }),
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const price = (value: number) => value.toFixed(contract.priceDecimals);
  const size = (value: number) => value.toFixed(contract.sizeDecimals);
  const coins = (quote.volume24hUsd / quote.markPrice).toFixed(2);
  return {
    symbol: contract.venueSymbol,
    lastPrice: price(quote.lastPrice),
    volume: contract.isInverse ? (quote.volume24hUsd / contract.contractSize).toFixed(2) : coins,
    quoteVolume: contract.isInverse ? coins : quote.volume24hUsd.toFixed(2),
    closeTime: view.nowMs,
    bidPrice: price(quote.bidPrice),
    bidQty: size(quote.bidContracts),
    askPrice: price(quote.askPrice),
    askQty: size(quote.askContracts),
  };
}

function depth(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const book = view.book(contract, Number(query.get('limit') ?? 20));
  const side = (levels: [number, number][]) =>
    levels.map(([price, size]) => [
      price.toFixed(contract.priceDecimals),
      size.toFixed(contract.sizeDecimals),
    ]);
  const [bids, asks] = [side(book.bids), side(book.asks)];
  return contract.isInverse
    ? { T: view.nowMs, bids, asks }
    : { T: view.nowMs, bids, asks, bidsCoin: bids, asksCoin: asks };
}

/** Like the real call, null instead of a list for an end in the running period and for one before the first print. */
function prints(contract: SimContract, query: URLSearchParams, view: SimView): object[] | null {
  const endTime = query.get('endTime');
  if (endTime !== null && Number(endTime) >= view.quote(contract).lastFundingAtMs) return null;
  const limit = Number(query.get('limit') ?? 100);
  const toMs = Number(endTime ?? view.nowMs);
  const fromMs = toMs - (limit + 1) * Math.max(...contract.intervals) * HOUR_MS;
  const page = view.settlements(contract, fromMs, toMs).toReversed().slice(0, limit);
  if (page.length === 0) return null;
  return page.map(({ rateE8, settledAtMs }) => ({
    symbol: contract.venueSymbol,
    fundingRate: rateText(rateE8),
    fundingTime: settledAtMs,
    markPrice: '1',
  }));
}

function answer({ path, query }: SimRequest, view: SimView): object {
  const isInverse = path.startsWith(`${INVERSE}/`);
  const prefix = isInverse ? INVERSE : LINEAR;
  const wanted = view.find(query.get('symbol') ?? '');
  const mine = (list: readonly SimContract[]) => list.filter((c) => c.isInverse === isInverse);
  const good = (data: unknown) => ({ code: 0, msg: '', data });
  if (isInverse && !query.has('timestamp')) return { code: 104414, msg: 'Invalid parameter' };
  switch (path.slice(prefix.length)) {
    case '/contracts':
      return good(mine(view.contracts).map((contract) => instrument(contract, view)));
    case '/premiumIndex':
      return good(mine(view.open).map((contract) => premium(contract, view)));
    case '/ticker':
      return good(mine(view.open).map((contract) => ticker(contract, view)));
    case '/depth':
      if (wanted) return good(depth(wanted, query, view));
      return { code: 109425, msg: 'the symbol does not exist' };
    case '/fundingRate':
      if (wanted && !isInverse) return good(prints(wanted, query, view));
      return { code: 109425, msg: 'the symbol does not exist' };
    default:
      return { code: 100400, msg: 'this api is not exist' };
  }
}

export const bingx: SimVenue = {
  profile: {
    slug: 'bingx',
    listings: { isListedBeforeOpening: true, listingTime: 'exact', ending: 'time' },
    exchange: 'BingX',
    quotes: ['USDT', 'USDC'],
    inverseQuote: 'USD',
    inverseFaceUsd: (ticker) => (ticker === 'BTC' ? 100 : 10),
    intervals: [8, 4, 1],
    rateCap: 0.02,
    coverage: 0.95,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 100 ? 4 : coin.anchorPriceUsd * multiplier > 1 ? 2 : 0,
    venueSymbol: ({ base, quote }) => `${base}-${quote}`,
  },
  http: (request, view) => answer(request, view),
  // Coin-M contracts are published without an interval and without a history.
  publishes: (contract) => (contract.isInverse ? { intervalHours: null } : {}),
  settledPrints: (contract, view, fromMs, toMs) =>
    contract.isInverse
      ? []
      : view
          .settlements(contract, fromMs, toMs)
          .map(({ settledAtMs, rateE8 }) => ({ settledAtMs, ratePct: rateE8 / 1e6 })),
};
