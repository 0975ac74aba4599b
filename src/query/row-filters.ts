import { perSnapshot } from '../base/per-snapshot.ts';
import { ChangedTable } from '../market/tables/changed-table.ts';
import type { Table } from '../market/tables/table.ts';
import { type NumberIndex, numberIndex, type Range } from './number-index.ts';
import { clearRow, dropAll, hasRow, keepOnly, type RowBits, setRow, wordsFor } from './row-bits.ts';
import { textIndex } from './text-index.ts';

/** A predicate for one row, or a filter that removes all failing rows from a set, which is much faster. */
export type RowFilter = ((row: number) => boolean) | SetFilter;

interface SetFilter {
  keep(bits: RowBits): void;
  /** Set if it keeps exactly the rows with a number in one range, for `rangeStart`. */
  readonly range?: ColumnRange;
}

interface ColumnRange extends Range {
  readonly column: string;
  /** The range is that of the magnitude. */
  readonly isAbsolute: boolean;
}

/** Rows whose text is in the list. */
export function textIn(table: Table, column: string, wanted: readonly string[]): SetFilter {
  return { keep: (bits) => keepOnly(bits, withText(table, [column], wanted, bits)) };
}

export function textNotIn(table: Table, column: string, unwanted: readonly string[]): SetFilter {
  return { keep: (bits) => dropAll(bits, withText(table, [column], unwanted, bits)) };
}

/** Rows with a listed text in at least one of the columns (`any`) or in each of them (`all`). */
export function textInColumns(
  table: Table,
  columns: readonly string[],
  wanted: readonly string[],
  match: 'any' | 'all',
): SetFilter {
  if (match === 'any') return { keep: (bits) => keepOnly(bits, withText(table, columns, wanted, bits)) };
  return {
    keep: (bits) => {
      for (const column of columns) keepOnly(bits, withText(table, [column], wanted, bits));
    },
  };
}

/** Inclusive bounds; an undefined bound is open. A null (NaN) is in no range, so a bound drops it. */
export function between(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): SetFilter {
  const range = rangeOf(min, max);
  const { keep } = inRanges(table, column, [range]);
  return { keep, range: { column, isAbsolute: false, low: range.low, high: range.high } };
}

/** Like `between`, for the magnitude of the number. */
export function absoluteBetween(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): SetFilter {
  const { low, high } = rangeOf(min, max);
  const below = { low: -high, high: -low };
  const { keep } = inRanges(table, column, low <= 0 ? [{ low: -high, high }] : [below, { low, high }]);
  return { keep, range: { column, isAbsolute: true, low, high } };
}

export function numberIn(table: Table, column: string, wanted: readonly number[]): SetFilter {
  return inRanges(
    table,
    column,
    wanted.map((value) => ({ low: value, high: value })),
  );
}

export function flagIs(table: Table, column: string, wanted: boolean): SetFilter {
  const value = wanted ? 1 : 0;
  if (table instanceof ChangedTable && table.changesColumn(column))
    return between(table, column, value, value);
  const base = table instanceof ChangedTable ? table.base : table;
  return { keep: (bits) => keepOnly(bits, flagRows(base.numbers(column))[value]) };
}

/** The rows with 0 and those with 1, which are found faster than an index is sorted. */
const flagRows = perSnapshot((flags: Float64Array): readonly [RowBits, RowBits] => {
  const rows = [new Uint32Array(wordsFor(flags.length)), new Uint32Array(wordsFor(flags.length))] as const;
  for (let row = 0; row < flags.length; row++) {
    const flag = flags[row];
    if (flag === 0 || flag === 1) setRow(rows[flag], row);
  }
  return rows;
});

function rangeOf(min: number | undefined, max: number | undefined): Range {
  return { low: min ?? Number.NEGATIVE_INFINITY, high: max ?? Number.POSITIVE_INFINITY };
}

function inRanges(table: Table, column: string, ranges: readonly Range[]): SetFilter {
  if (table instanceof ChangedTable && table.changesColumn(column))
    return changedInRanges(table, column, ranges);
  const base = table instanceof ChangedTable ? table.base : table;
  return { keep: (bits) => indexOf(base, column).keep(ranges, bits) };
}

function indexOf(table: Table, column: string): NumberIndex {
  return numberIndex(table.numbers(column));
}

/** Uses the index of the base and then looks at each changed row: an index of the changed column would serve one request. */
function changedInRanges(table: ChangedTable, column: string, ranges: readonly Range[]): SetFilter {
  const cell = table.cell(column);
  const isInside = (row: number) => {
    const value = cell(row);
    return ranges.some(({ low, high }) => value >= low && value <= high);
  };
  if (table.changesEveryRow)
    return {
      keep: (bits) => {
        for (let row = 0; row < table.rowCount; row++)
          if (hasRow(bits, row) && !isInside(row)) clearRow(bits, row);
      },
    };
  return {
    keep: (bits) => {
      const inside = table.changedRows.filter((row) => hasRow(bits, row) && isInside(row));
      indexOf(table.base, column).keep(ranges, bits);
      for (const row of table.changedRows) clearRow(bits, row);
      for (const row of inside) setRow(bits, row);
    },
  };
}

/** The rows that have one of the texts in one of the columns. The caller must not change the set. */
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
  const found = new Uint32Array(words);
  for (const column of columns) textIndex(table, column).add(names, found);
  return found;
}
