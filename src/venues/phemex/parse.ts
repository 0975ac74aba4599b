import { percentFromFraction, shiftDecimal } from '../../base/numbers.ts';
import { HOUR_MS, SECOND_MS } from '../../base/times.ts';
import { amountOf, epochMsOf, epochNanosecondsOf, positiveOf, textOf } from '../fields.ts';
import type { Batch, Contract, Depth } from '../observations.ts';
import { pageForward, readPrints } from '../prints.ts';
import { listOf, type Row, resultOf, rowOf } from '../reading.ts';
import { addFigures, addQuote, addVolume, readListed } from '../row-readers.ts';
import { readBook, sizeUnitOf, usdtFromContracts } from '../units.ts';
import type { ParseContext, SettlementPage, SettlementWindow } from '../venue.ts';
import { dataOf, priceScaleOf } from './contracts.ts';

interface FundingPage {
  batch: Batch;
  rowCount: number;
  total: number;
}

/**
 * The running rate with its schedule, for linear and coin-margined contracts alike, in plain decimals.
 * `toNextfundingInterval` is the time left in seconds, not a time. The documented sample is a bare list.
 */
export function parseFundingRates(payload: unknown, context: ParseContext): FundingPage {
  const data: Row = Array.isArray(payload)
    ? { rows: payload }
    : rowOf(dataOf(payload, 'real-funding-rates'), 'data');
  const rows = listOf(data.rows, 'rows');
  const batch = readListed(rows, 'symbol', context, (row, contract, into) => {
    const seconds = positiveOf(row.fundingInterval);
    return addQuote(into, contract, {
      ratePct: percentFromFraction(row.fundingRate),
      nextFundingAtMs: epochMsOf(row.nextfundingTime),
      intervalHours: seconds === null ? null : (seconds * SECOND_MS) / HOUR_MS,
      venueTimeMs: null,
    });
  });
  return { batch, rowCount: rows.length, total: amountOf(data.total) ?? rows.length };
}

/** Linear contracts: turnover in quote units, open interest in base units in spite of its name. */
export function parseTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(resultOf(payload, 'v3 ticker'), 'result');
  return readListed(rows, 'symbol', context, (row, contract, batch) => {
    const markPrice = positiveOf(row.markPriceRp) ?? positiveOf(row.markRp);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: positiveOf(row.indexPriceRp) ?? positiveOf(row.indexRp),
      openInterest: { amount: row.openInterestRv, unit: 'base' },
    });
    return addVolume(batch, contract, amountOf(row.turnoverRv), markPrice ?? positiveOf(row.lastRp));
  });
}

/** Coin-margined contracts: `volume` counts contracts of one dollar; `turnoverEv` is in scaled coins. */
export function parseCoinMarginedTickers(payload: unknown, context: ParseContext): Batch {
  const rows = listOf(resultOf(payload, 'v1 ticker'), 'result');
  return readListed(rows, 'symbol', context, (row, contract, batch) => {
    const traded = amountOf(row.volume);
    const turnover = traded === null ? null : usdtFromContracts(contract, traded, 1);
    const plainPrice = (scaled: unknown) => positiveOf(shiftDecimal(scaled, -priceScaleOf(contract)));
    // The documentation has two names for the same field.
    const markPrice = plainPrice(row.markEp ?? row.markPrice);
    addFigures(batch, contract, {
      markPrice,
      indexPrice: plainPrice(row.indexEp ?? row.indexPrice),
      openInterest: { amount: row.openInterest, unit: 'contracts' },
    });
    return addVolume(batch, contract, turnover, markPrice);
  });
}

/** One side with plain prices instead of scaled ones. Values that are not levels are left out. */
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
  const sides = { bids: plainLevels(contract, book.bids), asks: plainLevels(contract, book.asks) };
  return readBook(contract, sides, sizeUnitOf(contract), epochNanosecondsOf(result.timestamp));
}

/** Rows are ascending from the start of the window. Their `symbol` names the rate, not the contract. */
export function parseFundingHistory(
  payload: unknown,
  contract: Contract,
  window: SettlementWindow,
  limit: number,
): SettlementPage {
  const rows = listOf(rowOf(dataOf(payload, 'funding-rate-history'), 'data').rows, 'rows');
  const prints = readPrints(rows, { contract }, {}, (row) => ({
    ratePct: textOf(row.symbol) === null ? null : percentFromFraction(row.fundingRate),
    settledAtMs: epochMsOf(row.fundingTime),
  }));
  return pageForward(prints, window, rows.length >= limit);
}
