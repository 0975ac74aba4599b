import type { BookCurve } from '../../market/depth/book-curve.ts';
import { costPctOf, MAX_POINTS } from '../../market/depth/side-curve.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';

const SIDES = ['bid', 'ask'] as const;
type Side = (typeof SIDES)[number];

/** For each point of a side, in turn: the value of an order in USD, and what it loses against the mid. */
const columnsOf = (side: Side) =>
  Array.from({ length: 2 * MAX_POINTS }, (_, i) => `${side}_${i % 2 === 0 ? 'value' : 'loss'}_${i >> 1}`);
const COLUMNS = { bid: columnsOf('bid'), ask: columnsOf('ask') };

/** The points of the curves of both sides, which rows do not show: costs of any size are computed from them. */
export const CURVE_COLUMNS: readonly string[] = [...COLUMNS.bid, ...COLUMNS.ask];

/** Puts the points into the values of CURVE_COLUMNS. In single precision, which they have anyway, frames are smaller. */
export function putCurve({ bids, asks }: BookCurve, usdtPerQuote: number, values: Float64Array): void {
  for (const [side, { points }] of [bids, asks].entries())
    for (let i = 0; i < points.length; i++)
      values[side * COLUMNS.bid.length + i] = Math.fround((points[i] as number) * usdtPerQuote);
}

/** The cost in percent of buying or selling for so many USD, read from the points in a table; NaN where it is unknown. */
export function costCell(table: Table, sizeUsd: number, isBuy: boolean): NumberCell {
  const columns = columnsIn(table, isBuy);
  const at = (place: number, row: number) => (columns[place] as Float64Array)[row] as number;
  const points = [0, 0, 0, 0];
  return (row) => {
    // The line that the size is on: most sizes are on one of the first.
    let to = 0;
    while (to < columns.length && sizeUsd > at(to, row)) to += 2;
    if (to === columns.length) return Number.NaN;
    points[0] = to === 0 ? 0 : at(to - 2, row);
    points[1] = to === 0 ? 0 : at(to - 1, row);
    points[2] = at(to, row);
    points[3] = at(to + 1, row);
    return costPctOf(points, sizeUsd, isBuy);
  };
}

/** What orders of any size cost against one side of a book. */
export interface CostCurve {
  /** The largest order whose cost is known, in USD. */
  knownUsd: number;
  /** In percent; NaN for a larger order. */
  costPct: (sizeUsd: number) => number;
}

export function costCurve(table: Table, row: number, isBuy: boolean): CostCurve {
  const points: number[] = [];
  readPoints(columnsIn(table, isBuy), row, points);
  return { knownUsd: points.at(-2) ?? 0, costPct: (sizeUsd) => costPctOf(points, sizeUsd, isBuy) };
}

function columnsIn(table: Table, isBuy: boolean): Float64Array[] {
  return COLUMNS[isBuy ? 'ask' : 'bid'].map((name) => table.numbers(name));
}

function readPoints(columns: readonly Float64Array[], row: number, points: number[]): void {
  points.length = 0;
  for (const column of columns) {
    const point = column[row] as number;
    if (Number.isNaN(point)) return;
    points.push(point);
  }
}
