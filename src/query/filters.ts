import type { Table } from '../market/table.ts';
import { numberIndex, type Range } from './number-index.ts';
import { dropAll, emptyScratch, keepOnly, type RowBits } from './row-bits.ts';
import { textIndex } from './text-index.ts';

/** Says of one row whether to keep it, or drops from a set all that fail: much faster where there are many. */
export type RowFilter = ((row: number) => boolean) | SetFilter;

/** Null where nothing was asked for. */
export type MaybeFilter = RowFilter | null;

export interface SetFilter {
  keep(bits: RowBits): void;
}

/** Rows whose text is in the list. */
export function textIn(
  table: Table,
  column: string,
  wanted: readonly string[] | undefined,
): SetFilter | null {
  return wanted ? { keep: (bits) => keepOnly(bits, withText(table, [column], wanted, bits)) } : null;
}

export function textNotIn(
  table: Table,
  column: string,
  unwanted: readonly string[] | undefined,
): SetFilter | null {
  return unwanted ? { keep: (bits) => dropAll(bits, withText(table, [column], unwanted, bits)) } : null;
}

/** Either leg in the list, or both. */
export function pairIn(
  table: Table,
  columns: readonly [string, string],
  wanted: readonly string[] | undefined,
  match: 'any' | 'all' | undefined,
): SetFilter | null {
  if (!wanted) return null;
  if (match !== 'all') return { keep: (bits) => keepOnly(bits, withText(table, columns, wanted, bits)) };
  return {
    keep: (bits) => {
      for (const column of columns) keepOnly(bits, withText(table, [column], wanted, bits));
    },
  };
}

/** Inclusive bounds. A null (NaN) is in no range, so a bound drops it. */
export function between(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): SetFilter | null {
  if (min === undefined && max === undefined) return null;
  return inRanges(table, column, [rangeOf(min, max)]);
}

export function absoluteBetween(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): SetFilter | null {
  if (min === undefined && max === undefined) return null;
  const { low, high } = rangeOf(min, max);
  if (low <= 0) return inRanges(table, column, [{ low: -high, high }]);
  return inRanges(table, column, [
    { low: -high, high: -low },
    { low, high },
  ]);
}

export function numberIn(
  table: Table,
  column: string,
  wanted: readonly number[] | undefined,
): SetFilter | null {
  if (!wanted) return null;
  return inRanges(
    table,
    column,
    wanted.map((value) => ({ low: value, high: value })),
  );
}

export function flagIs(table: Table, column: string, wanted: boolean | undefined): SetFilter | null {
  const value = wanted ? 1 : 0;
  return wanted === undefined ? null : between(table, column, value, value);
}

function rangeOf(min: number | undefined, max: number | undefined): Range {
  return { low: min ?? Number.NEGATIVE_INFINITY, high: max ?? Number.POSITIVE_INFINITY };
}

function inRanges(table: Table, column: string, ranges: readonly Range[]): SetFilter {
  return { keep: (bits) => numberIndex(table.numbers(column)).keep(ranges, bits) };
}

/** The rows that have one of the texts in one of the columns; not to be changed. */
function withText(
  table: Table,
  columns: readonly string[],
  names: readonly string[],
  { length: words }: RowBits,
): RowBits {
  const ready =
    columns.length === 1 && names.length === 1
      ? textIndex(table, columns[0] as string).ready(names[0] as string)
      : null;
  if (ready) return ready;
  const found = emptyScratch(words);
  for (const column of columns) textIndex(table, column).add(names, found);
  return found;
}
