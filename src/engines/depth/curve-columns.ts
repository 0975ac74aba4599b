import type { BookCurve } from '../../market/depth/book-curve.ts';
import { costPctOf, MAX_POINTS } from '../../market/depth/side-curve.ts';
import type { Table } from '../../market/tables/table.ts';

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

/** Reads value and loss of each point of one side in turn. */
export function pointsReader(table: Table, isBuy: boolean): (row: number) => readonly number[] {
  const columns = COLUMNS[isBuy ? 'ask' : 'bid'].map((name) => table.numbers(name));
  return (row) => {
    const points: number[] = [];
    for (const column of columns) {
      const point = column[row] as number;
      if (Number.isNaN(point)) break;
      points.push(point);
    }
    return points;
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
  const points = pointsReader(table, isBuy)(row);
  return { knownUsd: points.at(-2) ?? 0, costPct: (sizeUsd) => costPctOf(points, sizeUsd, isBuy) };
}
