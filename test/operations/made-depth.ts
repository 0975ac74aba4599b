import { CURVE_COLUMNS, putCurve } from '../../src/engines/depth/curve-columns.ts';
import { DAY_COLUMNS, putDay } from '../../src/engines/depth/day-columns.ts';
import { COST_SIZES_USD, COSTS } from '../../src/history/depth/cost-codec.ts';
import { type BookCurve, curveOf } from '../../src/market/depth/book-curve.ts';
import type { Cell } from '../../src/market/tables/table.ts';

type Levels = [price: number, size: number][];

/** A book around a price of 100, which gets thicker with `depthUsd`. */
export function madeCurve(depthUsd: number, levels = 20, stepBp = 2): BookCurve {
  const side = (sign: 1 | -1): Levels =>
    Array.from({ length: levels }, (_, i) => [
      100 * (1 + (sign * (i + 1) * stepBp) / 1e4),
      depthUsd / 100 / levels,
    ]);
  const curve = curveOf({ bids: side(-1), asks: side(1) });
  if (!curve) throw new Error('the made book has no curve');
  return curve;
}

/** The columns of a depth table that rows do not show, for a book that was worse in some of the last hours. */
export function madeCurveCells(curve: BookCurve): Record<string, Cell> {
  const costs = (factor: number) => {
    const costsPct = new Float64Array(COSTS);
    for (const [i, sizeUsd] of COST_SIZES_USD.entries()) {
      costsPct[i] = factor * curve.asks.costPct(sizeUsd);
      costsPct[COST_SIZES_USD.length + i] = factor * curve.bids.costPct(sizeUsd);
    }
    return costsPct;
  };
  const columns = [...CURVE_COLUMNS, ...DAY_COLUMNS];
  const values = new Float64Array(columns.length).fill(Number.NaN);
  putCurve(curve, 1, values);
  putDay({ medianPct: costs(1.5), worstPct: costs(3) }, values.subarray(CURVE_COLUMNS.length));
  return Object.fromEntries(columns.map((name, i) => [name, values[i] as number]));
}
