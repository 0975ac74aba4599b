import { decimalOrNull, roundPercent, shiftDecimal } from '../../base/numbers.ts';
import { nextFullHourMs } from '../../base/times.ts';
import type { AssetClass, Batch, Contract, ContractStatus, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  BadReply,
  epochMsOf,
  epochSecondsOf,
  ignore,
  isRow,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf } from '../units.ts';
import type { ParseContext, SettlementPage } from '../venue.ts';
import {
  CLASS_OF_CATEGORY,
  CODE_OK,
  COINS_AMONG_COMMODITIES,
  FUNDING_RATES_HOURS,
  FUNDINGS_CUT_FROM_ROWS,
  INTERVAL_HOURS,
  MARGIN_FRACTION_UNIT,
  QUOTE,
} from './wire.ts';

function good(payload: unknown, what: string): Row {
  const reply = rowOf(payload, what);
  if (decimalOrNull(reply.code) !== CODE_OK) throw new BadReply(`${what} answers code ${String(reply.code)}`);
  return reply;
}

/** What each perpetual's price is of. The app's name (kPEPE) differs from the market's (1000PEPE) now and then. */
export function parseTokenList(payload: unknown): ReadonlyMap<string, AssetClass> {
  const classes = new Map<string, AssetClass>();
  for (const token of listOf(good(payload, 'tokenlist').tokens, 'tokens')) {
    if (!isRow(token) || token.market !== 'PERPS') continue;
    const symbol = textOf(token.backend_symbol) ?? textOf(token.symbol);
    if (symbol === null) continue;
    const categories = Array.isArray(token.categories) ? (token.categories as unknown[]) : [];
    const found = CLASS_OF_CATEGORY.find(([category]) => categories.includes(category));
    const isCoin = token.asset_type !== 'RWA' || COINS_AMONG_COMMODITIES.has(symbol);
    classes.set(symbol, isCoin ? 'crypto' : (found?.[1] ?? 'stock'));
  }
  return classes;
}

/** Reduce-only is how a market leaves: positions can only be closed. What is inactive does not trade any more. */
function statusOf(row: Row, listedAtMs: number | null, receivedAtMs: number): ContractStatus | null {
  const config = isRow(row.market_config) ? row.market_config : {};
  if (row.status === 'inactive') return 'delisted';
  if (row.status !== 'active') return null;
  if (listedAtMs !== null && listedAtMs > receivedAtMs) return 'preopen';
  if (config.force_reduce_only === true) return 'delisting';
  return config.hidden === true ? 'halted' : 'trading';
}

export function parseMarkets(
  payload: unknown,
  classes: ReadonlyMap<string, AssetClass>,
  receivedAtMs: number,
): Batch {
  const batch = emptyBatch();
  const contracts = new Map<string, Contract>();
  const rows = listOf(good(payload, 'orderBookDetails').order_book_details, 'order_book_details');
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    if (row.market_type !== 'perp') return ignore('spot');
    const id = decimalOrNull(row.market_id);
    if (id === null) return 'no market id';
    const listedAtMs = epochMsOf(row.created_at) ?? epochSecondsOf(row.created_at);
    const status = statusOf(row, listedAtMs, receivedAtMs);
    if (status === null) return `unknown status ${textOf(row.status) ?? ''}`;
    // A market that was closed and opened anew is listed twice: the live one has the symbol.
    const before = contracts.get(venueSymbol);
    if (before && (status === 'delisted' || before.status !== 'delisted'))
      return ignore('former market of a symbol');
    const marginFraction = positiveOf(row.min_initial_margin_fraction);
    contracts.set(venueSymbol, {
      venueSymbol,
      venueId: String(id),
      base: venueSymbol,
      quote: QUOTE,
      settle: QUOTE,
      isInverse: false,
      contractSize: 1,
      status,
      venueStatus: textOf(row.status) ?? '',
      assetClass: classes.get(venueSymbol) ?? 'crypto',
      listedAtMs,
      delistsAtMs: null,
      maxLeverage: marginFraction === null ? null : Math.round(MARGIN_FRACTION_UNIT / marginFraction),
      intervalHours: INTERVAL_HOURS,
    });
    const volume24hUsdt = amountOf(row.daily_quote_token_volume);
    if (volume24hUsdt === null) return 'no volume';
    if (status !== 'delisted' && status !== 'preopen')
      batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice: positiveOf(row.last_trade_price) });
    return null;
  });
  batch.contractList = { part: 'linear', contracts: [...contracts.values()] };
  return batch;
}

/** Rows of other venues stand beside Lighter's own, under the same market numbers. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const rows = listOf(good(payload, 'funding-rates').funding_rates, 'funding_rates');
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    if (row.exchange !== 'lighter') return ignore('rate of another venue');
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    if (contract.status === 'delisted' || contract.status === 'preopen') return ignore('not trading');
    const pct = shiftDecimal(row.rate, 2);
    if (pct === null) return 'no rate';
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct: roundPercent((pct * INTERVAL_HOURS) / FUNDING_RATES_HOURS),
      nextFundingAtMs: nextFullHourMs(context.receivedAtMs),
      intervalHours: INTERVAL_HOURS,
      venueTimeMs: null,
    });
    return null;
  });
  return batch;
}

/** Rates are percents without a sign; `direction` names the side that paid. Times are in seconds. */
export function parseFundings(
  payload: unknown,
  contract: Contract,
  window: { fromMs: number; toMs: number },
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const rows = listOf(good(payload, 'fundings').fundings, 'fundings');
  const { venueSymbol } = contract;
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const pct = isRow(row) ? shiftDecimal(row.rate, 0) : null;
    const settledAtMs = isRow(row) ? epochSecondsOf(row.timestamp) : null;
    if (settledAtMs !== null) oldestMs = Math.min(oldestMs, settledAtMs);
    const sign =
      isRow(row) && row.direction === 'long' ? 1 : isRow(row) && row.direction === 'short' ? -1 : 0;
    if (pct === null || settledAtMs === null || (sign === 0 && pct !== 0)) {
      page.rejected.push({ venueSymbol, reason: 'no rate, time or direction' });
    } else if (settledAtMs >= window.fromMs && settledAtMs <= window.toMs) {
      page.settlements.push({ venueSymbol, ratePct: pct === 0 ? 0 : sign * pct, settledAtMs });
    }
  }
  // A reply that is too long is cut at its old end without a word.
  if (rows.length >= FUNDINGS_CUT_FROM_ROWS && oldestMs > window.fromMs)
    page.next = { fromMs: window.fromMs, toMs: oldestMs - 1 };
  return page;
}

/** Single orders, so those of one price are put together. */
export function parseBookOrders(payload: unknown, contract: Contract): Depth {
  const reply = good(payload, 'orderBookOrders');
  const side = (orders: unknown): [number, number][] => {
    const levels = new Map<number, number>();
    for (const order of Array.isArray(orders) ? (orders as unknown[]) : []) {
      const price = isRow(order) ? positiveOf(order.price) : null;
      const size = isRow(order) ? positiveOf(order.remaining_base_amount) : null;
      if (price !== null && size !== null) levels.set(price, (levels.get(price) ?? 0) + size);
    }
    return [...levels];
  };
  return bookOf(contract, side(reply.bids), side(reply.asks), null);
}

export function parseNotices(payload: unknown): Batch {
  const batch = emptyBatch();
  for (const row of listOf(good(payload, 'announcement').announcements, 'announcements')) {
    const title = isRow(row) ? textOf(row.title) : null;
    const publishedAtMs = isRow(row) ? (epochMsOf(row.created_at) ?? epochSecondsOf(row.created_at)) : null;
    if (!isRow(row) || title === null || publishedAtMs === null) {
      batch.rejected.push({ venueSymbol: null, reason: 'notice without title or time' });
      continue;
    }
    const body = textOf(row.content);
    // Notices have neither id nor address.
    const id = `${publishedAtMs} ${title}`;
    batch.announcements.push({ id, title, body, category: '', url: null, publishedAtMs });
  }
  return batch;
}
