import type { Table } from '../market/table.ts';

/** One named sort: a column and a direction. Nulls come last in both directions. */
export interface Sort {
  column: string;
  direction: 'asc' | 'desc';
  /** Compare by magnitude. */
  isAbsolute?: boolean;
}

export type Sorts = Readonly<Record<string, Sort>>;

/** Ties are broken by these columns, so that every order is total and pages never overlap. */
export function orderOf(table: Table, name: string, sort: Sort, tieColumns: readonly string[]): Uint32Array {
  return table.permutation(name, comparator(table, sort, tieColumns));
}

function comparator(
  table: Table,
  sort: Sort,
  tieColumns: readonly string[],
): (a: number, b: number) => number {
  const keys = keysOf(table, sort);
  const ties = tieColumns.map((column) => ranks(table, column));
  return (a, b) => {
    const x = keys[a] ?? Number.NaN;
    const y = keys[b] ?? Number.NaN;
    if (x !== y) {
      // NaN (null) differs from everything, itself included.
      if (Number.isNaN(x)) {
        if (!Number.isNaN(y)) return 1;
      } else if (Number.isNaN(y)) return -1;
      else return x < y ? -1 : 1;
    }
    for (const rank of ties) {
      const difference = (rank[a] ?? 0) - (rank[b] ?? 0);
      if (difference !== 0) return difference;
    }
    return a - b;
  };
}

/** The sort as numbers to be ordered ascending. */
function keysOf(table: Table, sort: Sort): Float64Array {
  const column = table.spec.columns.find((candidate) => candidate.name === sort.column);
  if (!column) throw new Error(`table ${table.spec.name} has no column ${sort.column}`);
  const values =
    column.type === 'text' ? Float64Array.from(ranks(table, sort.column)) : table.numbers(sort.column);
  const sign = sort.direction === 'desc' ? -1 : 1;
  return values.map((value) => sign * (sort.isAbsolute ? Math.abs(value) : value));
}

/** For each row the place of its text among the sorted texts: comparing places is cheaper than comparing texts. */
function ranks(table: Table, name: string): Uint32Array {
  const { codes, values } = table.texts(name);
  const order = values
    .map((_, code) => code)
    .sort((a, b) => ((values[a] ?? '') < (values[b] ?? '') ? -1 : 1));
  const rankOfCode = new Uint32Array(values.length);
  for (const [rank, code] of order.entries()) rankOfCode[code] = rank;
  return codes.map((code) => rankOfCode[code] ?? 0);
}
