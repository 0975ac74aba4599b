import { numberColumn } from '../base/numbers.ts';
import type { Table } from '../market/tables/table.ts';
import { orderBy } from './radix-order.ts';

/** One named sort: a column and a direction. Nulls come last in both directions. */
export interface Sort {
  column: string;
  direction: 'asc' | 'desc';
  /** Compare by magnitude. */
  isAbsolute?: boolean;
  /** Compare by the smaller of the column and this one. */
  orSmaller?: string;
  /** Orders rows that are equal, and nulls, before the tie-breakers do. No view of the table may change its column. */
  thenBy?: Sort;
  /** Keep the table's own row order; `column` is not compared. */
  isTableOrder?: boolean;
}

export type Sorts = Readonly<Record<string, Sort>>;

/** Tie-breakers are these columns, then the row number, so that every order is total and pages never overlap. */
export function orderOf(table: Table, name: string, sort: Sort, tieColumns: readonly string[]): Uint32Array {
  return table.permutation(name, () => orderBy(keysOf(table, sort), equalsOrder(table, sort, tieColumns)));
}

/** The order of rows that a sort finds equal. */
export function equalsOrder(table: Table, { thenBy }: Sort, tieColumns: readonly string[]): Uint32Array {
  if (!thenBy) return tieOrder(table, tieColumns);
  return orderOf(table, `then ${thenBy.column} ${thenBy.direction}`, thenBy, tieColumns);
}

/** All rows in tie-breaking order; shared by all sorts of a table. */
function tieOrder(table: Table, columns: readonly string[]): Uint32Array {
  return table.permutation(`ties ${columns.join()}`, () => {
    let rows = new Uint32Array(table.rowCount);
    for (let row = 0; row < rows.length; row++) rows[row] = row;
    // From the last column to the first: each pass keeps the order of equal ones.
    for (const column of columns.toReversed())
      rows = byRank(rows, ranks(table, column), table.texts(column).values.length);
    return rows;
  });
}

/** Rows by rank, by counting: comparing 70,000 rows takes 40 ms, counting them 10. */
function byRank(rows: Uint32Array, rankOf: Uint32Array, maxRank: number): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(maxRank + 2);
  for (let row = 0; row < rankOf.length; row++) {
    const after = (rankOf[row] as number) + 1;
    starts[after] = (starts[after] as number) + 1;
  }
  for (let rank = 1; rank < starts.length; rank++)
    starts[rank] = (starts[rank] as number) + (starts[rank - 1] as number);
  const sorted = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number;
    const rank = rankOf[row] as number;
    const place = starts[rank] as number;
    sorted[place] = row;
    starts[rank] = place + 1;
  }
  return sorted;
}

/** One number per row; ascending order of these numbers is the sort. */
export function keysOf(table: Table, sort: Sort): Float64Array {
  if (sort.isTableOrder) return numberColumn(table.rowCount, (row) => row);
  const { type } = table.spec.columns.find(({ name }) => name === sort.column) ?? {};
  const values = type === 'text' ? textKeys(table, sort.column) : table.numbers(sort.column);
  const sign = sort.direction === 'desc' ? -1 : 1;
  if (sort.orSmaller !== undefined) {
    const others = table.numbers(sort.orSmaller);
    return numberColumn(
      values.length,
      (row) => sign * Math.min(values[row] as number, others[row] ?? Number.NaN),
    );
  }
  if (sort.isAbsolute) return numberColumn(values.length, (row) => sign * Math.abs(values[row] as number));
  return numberColumn(values.length, (row) => sign * (values[row] as number));
}

/** The rank of each row's text; null is NaN, as in number columns. */
function textKeys(table: Table, name: string): Float64Array {
  const { codes } = table.texts(name);
  const rankOf = ranks(table, name);
  return numberColumn(codes.length, (row) => (codes[row] === 0 ? Number.NaN : (rankOf[row] as number)));
}

/** For each row the rank of its text among the sorted texts. Comparing ranks is cheaper than comparing texts. */
function ranks(table: Table, name: string): Uint32Array {
  const { codes, values } = table.texts(name);
  const order = values
    .map((_, code) => code)
    .slice(1)
    .sort((a, b) => ((values[a] ?? '') < (values[b] ?? '') ? -1 : 1));
  const rankOfCode = new Uint32Array(values.length);
  for (const [rank, code] of order.entries()) rankOfCode[code] = rank;
  // Code 0 is null, which sorts last.
  rankOfCode[0] = values.length;
  return codes.map((code) => rankOfCode[code] ?? 0);
}
