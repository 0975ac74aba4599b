import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

const HISTORY_PAGE_ROWS = 100;
const CATEGORY = {
  crypto: 'crypto',
  stock: 'equity',
  index: 'index',
  commodity: 'commodity',
  forex: 'index',
};

const idOf = (contract: SimContract) => contract.seed;
/** The venue writes the thousand as a capital letter. */
const spelled = (base: string) => base.replace(/^k(?=[A-Z])/, 'K');
/** When the payment of an hour is written. */
const printedAtMs = (contract: SimContract, settledAtMs: number) => settledAtMs + 10 + (contract.seed % 90);

function instrument(contract: SimContract): object {
  const leverage = Math.min(contract.maxLeverage, 20);
  return {
    instrument_id: idOf(contract),
    instrument_type: 'perpetual',
    category: CATEGORY[contract.coin.assetClass ?? 'crypto'],
    isolated_only: false,
    symbol: contract.venueSymbol,
    base_asset: spelled(contract.base),
    quote_asset: 'pUSD',
    funding_interval: '1h',
    quantity_decimals: contract.sizeDecimals,
    price_decimals: contract.priceDecimals,
    max_leverage: leverage,
    risk_tiers: [{ lower_bound: '0', max_leverage: leverage }],
    // Advice for display, not when it opened.
    ui_live_time: 1_785_542_400_000,
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    instrument_id: idOf(contract),
    symbol: contract.venueSymbol,
    index_price: priceText(contract, quote.indexPrice),
    mark_price: priceText(contract, quote.markPrice),
    last_price: priceText(contract, quote.lastPrice),
    mid_price: String((quote.bidPrice + quote.askPrice) / 2),
    open_interest: sizeText(contract, quote.openInterestContracts),
    funding_rate: rateText(quote.rateE8),
    next_funding: quote.nextFundingAtMs,
    // A row that stands still has its old time.
    timestamp: Math.min(view.nowMs, quote.nextFundingAtMs - 1),
  };
}

/** Without a symbol, unlike the other lists. */
function bestOffer(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  return {
    instrument_id: idOf(contract),
    bid_price: priceText(contract, quote.bidPrice),
    bid_quantity: sizeText(contract, quote.bidContracts),
    ask_price: priceText(contract, quote.askPrice),
    ask_quantity: sizeText(contract, quote.askContracts),
    timestamp: view.nowMs,
  };
}

/** The volume is in dollars, the candles beside it in base units. */
function statistic(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const price = priceText(contract, quote.lastPrice);
  const coins = (quote.volume24hUsd / quote.lastPrice).toFixed(5);
  return {
    instrument_id: idOf(contract),
    symbol: contract.venueSymbol,
    volume: quote.volume24hUsd.toFixed(6),
    open_price: price,
    klines: [[view.nowMs, price, price, price, price, coins, 54]],
  };
}

function funding(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const [fromMs, toMs] = [Number(query.get('start_timestamp')), Number(query.get('end_timestamp'))];
  const rows = view
    .settlements(contract, fromMs - 1000, toMs)
    .map(({ settledAtMs, rateE8 }) => ({
      funding_rate: rateText(rateE8),
      timestamp: printedAtMs(contract, settledAtMs),
    }))
    .filter(({ timestamp }) => timestamp >= fromMs && timestamp <= toMs)
    .reverse();
  return { data: rows.slice(0, HISTORY_PAGE_ROWS), more: rows.length > HISTORY_PAGE_ROWS };
}

function book(contract: SimContract, query: URLSearchParams, view: SimView): object {
  const { bids, asks } = view.book(contract, Number(query.get('depth')));
  const sides = { bids: levelTexts(contract, bids), asks: levelTexts(contract, asks) };
  return { instrument_id: idOf(contract), ...sides, timestamp: view.nowMs, sequence: 58_779_235_641 };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const id = query.get('instrument_id');
  const wanted = id === null ? undefined : view.contracts.find((contract) => String(idOf(contract)) === id);
  const rows = (row: (contract: SimContract, view: SimView) => object) =>
    view.open.map((contract) => row(contract, view));
  switch (path) {
    case '/instruments':
      return rows(instrument);
    case '/tickers':
      return rows(ticker);
    case '/bbo':
      return rows(bestOffer);
    case '/statistics':
      return rows(statistic);
    case '/funding':
      return wanted && funding(wanted, query, view);
    case '/book':
      return wanted && book(wanted, query, view);
    default:
      return undefined;
  }
}

export const polymarket: SimVenue = {
  profile: {
    slug: 'polymarket',
    exchange: 'Polymarket',
    quotes: ['USD'],
    settleOf: () => 'pUSD',
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1],
    rateCap: 0.04,
    coverage: 0.4,
    traditionalCoverage: 0.6,
    multipliedBase: (ticker, multiplier) => (multiplier === 1000 ? `k${ticker}` : `${multiplier}${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) => (coin.anchorPriceUsd * multiplier > 100 ? 5 : 1),
    venueSymbol: ({ base, quote }) => `${spelled(base)}-${quote}`,
  },
  http,
};
