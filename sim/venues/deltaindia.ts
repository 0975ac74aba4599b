import { HOUR_MS, SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { priceText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

/** The host computes its figures this long before it sends them. */
const LAG_SECONDS = 3;
const computedAtMs = ({ nowMs }: SimView) => nowMs - LAG_SECONDS * SECOND_MS;

/** The most rows of a series in one reply. */
const MOST_ROWS = 2000;
const PERPETUAL = 'perpetual_futures';

/** Rates are percents, unlike those of most venues. */
const percentText = (rateE8: number) => String(rateE8 / 1e6);

function product(contract: SimContract, view: SimView): object {
  return {
    id: contract.seed,
    symbol: contract.venueSymbol,
    contract_type: PERPETUAL,
    state: view.status(contract) === 'preopen' ? 'upcoming' : 'live',
    trading_status: 'operational',
    contract_value: String(contract.contractSize),
    contract_unit_currency: contract.base,
    underlying_asset: { symbol: contract.base },
    quoting_asset: { symbol: contract.quote },
    settling_asset: { symbol: contract.settle },
    notional_type: 'vanilla',
    is_quanto: false,
    tick_size: priceText(contract, 10 ** -contract.priceDecimals),
    taker_commission_rate: '0.0005',
    maker_commission_rate: '0.0002',
    initial_margin: String(100 / contract.maxLeverage),
    annualized_funding: '10.95',
    launch_time: new Date(contract.listedAtMs).toISOString(),
    settlement_time: null,
    strike_price: null,
    product_specs: { rate_exchange_interval: view.quote(contract).intervalHours * 3600 },
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  const { contractSize } = contract;
  const contracts = quote.volume24hUsd / quote.lastPrice / contractSize;
  return {
    symbol: contract.venueSymbol,
    contract_type: PERPETUAL,
    product_id: contract.seed,
    close: quote.lastPrice,
    funding_rate: percentText(quote.rateE8),
    mark_price: String(quote.markPrice),
    spot_price: String(quote.indexPrice),
    oi: String(quote.openInterestContracts * contractSize),
    oi_contracts: String(quote.openInterestContracts),
    oi_value_usd: String(quote.openInterestContracts * contractSize * quote.indexPrice),
    size: Math.round(contracts),
    turnover: quote.volume24hUsd,
    turnover_symbol: contract.quote,
    turnover_usd: quote.volume24hUsd,
    volume: contracts * contractSize,
    quotes: {
      best_bid: priceText(contract, quote.bidPrice),
      bid_size: sizeText(contract, quote.bidContracts),
      best_ask: priceText(contract, quote.askPrice),
      ask_size: sizeText(contract, quote.askContracts),
      impact_mid_price: null,
    },
    // Microseconds.
    timestamp: computedAtMs(view) * 1000,
    // A day ago, and no time of anything in the row.
    time: new Date(view.nowMs - 24 * HOUR_MS).toISOString(),
  };
}

/** A contract that takes only cancellations keeps the figures of before. */
const DISRUPTED = {
  product: {
    ...{ symbol: 'RUNEUSD', contract_type: PERPETUAL, contract_value: '1', notional_type: 'vanilla' },
    ...{ state: 'live', trading_status: 'disrupted_cancel_only', launch_time: '2024-05-06T10:00:00Z' },
    underlying_asset: { symbol: 'RUNE' },
    quoting_asset: { symbol: 'USD' },
    settling_asset: { symbol: 'USD' },
    ...{ taker_commission_rate: '0.0005', initial_margin: '5' },
    product_specs: { rate_exchange_interval: 28_800 },
  },
  ticker: {
    ...{ symbol: 'RUNEUSD', contract_type: PERPETUAL, funding_rate: '0.01', mark_price: '1.2' },
    ...{ spot_price: '1.2', oi: '2100', size: 0, turnover_usd: 0, timestamp: 1_757_000_000_000_000 },
    quotes: { best_bid: '1.1', bid_size: '20', best_ask: '1.3', ask_size: '20' },
  },
};

/** Options and the rest are in the replies to calls that do not name the type of contract. */
const OPTION = {
  ...{ symbol: 'C-BTC-98000-281126', contract_type: 'call_options', state: 'live' },
  ...{ trading_status: 'operational', contract_value: '0.001', strike_price: '98000' },
};

/** The value of the series at each hour: the rate of the newest settlement up to it. */
function hourlyRates(contract: SimContract, fromMs: number, toMs: number, view: SimView) {
  const settlements = view.settlements(contract, fromMs - 8 * HOUR_MS, toMs);
  const rows: { timeMs: number; ratePct: number }[] = [];
  let at = 0;
  for (let timeMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS; timeMs <= toMs; timeMs += HOUR_MS) {
    while ((settlements[at + 1]?.settledAtMs ?? Number.POSITIVE_INFINITY) <= timeMs) at++;
    const settled = settlements[at];
    if (!settled || settled.settledAtMs > timeMs) continue;
    rows.push({ timeMs, ratePct: settled.rateE8 / 1e6 });
  }
  return rows;
}

/** Newest first. */
function candles(query: URLSearchParams, view: SimView): object[] {
  const contract = view.find((query.get('symbol') ?? '').replace('FUNDING:', ''));
  if (!contract || query.get('resolution') !== '1h') return [];
  const toMs = Math.min(Number(query.get('end')) * SECOND_MS, view.nowMs);
  return hourlyRates(contract, Number(query.get('start')) * SECOND_MS, toMs, view)
    .map(({ timeMs, ratePct: rate }) => {
      return { time: timeMs / SECOND_MS, open: rate, high: rate, low: rate, close: rate, volume: null };
    })
    .reverse()
    .slice(0, MOST_ROWS);
}

/** The series names no settlements: at a contract that has changed its interval, the present one is all that is known. */
function settledPrints(contract: SimContract, view: SimView, fromMs: number, toMs: number) {
  const stepMs = view.quote(contract).intervalHours * HOUR_MS;
  return hourlyRates(contract, fromMs, Math.min(toMs, view.nowMs), view)
    .filter(({ timeMs }) => timeMs % stepMs === 0)
    .map(({ timeMs, ratePct }) => ({ settledAtMs: timeMs, ratePct }));
}

function book(contract: SimContract, levels: number, view: SimView): object {
  const { bids, asks } = view.book(contract, levels);
  const side = (rows: [number, number][]) =>
    rows.map(([price, size]) => ({
      depth: '0',
      price: priceText(contract, price),
      size: Number(sizeText(contract, size)),
    }));
  return { buy: side(bids), sell: side(asks), symbol: contract.venueSymbol };
}

function http({ path, query }: SimRequest, view: SimView): unknown {
  const ok = (result: unknown) => ({ success: true, result, meta: { after: null, before: null } });
  const [, call, symbol = ''] = path.split('/');
  const others = query.get('contract_types') === PERPETUAL ? [] : [OPTION];
  switch (call) {
    case 'products':
      return ok([...view.contracts.map((one) => product(one, view)), DISRUPTED.product, ...others]);
    case 'tickers':
      return ok([...view.open.map((one) => ticker(one, view)), DISRUPTED.ticker, ...others]);
    case 'history':
      return ok(candles(query, view));
    case 'l2orderbook': {
      const wanted = view.find(symbol);
      // Success even if there is no such contract.
      return ok(wanted ? book(wanted, Math.min(20, Number(query.get('depth') ?? 20)), view) : {});
    }
    default:
      return undefined;
  }
}

export const deltaindia: SimVenue = {
  profile: {
    slug: 'deltaindia',
    listings: { isListedBeforeOpening: true, listingTime: 'exact' },
    exchange: 'DeltaIndia',
    quotes: ['USD'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [8, 4, 1],
    // What was computed before a settlement has the rate of then.
    afterSettlement: { estimateSeconds: LAG_SECONDS, chargedSeconds: 0 },
    rateCap: 0.01,
    coverage: 0.5,
    multipliedBase: (ticker, multiplier) => `${multiplier}${ticker}`,
    contractSize: (coin, multiplier) =>
      coin.anchorPriceUsd * multiplier > 1000 ? 0.001 : coin.anchorPriceUsd * multiplier > 1 ? 1 : 100,
    sizeDecimals: () => 0,
    venueSymbol: ({ base, quote }) => `${base}${quote}`,
  },
  http,
  settledPrints,
  publishes: (_contract, { intervalHours }, view) => {
    const venueTimeMs = computedAtMs(view);
    const stepMs = intervalHours * HOUR_MS;
    return { venueTimeMs, nextFundingAtMs: venueTimeMs - (venueTimeMs % stepMs) + stepMs };
  },
};
