import type { Table } from '../market/table.ts';
import { isInside, numberIndex, type Range, textIndex } from './column-index.ts';

/** Keeps or drops a row by its number. A plain function will do where few rows are; the filters made here are fast. */
export interface RowFilter {
  (row: number): boolean;
  fast?: FastFilter;
}

/** How a filter treats many rows at once. */
export interface FastFilter {
  /** Not fewer rows than pass, and not many more. */
  atMost: number;
  /** The same for those that fail. */
  failAtMost: number;
  /** Writes all rows that pass, in any order; says how many. */
  collect(into: Uint32Array): number;
  /** Writes those of the first `count` rows that pass to the front of `into`, which may be `rows` itself. */
  narrow(rows: Uint32Array, count: number, into: Uint32Array): number;
  /** Takes the mark off every row that fails; says how many had one. */
  unmark(marks: Uint8Array): number;
}

/** Rows whose text is in the list. */
export function textIn(table: Table, column: string, wanted: readonly string[] | undefined): RowFilter[] {
  return wanted ? [Object.assign(...textFilter(table, column, wanted, true))] : [];
}

export function textNotIn(
  table: Table,
  column: string,
  unwanted: readonly string[] | undefined,
): RowFilter[] {
  return unwanted ? [Object.assign(...textFilter(table, column, unwanted, false))] : [];
}

/** Either leg in the list, or both. */
export function pairIn(
  table: Table,
  columns: readonly [string, string],
  wanted: readonly string[] | undefined,
  match: 'any' | 'all' | undefined,
): RowFilter[] {
  if (!wanted) return [];
  const [a, b] = columns;
  if (match === 'all') return [...textIn(table, a, wanted), ...textIn(table, b, wanted)];
  const [inA, { fast: first }] = textFilter(table, a, wanted, true);
  const [inB, { fast: second }] = textFilter(table, b, wanted, true);
  const test = (row: number) => inA(row) || inB(row);
  const narrow: FastFilter['narrow'] = (rows, count, into) => narrowOneByOne(test, rows, count, into);
  const fast: FastFilter = {
    atMost: Math.min(first.atMost + second.atMost, table.rowCount),
    // Not known without looking, so never worth listing.
    failAtMost: table.rowCount,
    collect: (into) => {
      const count = first.collect(into);
      const others = new Uint32Array(second.atMost + 1);
      const otherCount = narrowOneByOne((row) => !inA(row), others, second.collect(others), others);
      into.set(others.subarray(0, otherCount), count);
      return count + otherCount;
    },
    narrow,
    unmark: (marks) => unmarkOneByOne(test, marks, table.rowCount),
  };
  return [Object.assign(test, { fast })];
}

/** Inclusive bounds. A null (NaN) fails every comparison, so a bound drops it. */
export function between(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): RowFilter[] {
  if (min === undefined && max === undefined) return [];
  return [inRanges(table.numbers(column), [rangeOf(min, max)])];
}

export function absoluteBetween(
  table: Table,
  column: string,
  min: number | undefined,
  max: number | undefined,
): RowFilter[] {
  if (min === undefined && max === undefined) return [];
  const { low, high } = rangeOf(min, max);
  const ranges =
    low <= 0
      ? [{ low: -high, high }]
      : [
          { low: -high, high: -low },
          { low, high },
        ];
  return [inRanges(table.numbers(column), ranges)];
}

export function numberIn(table: Table, column: string, wanted: readonly number[] | undefined): RowFilter[] {
  if (!wanted) return [];
  const ranges = [...new Set(wanted)].map((value) => ({ low: value, high: value }));
  return [inRanges(table.numbers(column), ranges)];
}

export function flagIs(table: Table, column: string, wanted: boolean | undefined): RowFilter[] {
  const value = wanted ? 1 : 0;
  return wanted === undefined ? [] : between(table, column, value, value);
}

function rangeOf(min: number | undefined, max: number | undefined): Range {
  return { low: min ?? Number.NEGATIVE_INFINITY, high: max ?? Number.POSITIVE_INFINITY };
}

/** Rows whose number is in one of the ranges, of which no two overlap. */
function inRanges(data: Float64Array, ranges: readonly Range[]): RowFilter {
  const index = numberIndex(data);
  const [only, ...others] = ranges;
  const test = (row: number) => isInside(data[row] as number, ranges);
  const { inside, outside } = index.estimate(ranges);
  const fast: FastFilter = {
    atMost: inside,
    failAtMost: outside,
    collect: (into) => index.collect(ranges, into),
    narrow: (rows, count, into) =>
      only && others.length === 0
        ? narrowToRange(data, only, rows, count, into)
        : narrowOneByOne(test, rows, count, into),
    unmark: (marks) => index.unmark(ranges, marks),
  };
  return Object.assign(test, { fast });
}

function narrowToRange(
  data: Float64Array,
  { low, high }: Range,
  rows: Uint32Array,
  count: number,
  into: Uint32Array,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const value = data[row] as number;
    if (value >= low && value <= high) into[kept++] = row;
  }
  return kept;
}

export function narrowOneByOne(
  test: (row: number) => boolean,
  rows: Uint32Array,
  count: number,
  into: Uint32Array,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    if (test(row)) into[kept++] = row;
  }
  return kept;
}

function unmarkOneByOne(test: (row: number) => boolean, marks: Uint8Array, rowCount: number): number {
  let unmarked = 0;
  for (let row = 0; row < rowCount; row++) {
    if (marks[row] === 0 || test(row)) continue;
    marks[row] = 0;
    unmarked++;
  }
  return unmarked;
}

/** Rows whose text is named, or those whose is not. */
function textFilter(
  table: Table,
  column: string,
  names: readonly string[],
  isNamedKept: boolean,
): [(row: number) => boolean, { fast: FastFilter }] {
  const { codes, values } = table.texts(column);
  const index = textIndex(table, column);
  const named = index.codesOf(names);
  const namedCount = named.reduce((sum, code) => sum + index.rowsWith(code).length, 0);
  /** For each code whether its rows are kept: one look-up per row instead of comparing names. */
  const isKept = new Uint8Array(values.length).fill(isNamedKept ? 0 : 1);
  for (const code of named) isKept[code] = isNamedKept ? 1 : 0;
  const test = (row: number) => isKept[codes[row] as number] === 1;
  const fast: FastFilter = {
    atMost: isNamedKept ? namedCount : table.rowCount - namedCount,
    failAtMost: isNamedKept ? table.rowCount - namedCount : namedCount,
    collect: (into) => {
      let count = 0;
      for (let code = 0; code < isKept.length; code++) {
        if (isKept[code] === 0) continue;
        const rows = index.rowsWith(code);
        into.set(rows, count);
        count += rows.length;
      }
      return count;
    },
    narrow: (rows, count, into) => narrowByCode(codes, isKept, rows, count, into),
    unmark: (marks) => {
      let unmarked = 0;
      for (let code = 0; code < isKept.length; code++) {
        if (isKept[code] === 1) continue;
        for (const row of index.rowsWith(code)) {
          unmarked += marks[row] as number;
          marks[row] = 0;
        }
      }
      return unmarked;
    },
  };
  return [test, { fast }];
}

function narrowByCode(
  codes: Uint32Array,
  isKept: Uint8Array,
  rows: Uint32Array,
  count: number,
  into: Uint32Array,
): number {
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    into[kept] = row;
    kept += isKept[codes[row] as number] as number;
  }
  return kept;
}
