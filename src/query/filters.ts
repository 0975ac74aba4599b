import type { Table } from '../market/table.ts';
import { numberIndex, type Range } from './number-index.ts';
import { dropAll, emptyScratch, keepOnly, type RowBits } from './row-bits.ts';
import { textIndex } from './text-index.ts';

/** Says of one row whether to keep it, or drops from a set all that fail: much faster where there are many. */
export type RowFilter = ((row: number) => boolean) | SetFilter;

export interface SetFilter {
  keep(bits: RowBits): void;
}

/** Rows whose text is in the list. */
export function textIn(table: Table, column: string, wanted: readonly string[] | undefined): SetFilter[] {
  return wanted ? [{ keep: (bits) => keepOnly(bits, withText(table, [column], wanted, bits)) }] : [];
}

export function textNotIn(
  table: Table,
  column: string,
  unwanted: readonly string[] | undefined,
): SetFilter[] {
  return unwanted ? [{ keep: (bits) => dropAll(bits, withText(table, [column], unwanted, bits)) }] : [];
}

/** Either leg in the list, or both. */
export function pairIn(
  table: Table,
  columns: readonly [string, string],
  wanted: readonly string[] | undefined,
  match: 'any' | 'all' | undefined,
): SetFilter[] {
  if (match === 'all') return columns.flatMap((column) => textIn(table, column, wanted));
  return wanted ? [{ keep: (bits) => keepOnly(bits, withText(table, columns, wanted, bits)) }] : [];
}

/** Inclusive bounds. A null (NaN) is in no range, so a bound drops it. */
export function between(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): SetFilter[] {
  if (min === undefined && max === undefined) return [];
  return inRanges(table, column, [rangeOf(min, max)]);
}

export function absoluteBetween(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): SetFilter[] {
  if (min === undefined && max === undefined) return [];
  const { low, high } = rangeOf(min, max);
  if (low <= 0) return inRanges(table, column, [{ low: -high, high }]);
  return inRanges(table, column, [
    { low: -high, high: -low },
    { low, high },
  ]);
}

export function numberIn(table: Table, column: string, wanted: readonly number[] | undefined): SetFilter[] {
  if (!wanted) return [];
  return inRanges(
    table,
    column,
    wanted.map((value) => ({ low: value, high: value })),
  );
}

export function flagIs(table: Table, column: string, wanted: boolean | undefined): SetFilter[] {
  const value = wanted ? 1 : 0;
  return wanted === undefined ? [] : between(table, column, value, value);
}

function rangeOf(min: number | undefined, max: number | undefined): Range {
  return { low: min ?? Number.NEGATIVE_INFINITY, high: max ?? Number.POSITIVE_INFINITY };
}

function inRanges(table: Table, column: string, ranges: readonly Range[]): SetFilter[] {
  return [{ keep: (bits) => numberIndex(table.numbers(column)).keep(ranges, bits) }];
}

/** The rows that have one of the texts in one of the columns. */
function withText(
  table: Table,
  columns: readonly string[],
  names: readonly string[],
  { length: words }: RowBits,
): RowBits {
  const found = emptyScratch(words);
  for (const column of columns) textIndex(table, column).add(names, found);
  return found;
}
