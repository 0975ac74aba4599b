import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

const PREFIX = '/api/v1/market';
/** What perpetuals carry as `expireTime`. */
const NO_EXPIRY_MS = 4_878_180_000_000;

function instrument(contract: SimContract, view: SimView): object {
  return {
    instId: contract.venueSymbol,
    baseCurrency: contract.base,
    quoteCurrency: contract.quote,
    contractValue: String(contract.contractSize),
    listTime: String(contract.listedAtMs),
    expireTime: String(NO_EXPIRY_MS),
    maxLeverage: String(contract.maxLeverage),
    assetClass: 'Crypto',
    minSize: sizeText(contract, 10 ** -contract.sizeDecimals),
    lotSize: sizeText(contract, 10 ** -contract.sizeDecimals),
    tickSize: priceText(contract, 10 ** -contract.priceDecimals),
    instType: 'SWAP',
    contractType: contract.isInverse ? 'inverse' : 'linear',
    state: 'live',
    settleCurrency: contract.settle,
    offTime: view.status(contract) === 'delisting' ? String(contract.delistsAtMs) : '',
  };
}

function fundingRate(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    instId: contract.venueSymbol,
    fundingRate: rateText(quote.rateE8),
    fundingTime: String(quote.nextFundingAtMs),
    fundingInterval: String(quote.intervalHours),
    fundingIntervalUnit: 'hour',
    fundingRateCap: String(contract.rateCap),
    fundingRateFloor: String(-contract.rateCap),
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const contracts = contract.isInverse
    ? quote.volume24hUsd / contract.contractSize
    : quote.volume24hUsd / quote.lastPrice / contract.contractSize;
  const currency = contract.isInverse ? contracts : contracts * contract.contractSize;
  return {
    instId: contract.venueSymbol,
    last: priceText(contract, quote.lastPrice),
    askPrice: priceText(contract, quote.askPrice),
    askSize: sizeText(contract, quote.askContracts),
    bidPrice: priceText(contract, quote.bidPrice),
    bidSize: sizeText(contract, quote.bidContracts),
    volCurrency24h: currency.toFixed(4),
    vol24h: contracts.toFixed(4),
    ts: String(view.nowMs),
  };
}

function figures(contract: SimContract, view: SimView): object {
  const { markPrice, indexPrice } = view.quote(contract);
  const { venueSymbol: instId } = contract;
  return { instId, indexPrice: String(indexPrice), markPrice: String(markPrice), ts: String(view.nowMs) };
}

/** Contracts in USDC say that nothing is open although they trade. */
const saysZero = ({ quote }: SimContract) => quote === 'USDC';

function openInterest(contract: SimContract, view: SimView): object {
  const contracts = saysZero(contract) ? 0 : view.quote(contract).openInterestContracts;
  return {
    instId: contract.venueSymbol,
    openInterest: String(contracts),
    openInterestCurrency: String(contracts * contract.contractSize),
    ts: String(view.nowMs),
  };
}

/** Newest first, strictly before `after` and after `before`, at most 100. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object[] {
  const fromMs = Number(query.get('before') ?? -1) + 1;
  const toMs = Number(query.get('after') ?? view.nowMs + 1) - 1;
  return view
    .settlements(contract, fromMs, toMs)
    .slice(-Math.min(100, Number(query.get('limit') ?? 100)))
    .map((settlement) => ({
      instId: contract.venueSymbol,
      fundingRate: rateText(settlement.rateE8),
      fundingTime: String(settlement.settledAtMs),
    }))
    .reverse();
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (data: unknown) => ({ code: '0', msg: 'success', data });
  const wanted = view.find(query.get('instId') ?? '');
  const invalid = { code: '152002', msg: 'Parameter instId error.', data: null };
  const all = wanted ? [wanted] : view.open;
  switch (path) {
    case `${PREFIX}/instruments`:
      return ok(view.open.map((contract) => instrument(contract, view)));
    case `${PREFIX}/funding-rate`:
      return ok(all.map((contract) => fundingRate(contract, view)));
    case `${PREFIX}/tickers`:
      return ok(all.map((contract) => ticker(contract, view)));
    case `${PREFIX}/mark-price`:
      return ok(all.map((contract) => figures(contract, view)));
    case `${PREFIX}/open-interest`:
      return ok(all.map((contract) => openInterest(contract, view)));
    case `${PREFIX}/funding-rate-history`:
      return wanted ? ok(history(wanted, query, view)) : invalid;
    case `${PREFIX}/books`: {
      if (!wanted) return invalid;
      const book = view.book(wanted, Math.min(100, Number(query.get('size') ?? 1)));
      const side = (levels: [number, number][]) => levelTexts(wanted, levels);
      return ok([{ asks: side(book.asks), bids: side(book.bids), ts: String(view.nowMs) }]);
    }
    default:
      return undefined;
  }
}

export const blofin: SimVenue = {
  profile: {
    slug: 'blofin',
    listings: { listingTime: 'exact', ending: 'time' },
    exchange: 'BloFin',
    quotes: ['USDT', 'USDC'],
    inverseQuote: 'USD',
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    rateCap: 0.03,
    coverage: 0.6,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 1000 ? 0.001 : coin.anchorPriceUsd * multiplier > 1 ? 0.1 : 100,
    sizeDecimals: () => 1,
    venueSymbol: ({ base, quote }) => `${base}-${quote}`,
  },
  http,
  publishes: (contract) => (saysZero(contract) ? { openInterestContracts: 0 } : {}),
};
