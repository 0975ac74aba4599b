import { perSnapshot } from '../../base/per-snapshot.ts';
import { SECOND_MS } from '../../base/times.ts';
import type { TableSnapshot, TableSource } from '../../market/table-source.ts';
import type { AddedColumns, ChangedColumn } from '../../market/tables/changed-table.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';
import { BUY, MEDIAN, NOW, type OrderCosts, orderCosts, SELL, WORST } from './order-costs.ts';
import { FILLS, SIZE_COLUMNS } from './size-columns.ts';

/** The codes of FILLS as texts of a table; the worse state has the higher one. */
const [FULL, PARTIAL, UNKNOWN] = [1, 2, 3] as const;

/** Costs have six decimals, 0.0001 basis points: they are within 2 % of themselves. */
const STEPS_PER_PERCENT = 1e6;

/** A depth table is published some time after its snapshot, so that all processes use the same one only if it is older. */
const DEPTH_LAG_SECONDS = 10;

/** The depth table that belongs to a snapshot of a list; null if there is none yet. */
export function depthOf({ asOfMs, table }: TableSnapshot, depth: TableSource): Table | null {
  return depthTables(table, asOfMs, depth);
}

const depthTables = perSnapshot(
  (_table: Table, asOfMs: number, depth: TableSource) => depth.at(DEPTH_LAG_SECONDS, asOfMs)?.table ?? null,
);

/** The legs of a row as rows of the depth table; -1 where there is none. */
export interface PairLegs {
  bought: NumberCell;
  sold: NumberCell;
}

export interface PairCosts {
  entryPct: NumberCell;
  exitPct: NumberCell;
  exitWorstPct: NumberCell;
  fills: NumberCell;
  bookAgeSeconds: NumberCell;
}

/** Remembers the figure of the last row: others of the row follow from it. */
export function ofLastRow(cell: NumberCell): NumberCell {
  let [last, value] = [-1, Number.NaN];
  return (row) => {
    if (row !== last) {
      value = cell(row);
      last = row;
    }
    return value;
  };
}

/** What opening and closing pairs costs at a size, in percent of one leg; NaN is unknown. */
export function pairCosts(
  depth: Table | null,
  sizeUsd: number,
  { bought, sold }: PairLegs,
  asOfMs: number,
): PairCosts {
  const costsOf = depth && orderCosts(depth, sizeUsd);
  const bookAtMs = depth?.numbers('book_at');
  return rowCells(asOfMs, (row, figures) => {
    const [long, short] = [bought(row), sold(row)];
    if (!costsOf || long < 0 || short < 0) return UNKNOWN;
    figures.bookAtMs = Math.min(bookAtMs?.[long] ?? Number.NaN, bookAtMs?.[short] ?? Number.NaN);
    const [ofLong, ofShort] = [costsOf(long), costsOf(short)];
    if (!isFilled(ofLong) || !isFilled(ofShort)) return PARTIAL;
    const sum = (time: number, longSide: number, shortSide: number) =>
      rounded((ofLong[time + longSide] as number) + (ofShort[time + shortSide] as number));
    figures.entryPct = sum(NOW, BUY, SELL);
    figures.exitPct = sum(MEDIAN, SELL, BUY);
    figures.exitWorstPct = sum(WORST, SELL, BUY);
    return FULL;
  });
}

/** The same for a position on one contract. `isShort` says that it is opened by selling. */
export function positionCosts(
  depth: Table | null,
  sizeUsd: number,
  rowOf: NumberCell,
  isShort: (row: number) => boolean,
  asOfMs: number,
): PairCosts {
  const costsOf = depth && orderCosts(depth, sizeUsd);
  const bookAtMs = depth?.numbers('book_at');
  return rowCells(asOfMs, (row, figures) => {
    const contract = rowOf(row);
    if (!costsOf || contract < 0) return UNKNOWN;
    figures.bookAtMs = bookAtMs?.[contract] ?? Number.NaN;
    const costs = costsOf(contract);
    if (!isFilled(costs)) return PARTIAL;
    const [opening, closing] = isShort(row) ? [SELL, BUY] : [BUY, SELL];
    figures.entryPct = rounded(costs[NOW + opening] as number);
    figures.exitPct = rounded(costs[MEDIAN + closing] as number);
    figures.exitWorstPct = rounded(costs[WORST + closing] as number);
    return FULL;
  });
}

/** Both sides take the size: opening needs one of them, closing the other. */
function isFilled(costs: OrderCosts): boolean {
  return !Number.isNaN((costs[NOW + BUY] as number) + (costs[NOW + SELL] as number));
}

function rounded(pct: number): number {
  return Math.round(pct * STEPS_PER_PERCENT) / STEPS_PER_PERCENT;
}

/** The figures of one row. */
interface RowFigures {
  entryPct: number;
  exitPct: number;
  exitWorstPct: number;
  bookAtMs: number;
}

/** `read` sets the figures of a row that are known, and returns whether the books fill it. */
function rowCells(asOfMs: number, read: (row: number, figures: RowFigures) => number): PairCosts {
  const figures: RowFigures = {
    ...{ entryPct: Number.NaN, exitPct: Number.NaN, exitWorstPct: Number.NaN, bookAtMs: Number.NaN },
  };
  const fills = ofLastRow((row) => {
    figures.entryPct = figures.exitPct = figures.exitWorstPct = figures.bookAtMs = Number.NaN;
    return read(row, figures);
  });
  const figureOf =
    (name: keyof RowFigures): NumberCell =>
    (row) => {
      fills(row);
      return figures[name];
    };
  const bookAtMs = figureOf('bookAtMs');
  return {
    entryPct: figureOf('entryPct'),
    exitPct: figureOf('exitPct'),
    exitWorstPct: figureOf('exitWorstPct'),
    fills,
    bookAgeSeconds: (row) => Math.max(0, Math.round((10 * (asOfMs - bookAtMs(row))) / SECOND_MS) / 10),
  };
}

/** The number columns among SIZE_COLUMNS. */
export function sizeCells(costs: PairCosts): readonly (readonly [string, ChangedColumn])[] {
  return [
    ['entry_cost_pct', { cell: costs.entryPct }],
    ['exit_cost_pct', { cell: costs.exitPct }],
    ['exit_cost_worst_pct', { cell: costs.exitWorstPct }],
    ['book_age_seconds', { cell: costs.bookAgeSeconds }],
  ];
}

export function addedColumns({ fills }: PairCosts, columns = SIZE_COLUMNS): AddedColumns {
  return { columns, texts: new Map([['fills', { values: ['', ...FILLS], codeOf: fills }]]) };
}
