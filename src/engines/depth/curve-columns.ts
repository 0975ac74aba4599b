import { roundPercent } from '../../base/numbers.ts';
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

export function curveCells({ bids, asks }: BookCurve, usdtPerQuote: number): Record<string, number> {
  const cells: Record<string, number> = {};
  // In single precision, which the points have anyway, frames are smaller.
  for (const [side, { points }] of [['bid', bids] as const, ['ask', asks] as const])
    for (const [i, point] of points.entries())
      cells[COLUMNS[side][i] as string] = Math.fround(point * usdtPerQuote);
  return cells;
}

/** The cost in percent of buying or selling for so many USD, read from the points in a table; NaN where it is unknown. */
export function costCell(table: Table, sizeUsd: number, isBuy: boolean): NumberCell {
  const columns = COLUMNS[isBuy ? 'ask' : 'bid'].map((name) => table.numbers(name));
  const points: number[] = [];
  return (row) => {
    points.length = 0;
    for (const column of columns) {
      const point = column[row] as number;
      if (Number.isNaN(point)) break;
      points.push(point);
    }
    return roundPercent(costPctOf(points, sizeUsd, isBuy));
  };
}
