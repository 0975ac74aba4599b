import { COST_SIZES_USD, COSTS, costPctAt } from '../../history/depth/cost-codec.ts';
import type { CostFigures } from '../../history/depth/figures.ts';
import type { NumberCell, Table } from '../../market/tables/table.ts';

export const DAY_FIGURES = ['median', 'worst'] as const;
export type DayFigure = (typeof DAY_FIGURES)[number];

const columnsOf = (figure: DayFigure) =>
  Array.from({ length: COSTS }, (_, cost) => `cost_24h_${figure}_${cost}`);
const COLUMNS = { median: columnsOf('median'), worst: columnsOf('worst') };

/** The costs of the last 24 hours at the stored sizes, which rows do not show: those of any size lie between them. */
export const DAY_COLUMNS: readonly string[] = [...COLUMNS.median, ...COLUMNS.worst];

/** Puts the figures into the values of DAY_COLUMNS. */
export function putDay({ medianPct, worstPct }: CostFigures, values: Float64Array): void {
  values.set(medianPct);
  values.set(worstPct, COSTS);
}

/** The median or the worst twentieth of 24 hours, in percent, for an order of so many USD; NaN where it is unknown. */
export function dayCostCell(table: Table, figure: DayFigure, sizeUsd: number, isBuy: boolean): NumberCell {
  const columns = COLUMNS[figure].map((name) => table.numbers(name));
  const costsPct = new Float64Array(COSTS);
  // The stored sizes on both sides of it.
  const next = (isBuy ? 0 : COSTS / 2) + COST_SIZES_USD.findIndex((size) => size >= sizeUsd);
  const [from, to] = [columns[next - 1], columns[next]];
  return (row) => {
    costsPct[next - 1] = from?.[row] ?? Number.NaN;
    costsPct[next] = to?.[row] ?? Number.NaN;
    return roundedCost(costPctAt(costsPct, sizeUsd, isBuy));
  };
}

/** Costs are stored in steps of 2 %. */
export function roundedCost(pct: number): number {
  return Number(pct.toPrecision(3));
}
