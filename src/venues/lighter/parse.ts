import { decimalOrNull, percentFromFraction, roundPercent, shiftDecimal } from '../../base/numbers.ts';
import { HOUR_MS, nextFullHourMs } from '../../base/times.ts';
import { assetClassOf, traditionalClassOf } from '../asset-class.ts';
import { amountOf, epochMsOf, epochSecondsOf, positiveOf, textOf } from '../fields.ts';
import {
  type AssetClass,
  type Batch,
  type Contract,
  type ContractStatus,
  type Depth,
  emptyBatch,
  linearContract,
} from '../observations.ts';
import { readPrints } from '../prints.ts';
import { BadReply, goodReply, ignore, isRow, listOf, NOT_LISTED, type Row, readRows } from '../reading.ts';
import { addFigures, addQuote, addVolume, readNotices } from '../row-readers.ts';
import { bookOf } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import {
  CLASS_OF_CATEGORY,
  CODE_OK,
  type Currency,
  FUNDING_RATES_HOURS,
  FUNDINGS_HOURS_PER_REQUEST,
  FUNDINGS_MAX_ROWS,
  INTERVAL_HOURS,
  MARGIN_FRACTION_UNIT,
  USDC,
} from './wire.ts';

function replyOf(payload: unknown, what: string): Row {
  return goodReply(payload, what, 'code', CODE_OK);
}

/** The asset class of each perpetual. The app's name (kPEPE) sometimes differs from the market's (1000PEPE). */
export function parseTokenList(payload: unknown): ReadonlyMap<string, AssetClass> {
  const classes = new Map<string, AssetClass>();
  for (const token of listOf(replyOf(payload, 'tokenlist').tokens, 'tokens')) {
    if (!isRow(token) || token.market !== 'PERPS') continue;
    const symbol = textOf(token.backend_symbol) ?? textOf(token.symbol);
    if (symbol === null) continue;
    const categories = Array.isArray(token.categories) ? (token.categories as unknown[]) : [];
    const found = CLASS_OF_CATEGORY.find(([category]) => categories.includes(category));
    const labelled = token.asset_type === 'RWA' ? (found?.[1] ?? traditionalClassOf(symbol)) : 'crypto';
    // The list has USDHKD among the coins and gold tokens among the commodities.
    classes.set(symbol, assetClassOf(symbol, labelled));
  }
  return classes;
}

/** A market that is being delisted is reduce-only: positions can only be closed. An inactive market no longer trades. */
function statusOf(row: Row, listedAtMs: number | null, receivedAtMs: number): ContractStatus | null {
  const config = isRow(row.market_config) ? row.market_config : {};
  if (row.status === 'inactive') return 'delisted';
  if (row.status !== 'active') return null;
  if (listedAtMs !== null && listedAtMs > receivedAtMs) return 'preopen';
  if (config.force_reduce_only === true) return 'delisting';
  return config.hidden === true ? 'halted' : 'trading';
}

/** Fees are percents, as the liquidation fee beside them (1.0000 for 1 %) shows. */
function takerFeeOf(row: Row): { takerFeePct?: number } {
  const pct = row.is_taker_fee_enabled === false ? 0 : amountOf(row.taker_fee);
  return pct === null ? {} : { takerFeePct: pct };
}

export function parseMarkets(
  payload: unknown,
  classes: ReadonlyMap<string, AssetClass>,
  receivedAtMs: number,
  { quote, settle }: Currency = USDC,
): Batch {
  const batch = emptyBatch();
  const contracts = new Map<string, Contract>();
  const rows = listOf(replyOf(payload, 'orderBookDetails').order_book_details, 'order_book_details');
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    if (row.market_type !== 'perp') return ignore('spot');
    // 1 on every market that was seen. What prices and sizes are in with another one, no source says.
    if ((decimalOrNull(row.multiplier) ?? 1) !== 1) return 'multiplied market';
    const id = decimalOrNull(row.market_id);
    if (id === null) return 'no market id';
    const listedAtMs = epochMsOf(row.created_at) ?? epochSecondsOf(row.created_at);
    const status = statusOf(row, listedAtMs, receivedAtMs);
    if (status === null) return `unknown status ${textOf(row.status) ?? ''}`;
    // A market that was closed and opened again is listed twice: the live one has the symbol.
    const before = contracts.get(venueSymbol);
    if (before && (status === 'delisted' || before.status !== 'delisted'))
      return ignore('former market of a symbol');
    const marginFraction = positiveOf(row.min_initial_margin_fraction);
    const contract = linearContract({
      venueSymbol,
      venueId: String(id),
      base: venueSymbol,
      quote,
      settle,
      status,
      venueStatus: textOf(row.status) ?? '',
      assetClass: classes.get(venueSymbol) ?? assetClassOf(venueSymbol, 'crypto'),
      listedAtMs,
      maxLeverage: marginFraction === null ? null : Math.round(MARGIN_FRACTION_UNIT / marginFraction),
      intervalHours: INTERVAL_HOURS,
      ...takerFeeOf(row),
    });
    contracts.set(venueSymbol, contract);
    const turnover = amountOf(row.daily_quote_token_volume);
    if (status === 'delisted' || status === 'preopen') return turnover === null ? 'no volume' : null;
    addMarketFigures(batch, contract, row, 'base');
    return addVolume(batch, contract, turnover, positiveOf(row.last_trade_price));
  });
  batch.contractList = { part: 'linear', contracts: [...contracts.values()] };
  return batch;
}

/** The list and the stream have the same fields, but open interest is in coins in the list and in USDC in the stream. */
export function addMarketFigures(
  batch: Batch,
  contract: Contract,
  row: Row,
  openInterestUnit: 'base' | 'quote',
): void {
  const markPrice = positiveOf(row.mark_price);
  addFigures(batch, contract, {
    markPrice,
    indexPrice: positiveOf(row.index_price),
    openInterest: { amount: row.open_interest, unit: openInterestUnit },
  });
}

/** The reply has rows of other venues beside Lighter's own, under the same market numbers. */
export function parseFundingRates(payload: unknown, context: ParseContext): Batch {
  const all = listOf(replyOf(payload, 'funding-rates').funding_rates, 'funding_rates');
  const batch = emptyBatch();
  readRows(all, batch, 'symbol', (row, venueSymbol) => {
    if (row.exchange !== 'lighter') return ignore('rate of another venue');
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    if (contract.status === 'delisted' || contract.status === 'preopen') return ignore('not trading');
    const pct = percentFromFraction(row.rate);
    return addQuote(batch, contract, {
      ratePct: pct === null ? null : roundPercent((pct * INTERVAL_HOURS) / FUNDING_RATES_HOURS),
      nextFundingAtMs: nextFullHourMs(context.receivedAtMs),
      intervalHours: INTERVAL_HOURS,
      venueTimeMs: null,
    });
  });
  return batch;
}

/** The part of a window that one call requests: short enough that the reply is never cut. */
export function windowToRequest(window: SettlementWindow): { fromMs: number; toMs: number } {
  const { fromMs, toMs } = window;
  return { fromMs, toMs: Math.min(toMs, fromMs + FUNDINGS_HOURS_PER_REQUEST * HOUR_MS) };
}

/** Rates are percents without a sign; `direction` names the side that paid. Times are in seconds. */
export function parseFundings(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
): SettlementPage {
  const rows = listOf(replyOf(payload, 'fundings').fundings, 'fundings');
  // Hourly prints cannot fill a reply: a full one lacks an end, and we do not know which.
  if (rows.length >= FUNDINGS_MAX_ROWS)
    throw new BadReply('fundings has more rows than hours were requested');
  const { settlements, rejected } = readPrints(rows, { contract }, window, (row) => ({
    ratePct: signedRate(row),
    settledAtMs: epochSecondsOf(row.timestamp),
  }));
  const { toMs } = window;
  const doneMs = windowToRequest(window).toMs;
  return { settlements, rejected, next: doneMs < toMs ? { fromMs: doneMs + 1, toMs } : null };
}

function signedRate(row: Row): number | null {
  const pct = shiftDecimal(row.rate, 0);
  if (pct === null || pct === 0) return pct;
  return row.direction === 'long' ? pct : row.direction === 'short' ? -pct : null;
}

/** The reply has single orders, so those of one price are added up. */
export function parseBookOrders(payload: unknown, contract: Contract): Depth {
  const reply = replyOf(payload, 'orderBookOrders');
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

/** Notices have neither id nor address, so time and title make the id. */
export function parseNotices(payload: unknown): Batch {
  const rows = listOf(replyOf(payload, 'announcement').announcements, 'announcements');
  return readNotices(rows, (row) => {
    const publishedAtMs = epochMsOf(row.created_at) ?? epochSecondsOf(row.created_at);
    const title = textOf(row.title);
    return {
      id: `${publishedAtMs} ${title}`,
      title,
      body: textOf(row.content),
      category: '',
      url: null,
      publishedAtMs,
    };
  });
}
