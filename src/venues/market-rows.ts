import { amountOf, idOf, positiveOf } from './fields.ts';
import type { Batch, Contract } from './observations.ts';
import { isRow, type Row } from './reading.ts';
import {
  addFigures,
  addScheduledQuote,
  addTop,
  addVolume,
  type OpenInterestField,
  readListed,
} from './row-readers.ts';
import { readTop, type SizeUnit, type TopFields } from './units.ts';
import type { ParseContext } from './venue.ts';

/**
 * What a row says of a listed contract. Prices, volume and open interest are the fields as the venue sends them. A figure
 * that another call gives is left out. A row without the rate, the next settlement, the volume, or the bid or ask that its
 * call should give is bad; other figures may be missing.
 */
export interface MarketRow {
  ratePct?: number | null;
  nextFundingAtMs?: number | null;
  intervalHours?: number | null;
  venueTimeMs?: number | null;
  volume24hUsdt?: unknown;
  /** What the venue counts, where the volume is that times a price. */
  volumeCounted?: unknown;
  markPrice?: unknown;
  /** Stands in for a mark price that is missing: as the reference of the volume and the price of the open interest. */
  lastPrice?: unknown;
  indexPrice?: unknown;
  /** Only `true` and `false` count. */
  isMarketClosed?: unknown;
  openInterest?: OpenInterestField;
  top?: TopFields & { unit: SizeUnit };
}

/** Rows about listed contracts, each with any of the figures above. `read` may return a reason instead, as in `readRows`. */
export function readMarket(
  rows: readonly unknown[],
  symbolField: string,
  context: ParseContext,
  read: (row: Row, contract: Contract) => MarketRow | string,
): Batch {
  return readListed(rows, symbolField, context, (row, contract, batch) => {
    const market = read(row, contract);
    return typeof market === 'string' ? market : addMarket(batch, contract, market);
  });
}

/** As `readMarket`, for rows that name their contract by another name or number of the venue: its `venueId`. */
export function readMarketById(
  rows: readonly unknown[],
  idField: string,
  context: ParseContext,
  read: (row: Row, contract: Contract) => MarketRow | string,
): Batch {
  const symbols = new Map([...context.contracts.values()].map((one) => [one.venueId, one.venueSymbol]));
  const named = (row: unknown) => {
    if (!isRow(row)) return row;
    const id = idOf(row[idField]);
    return { ...row, symbol: id === null ? null : (symbols.get(id) ?? id) };
  };
  return readMarket(rows.map(named), 'symbol', context, read);
}

/** Each figure is read on its own, and the first fault is reported. */
export function addMarket(batch: Batch, contract: Contract, row: MarketRow): string | null {
  const { ratePct, nextFundingAtMs, intervalHours, venueTimeMs = null, openInterest, top } = row;
  const markPrice = positiveOf(row.markPrice);
  const price = markPrice ?? positiveOf(row.lastPrice);
  const figures = {
    ...{ markPrice, indexPrice: positiveOf(row.indexPrice), isMarketClosed: row.isMarketClosed },
    ...(openInterest ? { openInterest } : {}),
  };
  addFigures(batch, contract, figures, price);
  const rateFault =
    ratePct === undefined
      ? null
      : addScheduledQuote(batch, contract, { ratePct, nextFundingAtMs, intervalHours, venueTimeMs });
  const volumeFault =
    'volume24hUsdt' in row
      ? addVolume(batch, contract, amountOf(row.volume24hUsdt), price, row.volumeCounted)
      : null;
  const topFault = top ? addTop(batch, readTop(contract, top, top.unit, venueTimeMs)) : null;
  return rateFault ?? volumeFault ?? topFault;
}
