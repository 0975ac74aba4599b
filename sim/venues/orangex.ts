import { DAY_MS, HOUR_MS, SECOND_MS } from '../../src/base/times.ts';
import type { SimContract } from '../contracts.ts';
import { levelTexts, priceText, rateText, type SimRequest, type SimVenue, sizeText } from '../venue.ts';
import type { SimView } from '../view.ts';

const HISTORY_DAYS = 90;
/** The venue may cut the pages that are requested. */
const MAX_PAGE_ROWS = 50;

const idOf = (contract: SimContract) => contract.seed;

function instrument(contract: SimContract): object {
  return {
    instrument_name: contract.venueSymbol,
    show_name: `${contract.base}${contract.quote}`,
    instrId: idOf(contract),
    kind: 'perpetual',
    // Swapped, as sent.
    quote_currency: contract.base,
    base_currency: contract.quote,
    currency: 'PERPETUAL',
    // Also before the listing.
    is_active: true,
    creation_timestamp: String(contract.listedAtMs),
    leverage: contract.maxLeverage,
    maker_commission: '0.0002',
    taker_commission: '0.0006',
    tick_size: priceText(contract, 10 ** -contract.priceDecimals),
    min_trade_amount: sizeText(contract, 10 ** -contract.sizeDecimals),
    obDepth: 100,
    newListing: false,
  };
}

function ticker(contract: SimContract, view: SimView): object {
  const quote = view.quote(contract);
  // Null where a side is empty.
  const orNull = (price: number, text: string) => (price > 0 ? text : null);
  return {
    instrument_name: contract.venueSymbol,
    best_bid_price: orNull(quote.bidPrice, priceText(contract, quote.bidPrice)),
    best_bid_amount: orNull(quote.bidPrice, sizeText(contract, quote.bidContracts)),
    best_ask_price: orNull(quote.askPrice, priceText(contract, quote.askPrice)),
    best_ask_amount: orNull(quote.askPrice, sizeText(contract, quote.askContracts)),
    last_price: priceText(contract, quote.lastPrice),
    mark_price: priceText(contract, quote.markPrice),
    underlying_price: priceText(contract, quote.indexPrice),
    open_interest: sizeText(contract, quote.openInterestContracts),
    stats: {
      volume: (quote.volume24hUsd / quote.lastPrice).toFixed(contract.sizeDecimals),
      turnover: quote.volume24hUsd.toFixed(5),
      price_change: '-0.0747',
    },
    state: 'open',
    // The reply is a cache of up to three seconds.
    timestamp: String(view.nowMs - (contract.seed % 3) * SECOND_MS),
  };
}

function rate(contract: SimContract, view: SimView): object {
  const { rateE8, nextFundingAtMs, intervalHours } = view.quote(contract);
  return {
    instrumentName: contract.venueSymbol,
    capitalRate: rateText(rateE8),
    startTime: String(nextFundingAtMs - intervalHours * HOUR_MS),
    endTime: String(nextFundingAtMs),
    currentTime: String(view.nowMs - (view.nowMs % (60 * SECOND_MS))),
  };
}

/** Contracts that are gone stay in the rates, one of them with a current time. */
function goneRates(view: SimView): object[] {
  const nextMs = Math.ceil((view.nowMs + 1) / (8 * HOUR_MS)) * 8 * HOUR_MS;
  const row = (instrumentName: string, capitalRate: string, endMs: number) => ({
    ...{ instrumentName, capitalRate, startTime: String(endMs - 8 * HOUR_MS), endTime: String(endMs) },
    currentTime: String(endMs - HOUR_MS),
  });
  return [
    row('BLAST-USDT-PERPETUAL', '0.0001', nextMs),
    row('NULS-USDT-PERPETUAL', '-0.007765', Date.UTC(2025, 3, 9, 8)),
  ];
}

function history(body: unknown, view: SimView): unknown {
  const { currentPage = 1, pageSize = 12, params = {} } = body as Record<string, never>;
  const { instrId } = params as { instrId?: number };
  const wanted = view.contracts.find((contract) => idOf(contract) === instrId);
  if (!wanted) return undefined;
  const size = Math.min(pageSize, MAX_PAGE_ROWS);
  const fromMs = view.nowMs - HISTORY_DAYS * DAY_MS;
  const all = view.settlements(wanted, fromMs, view.nowMs).toReversed();
  const data = all
    .slice((currentPage - 1) * size, currentPage * size)
    .map(({ settledAtMs, rateE8 }) => ({ time: settledAtMs, rate: rateText(rateE8) }));
  return { data, total: all.length };
}

function http({ host, path, query, body }: SimRequest, view: SimView): unknown {
  const ok = (result: unknown) => ({ jsonrpc: '2.0', usIn: view.nowMs, usOut: view.nowMs, result });
  const refused = (code: number, message: string) => ({ jsonrpc: '2.0', error: { code, message, data: {} } });
  if (host === 'site') {
    const found = path === '/get_funding_rate_history' ? history(body, view) : undefined;
    return found === undefined ? refused(8000, 'Request params not valid!') : ok(found);
  }
  const rows = (row: (contract: SimContract, view: SimView) => object) =>
    // Without the parameter the real call answers with an empty list.
    query.get('currency') === 'PERPETUAL' ? view.open.map((contract) => row(contract, view)) : [];
  switch (path) {
    case '/get_instruments':
      return ok(query.get('currency') === 'PERPETUAL' ? view.contracts.map(instrument) : []);
    case '/tickers':
      return ok(rows(ticker));
    case '/get_all_capital_rate':
      return ok([...view.open.map((contract) => rate(contract, view)), ...goneRates(view)]);
    case '/get_order_book': {
      const wanted = view.find(query.get('instrument_name') ?? '');
      if (!wanted) return refused(5001, 'Instrument does not exist.');
      const { bids, asks } = view.book(wanted, Number(query.get('depth') ?? 50));
      const sides = { bids: levelTexts(wanted, bids), asks: levelTexts(wanted, asks) };
      return ok({ ...sides, version: 265_433_541, timestamp: String(view.nowMs) });
    }
    default:
      return refused(1000, 'No service found');
  }
}

export const orangex: SimVenue = {
  profile: {
    slug: 'orangex',
    listings: { isListedBeforeOpening: true, listingTime: 'exact' },
    exchange: 'OrangeX',
    quotes: ['USDT'],
    inverseQuote: null,
    inverseFaceUsd: () => 1,
    intervals: [1, 4, 8],
    // WDCON settles every eight hours at 04:00, 12:00 and 20:00.
    offGridHours: { 8: 4 },
    offGridOneIn: 40,
    rateCap: 0.0075,
    coverage: 0.8,
    traditionalCoverage: 0.3,
    multipliedBase: (ticker, multiplier) => (multiplier === 1000 ? `1000${ticker}` : `1M${ticker}`),
    contractSize: () => 1,
    sizeDecimals: (coin, multiplier) => (coin.anchorPriceUsd * multiplier > 100 ? 3 : 0),
    venueSymbol: ({ base, quote }) => `${base}-${quote}-PERPETUAL`,
  },
  http,
  givesClasses: false,
};
