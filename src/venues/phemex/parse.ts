import { percentFromFraction, shiftDecimal } from '../../base/numbers.ts';
import { HOUR_MS, SECOND_MS } from '../../base/times.ts';
import type { Batch, Contract, Depth } from '../observations.ts';
import { emptyBatch } from '../observations.ts';
import {
  amountOf,
  epochMsOf,
  isRow,
  listOf,
  NOT_LISTED,
  positiveOf,
  type Row,
  readRows,
  rowOf,
  textOf,
} from '../reading.ts';
import { bookOf, readLevels, usdtFromContracts } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { priceScaleOf } from './contracts.ts';
import { dataOf, nanosecondsMsOf, resultOf } from './replies.ts';

export interface FundingPage {
  batch: Batch;
  rowCount: number;
  total: number;
}

/**
 * The running rate with its schedule, for linear and coin-margined contracts alike, in plain decimals.
 * `toNextfundingInterval` is the time left in seconds, not a time. The documented sample is a bare list.
 */
export function parseFundingRates(payload: unknown, context: ParseContext): FundingPage {
  const batch = emptyBatch();
  const data: Row = Array.isArray(payload)
    ? { rows: payload }
    : rowOf(dataOf(payload, 'real-funding-rates'), 'data');
  const rows = listOf(data.rows, 'rows');
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const ratePct = percentFromFraction(row.fundingRate);
    if (ratePct === null) return 'no rate';
    const seconds = positiveOf(row.fundingInterval);
    batch.fundingQuotes.push({
      venueSymbol,
      ratePct,
      nextFundingAtMs: epochMsOf(row.nextfundingTime),
      intervalHours: seconds === null ? null : (seconds * SECOND_MS) / HOUR_MS,
      venueTimeMs: null,
    });
    return null;
  });
  return { batch, rowCount: rows.length, total: amountOf(data.total) ?? rows.length };
}

/** Linear contracts: turnover in quote units. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const rows = listOf(resultOf(payload, 'v3 ticker'), 'result');
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    if (!context.contracts.has(venueSymbol)) return NOT_LISTED;
    const volume24hUsdt = amountOf(row.turnoverRv);
    if (volume24hUsdt === null) return 'no volume';
    const referencePrice = positiveOf(row.markRp) ?? positiveOf(row.lastRp);
    batch.dayVolumes.push({ venueSymbol, volume24hUsdt, referencePrice });
    return null;
  });
  return batch;
}

/** Coin-margined contracts: `volume` counts contracts of one dollar, `turnoverEv` would be scaled coins. */
export function parseCoinMarginedTickers(payload: unknown, context: ParseContext): Batch {
  const batch = emptyBatch();
  const rows = listOf(resultOf(payload, 'v1 ticker'), 'result');
  readRows(rows, batch, 'symbol', (row, venueSymbol) => {
    const contract = context.contracts.get(venueSymbol);
    if (!contract) return NOT_LISTED;
    const traded = amountOf(row.volume);
    if (traded === null) return 'no volume';
    batch.dayVolumes.push({
      venueSymbol,
      volume24hUsdt: usdtFromContracts(contract, traded, 1),
      // The same field has two names in the documentation.
      referencePrice: positiveOf(shiftDecimal(row.markEp ?? row.markPrice, -priceScaleOf(contract))),
    });
    return null;
  });
  return batch;
}

/** One side of a book as [price, size] in our units, deletions (size 0) left out. */
export function levelsOf(contract: Contract, levels: unknown): [number, number][] {
  return readLevels(contract, plainLevels(contract, levels), contract.isInverse ? 'contracts' : 'base');
}

/** One side with scaled prices made plain; what is not a level stays out. */
export function plainLevels(contract: Contract, levels: unknown): [price: number, size: number][] {
  if (!Array.isArray(levels)) return [];
  const plain: [number, number][] = [];
  for (const level of levels as unknown[]) {
    if (!Array.isArray(level)) continue;
    const price = contract.isInverse ? shiftDecimal(level[0], -priceScaleOf(contract)) : positiveOf(level[0]);
    const size = amountOf(level[1]);
    if (price !== null && price > 0 && size !== null) plain.push([price, size]);
  }
  return plain;
}

export function parseOrderBook(payload: unknown, contract: Contract): Depth {
  const result = rowOf(resultOf(payload, 'orderbook'), 'result');
  const book = rowOf(contract.isInverse ? result.book : result.orderbook_p, 'book');
  return bookOf(
    contract,
    levelsOf(contract, book.bids),
    levelsOf(contract, book.asks),
    nanosecondsMsOf(result.timestamp),
  );
}

/** Rows are ascending from the start of the window and name the rate, not the contract. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
  limit: number,
): SettlementPage {
  const page: SettlementPage = { settlements: [], rejected: [], next: null };
  const { venueSymbol } = contract;
  const rows = listOf(rowOf(dataOf(payload, 'funding-rate-history'), 'data').rows, 'rows');
  let newestMs = 0;
  for (const row of rows) {
    const ratePct = isRow(row) ? percentFromFraction(row.fundingRate) : null;
    const settledAtMs = isRow(row) ? epochMsOf(row.fundingTime) : null;
    if (settledAtMs !== null) newestMs = Math.max(newestMs, settledAtMs);
    if (!isRow(row) || ratePct === null || settledAtMs === null || textOf(row.symbol) === null) {
      page.rejected.push({ venueSymbol, reason: 'no rate or time' });
      continue;
    }
    page.settlements.push({ venueSymbol, ratePct, settledAtMs });
  }
  if (rows.length >= limit && newestMs >= window.fromMs && newestMs < window.toMs)
    page.next = { fromMs: newestMs + 1, toMs: window.toMs };
  return page;
}
