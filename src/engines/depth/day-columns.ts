import { COSTS } from '../../history/depth/cost-codec.ts';
import type { CostFigures } from '../../history/depth/figures.ts';
import type { Table } from '../../market/tables/table.ts';

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

/** Reads the values of DAY_COLUMNS. */
export function dayReader(table: Table): (row: number) => number[] {
  const columns = DAY_COLUMNS.map((name) => table.numbers(name));
  return (row) => columns.map((column) => column[row] as number);
}

/** With three digits: costs are stored in steps of 2 %. */
export function roundedCost(pct: number): number {
  if (pct === 0) return 0;
  const scale = 10 ** (2 - Math.floor(Math.log10(pct)));
  return Math.round(pct * scale) / scale;
}
