import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

const PREFIX = '/future/market';

function instrument(contract: SimContract): object {
  return {
    symbol: contract.venueSymbol,
    pair: contract.venueSymbol,
    contractType: 'PERPETUAL',
    productType: 'perpetual',
    underlyingType: contract.isInverse ? 'COIN_BASED' : 'U_BASED',
    contractSize: String(contract.contractSize),
    tradeSwitch: true,
    openSwitch: true,
    isDisplay: true,
    isOpenApi: true,
    state: 0,
    initLeverage: 10,
    baseCoin: contract.base.toLowerCase(),
    quoteCoin: contract.quote.toLowerCase(),
    quantityPrecision: contract.sizeDecimals,
    pricePrecision: contract.priceDecimals,
    makerFee: '0.0004',
    takerFee: '0.0006',
    onboardDate: contract.listedAtMs,
    deliveryDate: null,
  };
}

/** A delisted contract stays in the list, open to the API, and in the tickers, frozen; so does a dated future. */
const DELISTED = {
  symbol: 'ftt_usdt',
  tradeSwitch: false,
  isOpenApi: true,
  baseCoin: 'ftt',
  quoteCoin: 'usdt',
};
const DATED = { symbol: 'btc_usdt_261225', productType: 'futures', contractType: 'NEXT_QUARTER' };

function symbols(open: readonly SimContract[]): object[] {
  const rows = open.map(instrument);
  return rows.length === 0 || open[0]?.isInverse
    ? rows
    : [...rows, { ...rows[0], ...DELISTED, onboardDate: 1_654_858_201_000 }, { ...rows[0], ...DATED }];
}

function funding(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    symbol: contract.venueSymbol,
    ticker_id: `${contract.base}-${contract.quote}`,
    base_currency: contract.base,
    target_currency: contract.quote,
    product_type: 'PERPETUAL',
    last_price: priceText(contract, quote.lastPrice),
    index_price: String(quote.indexPrice),
    funding_rate: rateText(quote.rateE8),
    next_funding_rate: rateText(quote.rateE8),
    next_funding_rate_timestamp: quote.nextFundingAtMs,
    collection_internal: quote.intervalHours,
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const contracts = contract.isInverse
    ? quote.volume24hUsd / contract.contractSize
    : quote.volume24hUsd / quote.markPrice / contract.contractSize;
  const turnover = contract.isInverse ? quote.volume24hUsd / quote.markPrice : quote.volume24hUsd;
  return {
    t: view.nowMs,
    s: contract.venueSymbol,
    c: priceText(contract, quote.lastPrice),
    a: contracts.toFixed(0),
    v: turnover.toFixed(6),
    i: String(quote.indexPrice),
    m: String(quote.markPrice),
    bp: priceText(contract, quote.bidPrice),
    ap: priceText(contract, quote.askPrice),
  };
}

function books(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    s: contract.venueSymbol,
    t: view.nowMs,
    ap: priceText(contract, quote.askPrice),
    aq: sizeText(contract, quote.askContracts),
    bp: priceText(contract, quote.bidPrice),
    bq: sizeText(contract, quote.bidContracts),
  };
}

/** Newest first; NEXT goes on below an id, which is the print's hour here. Intervals are in seconds in this call alone. */
function history(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const hours = Number(query.get('id') ?? Number.POSITIVE_INFINITY);
  const limit = Math.min(200, Number(query.get('limit') ?? 10));
  const newest = view.newestSettlements(contract, hours * 3_600_000 - 1, limit + 1);
  const items = newest.slice(0, limit).map((settlement) => ({
    id: String(settlement.settledAtMs / 3_600_000),
    symbol: contract.venueSymbol,
    fundingRate: rateText(settlement.rateE8),
    createdTime: settlement.settledAtMs,
    collectionInternal: settlement.intervalHours * 3600,
  }));
  return { hasPrev: query.has('id'), hasNext: newest.length > limit, items };
}

function http({ host, path, query }: SimRequest, view: SimView): unknown {
  const ok = (result: unknown) => ({ returnCode: 0, msgInfo: 'success', error: null, result });
  const error = { code: 'invalid_symbol', msg: 'invalid symbol', args: [] };
  const invalid = { returnCode: 1, msgInfo: 'failure', error, result: null };
  const isInverse = host === 'coin-m';
  const open = view.open.filter((contract) => contract.isInverse === isInverse);
  const wanted = open.find((contract) => contract.venueSymbol === query.get('symbol'));
  switch (path.slice(PREFIX.length)) {
    case '/v3/public/symbol/list':
      return isInverse ? undefined : ok({ time: view.nowMs, version: '1', symbols: symbols(open) });
    case '/v1/public/symbol/list':
      return ok(symbols(open));
    case '/v1/public/cg/contracts':
      return open.map((contract) => funding(contract, view));
    case '/v1/public/q/ticker/books':
      return ok(open.map((contract) => books(contract, view)));
    case '/v1/public/q/agg-tickers': {
      const rows = open.map((contract) => ticker(contract, view));
      return ok(isInverse || rows.length === 0 ? rows : [...rows, { ...rows[0], s: DELISTED.symbol }]);
    }
    case '/v1/public/q/funding-rate-record':
      return wanted ? ok(history(wanted, query, view)) : invalid;
    case '/v1/public/q/depth': {
      if (!wanted) return invalid;
      const book = view.book(wanted, Number(query.get('level') ?? 50));
      const side = (levels: [number, number][]) => levelTexts(wanted, levels);
      return ok({
        t: view.nowMs,
        s: wanted.venueSymbol,
        u: view.nowMs,
        b: side(book.bids),
        a: side(book.asks),
      });
    }
    default:
      return undefined;
  }
}

export const xt: SimVenue = {
  profile: {
    slug: 'xt',
    listings: { listingTime: 'exact' },
    exchange: 'XT',
    quotes: ['USDT'],
    inverseQuote: 'USD',
    inverseFaceUsd: (ticker) => (ticker === 'BTC' ? 100 : 10),
    intervals: [8, 4, 1],
    rateCap: 0.025,
    coverage: 0.7,
    multipliedBase: (ticker, multiplier) => (multiplier === 1_000_000 ? `1M${ticker}` : `1000${ticker}`),
    contractSize: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 1000 ? 0.0001 : coin.anchorPriceUsd * multiplier > 1 ? 0.1 : 10,
    sizeDecimals: () => 0,
    venueSymbol: ({ base, quote }) => `${base}_${quote}`.toLowerCase(),
  },
  http,
};
