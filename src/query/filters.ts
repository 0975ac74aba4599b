import type { Table } from '../market/table.ts';

/** Keeps or drops a row by its number. */
export type RowFilter = (row: number) => boolean;

/** Rows whose text is in the list. */
export function textIn(table: Table, column: string, wanted: readonly string[] | undefined): RowFilter[] {
  if (!wanted) return [];
  const { codes, mask } = codesOf(table, column, wanted);
  return [(row) => mask[codes[row] ?? 0] === 1];
}

export function textNotIn(
  table: Table,
  column: string,
  unwanted: readonly string[] | undefined,
): RowFilter[] {
  if (!unwanted) return [];
  const { codes, mask } = codesOf(table, column, unwanted);
  return [(row) => mask[codes[row] ?? 0] === 0];
}

/** Either leg in the list, or both. */
export function pairIn(
  table: Table,
  columns: readonly [string, string],
  wanted: readonly string[] | undefined,
  match: 'any' | 'all' | undefined,
): RowFilter[] {
  if (!wanted) return [];
  const a = codesOf(table, columns[0], wanted);
  const b = codesOf(table, columns[1], wanted);
  const inA = (row: number) => a.mask[a.codes[row] ?? 0] === 1;
  const inB = (row: number) => b.mask[b.codes[row] ?? 0] === 1;
  return [match === 'all' ? (row) => inA(row) && inB(row) : (row) => inA(row) || inB(row)];
}

/** Inclusive bounds. A null (NaN) fails every comparison, so a bound drops it. */
export function between(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): RowFilter[] {
  const data = table.numbers(column);
  const filters: RowFilter[] = [];
  if (min !== undefined) filters.push((row) => (data[row] as number) >= min);
  if (max !== undefined) filters.push((row) => (data[row] as number) <= max);
  return filters;
}

export function absoluteBetween(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): RowFilter[] {
  const data = table.numbers(column);
  const filters: RowFilter[] = [];
  if (min !== undefined) filters.push((row) => Math.abs(data[row] as number) >= min);
  if (max !== undefined) filters.push((row) => Math.abs(data[row] as number) <= max);
  return filters;
}

export function numberIn(table: Table, column: string, wanted: readonly number[] | undefined): RowFilter[] {
  if (!wanted) return [];
  const data = table.numbers(column);
  const set = new Set(wanted);
  return [(row) => set.has(data[row] as number)];
}

export function flagIs(table: Table, column: string, wanted: boolean | undefined): RowFilter[] {
  if (wanted === undefined) return [];
  const data = table.numbers(column);
  const value = wanted ? 1 : 0;
  return [(row) => data[row] === value];
}

function codesOf(
  table: Table,
  column: string,
  wanted: readonly string[],
): { codes: Uint32Array; mask: Uint8Array } {
  const { codes, values } = table.texts(column);
  const set = new Set(wanted);
  const mask = new Uint8Array(values.length);
  for (let code = 1; code < values.length; code++) if (set.has(values[code] ?? '')) mask[code] = 1;
  return { codes, mask };
}

export interface Page {
  rows: number[];
  /** Where the next page starts in the order; null when this was the last. */
  next: number | null;
  /** How many rows match in all; null when the walk stopped before the end. */
  total: number | null;
}

/** Walks the order from a position, keeps what passes all filters, and stops one match after the page is full. */
export function walk(
  order: Uint32Array,
  filters: readonly RowFilter[],
  position: number,
  limit: number,
): Page {
  const rows: number[] = [];
  for (let i = position; i < order.length; i++) {
    const row = order[i] as number;
    let passes = true;
    for (const filter of filters) {
      if (!filter(row)) {
        passes = false;
        break;
      }
    }
    if (!passes) continue;
    if (rows.length === limit) return { rows, next: i, total: filters.length === 0 ? order.length : null };
    rows.push(row);
  }
  const isWhole = position === 0 || filters.length === 0;
  return { rows, next: null, total: isWhole ? (filters.length === 0 ? order.length : rows.length) : null };
}
