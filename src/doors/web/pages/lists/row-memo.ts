import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../../../base/per-snapshot.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { type AnswerRows, type Row, rowObject } from '../../../../operations/answer/answer.ts';
import type { Html } from '../../markup/html.ts';

/** Pages show the first rows again and again; a reader of all pages must not fill the memory. */
const MOST_ROWS = 2000;

const rowsOf = perSnapshot((_table: Table) => new LRUCache<number, Row>({ max: MOST_ROWS }));

/** The row as an object, the same one while its snapshot is in use, so that its HTML can be remembered with it. */
export function tableRow(rows: AnswerRows, number: number): Row {
  // A selection of columns is another row.
  if (rows.columns !== null) return rowObject(rows, number);
  const known = rowsOf(rows.table);
  let row = known.get(number);
  if (!row) {
    row = rowObject(rows, number);
    known.set(number, row);
  }
  return row;
}

const markupOf = perSnapshot((_row: Row) => new Map<string, Html>());

/** The HTML of a row. `variant` names all that it depends on besides the row, and has few values: each is remembered. */
export function rowMarkup(row: Row, variant: string, make: () => Html): Html {
  return markupOf(row).getOrInsertComputed(variant, make);
}
