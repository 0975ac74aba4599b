import { HOUR_MS } from '../base/times.ts';
import type { Contract, Settlement } from './observations.ts';
import { emptyBatch } from './observations.ts';
import { isRow, type Row, readRows } from './reading.ts';
import type { SettlementPage, SettlementWindow } from './venue.ts';

/** The prints of one reply, with what is needed to request the next page. */
export interface PrintRows extends Pick<SettlementPage, 'settlements' | 'rejected'> {
  rowCount: number;
  /** Bounds over all rows, also those outside the window or without a rate. Null if no row has a time. */
  oldestMs: number | null;
  newestMs: number | null;
  isNewestFirst: boolean;
}

/** Prints whose rows name their contract in a field, or prints of one contract, whose rows do not. */
type PrintNames =
  | { symbolField: string; contract?: Pick<Contract, 'venueSymbol'> }
  | { contract: Pick<Contract, 'venueSymbol'> };

/** Rate and time of a row; null for what it lacks. */
type PrintReader = (row: Row) => { ratePct: number | null; settledAtMs: number | null };

/**
 * Reads the prints of a reply and keeps those in the window; a bound that is not given keeps all. Rows must be of
 * `contract` if both a contract and a field are given.
 */
export function readPrints(
  rows: readonly unknown[],
  names: PrintNames,
  { fromMs = Number.NEGATIVE_INFINITY, toMs = Number.POSITIVE_INFINITY }: Partial<SettlementWindow>,
  read: PrintReader,
): PrintRows {
  const settlements: Settlement[] = [];
  const batch = emptyBatch();
  let oldestMs: number | null = null;
  let newestMs: number | null = null;
  let firstMs: number | null = null;
  const readRow = (row: Row, venueSymbol: string): string | null => {
    if (names.contract && venueSymbol !== names.contract.venueSymbol) return 'row of another contract';
    const { ratePct, settledAtMs } = read(row);
    if (settledAtMs !== null) {
      firstMs ??= settledAtMs;
      oldestMs = Math.min(oldestMs ?? settledAtMs, settledAtMs);
      newestMs = Math.max(newestMs ?? settledAtMs, settledAtMs);
    }
    if (ratePct === null || settledAtMs === null) return 'no rate or time';
    if (settledAtMs >= fromMs && settledAtMs <= toMs) settlements.push({ venueSymbol, ratePct, settledAtMs });
    return null;
  };
  if ('symbolField' in names) {
    readRows(rows, batch, names.symbolField, readRow);
  } else {
    const { venueSymbol } = names.contract;
    for (const row of rows) {
      const reason = isRow(row) ? readRow(row, venueSymbol) : 'no rate or time';
      if (reason !== null) batch.rejected.push({ venueSymbol, reason });
    }
  }
  return {
    settlements,
    rejected: batch.rejected,
    rowCount: rows.length,
    oldestMs,
    newestMs,
    isNewestFirst: firstMs === newestMs,
  };
}

/** For pages that end at `toMs`, newest first: a full page continues before its oldest row. */
export function pageBackward(
  { settlements, rejected, oldestMs }: PrintRows,
  { fromMs, toMs = Number.POSITIVE_INFINITY }: { fromMs: number; toMs?: number },
  isFull: boolean,
): SettlementPage {
  const hasMore = isFull && oldestMs !== null && oldestMs > fromMs && oldestMs <= toMs;
  return { settlements, rejected, next: hasMore ? { fromMs, toMs: oldestMs - 1 } : null };
}

/** The parser of a history that comes newest first, in pages of at most `pageRows`, up to the end of the window. */
export function backwardHistory(
  pageRows: number,
  {
    rows: rowsOf,
    symbolField,
    read,
  }: {
    rows(payload: unknown): readonly unknown[];
    /** The field with the contract; undefined if rows do not name it. */
    symbolField?: string;
    read: PrintReader;
  },
): (payload: unknown, contract: Contract, window: SettlementWindow) => SettlementPage {
  return (payload, contract, window) => {
    const rows = rowsOf(payload);
    const names = symbolField === undefined ? { contract } : { symbolField, contract };
    return pageBackward(readPrints(rows, names, window, read), window, rows.length >= pageRows);
  };
}

/** For pages that start at `fromMs`, oldest first: a full page continues after its newest row. */
export function pageForward(
  { settlements, rejected, newestMs }: PrintRows,
  { fromMs = Number.NEGATIVE_INFINITY, toMs }: { fromMs?: number; toMs: number },
  isFull: boolean,
): SettlementPage {
  const hasMore = isFull && newestMs !== null && newestMs >= fromMs && newestMs < toMs;
  return { settlements, rejected, next: hasMore ? { fromMs: newestMs + 1, toMs } : null };
}

/** For pages whose order the venue does not document: a cut page continues beyond the end at which it stopped. */
export function pageEitherWay(
  prints: PrintRows,
  window: { fromMs: number; toMs: number },
  isCut: boolean,
): SettlementPage {
  return prints.isNewestFirst ? pageBackward(prints, window, isCut) : pageForward(prints, window, isCut);
}

/** The number of the page to request, at venues that number the pages of their history from the newest. */
export function pageNumberOf(window: SettlementWindow): number {
  return Number(window.cursor ?? 1);
}

/** For numbered pages. A print that settles during the walk only repeats rows on the next page; it hides none. */
export function pageByNumber(
  { settlements, rejected, oldestMs }: PrintRows,
  window: SettlementWindow,
  isLast: boolean,
): SettlementPage {
  const { fromMs, toMs } = window;
  if (isLast || oldestMs === null || oldestMs <= fromMs) return { settlements, rejected, next: null };
  const cursor = String(pageNumberOf(window) + 1);
  return { settlements, rejected, next: { fromMs, toMs: Math.min(toMs, oldestMs - 1), cursor } };
}

/** For pages that go on at a cursor of the reply (null after the last one), newest first; ends by the returned times. */
export function pageByCursor(
  { settlements, rejected, oldestMs }: PrintRows,
  { fromMs, toMs }: SettlementWindow,
  cursor: string | null,
): SettlementPage {
  const hasMore = cursor !== null && oldestMs !== null && oldestMs > fromMs;
  const next = hasMore ? { fromMs, toMs: Math.min(toMs, oldestMs - 1), cursor } : null;
  return { settlements, rejected, next };
}

/** The first page has the rows that a window up to now can have; the pages of an older window are full ones. */
export function rowsForIdPage(window: SettlementWindow, maxRows: number): number {
  return window.cursor === undefined ? rowsForWindow(window, maxRows) : maxRows;
}

/** Rows to request for a window: no contract settles more than once an hour, so a short window needs no full page. */
export function rowsForWindow({ fromMs, toMs }: SettlementWindow, maxRows: number): number {
  return Math.min(maxRows, Math.ceil((toMs - fromMs) / HOUR_MS) + 2);
}
