import type { Table } from '../../../market/tables/table.ts';
import { type AnswerRows, type Row, rowObject } from '../../../operations/answer/answer.ts';
import { flat, type Html } from '../markup/html.ts';

/** Pages show the first rows again and again; a reader of all pages must not fill the memory. */
export const MOST_KEPT_ROWS = 2000;
const keptRows = new WeakMap<Table, Map<number, Row>>();

/** The row as an object, the same one for as long as its snapshot is used, so that its HTML can be kept with it. */
export function keptRow(rows: AnswerRows, number: number): Row {
  if (rows.columns !== null) return rowObject(rows, number);
  let known = keptRows.get(rows.table);
  if (!known) {
    known = new Map();
    keptRows.set(rows.table, known);
  }
  let row = known.get(number);
  if (!row) {
    row = rowObject(rows, number);
    if (known.size < MOST_KEPT_ROWS) known.set(number, row);
  }
  return row;
}

/** HTML that depends on nothing but the row: the same under every filter and order. */
export type KeptHtml = WeakMap<Row, Html>;

export function keptHtml(kept: KeptHtml, row: Row, make: () => Html): Html {
  let made = kept.get(row);
  if (!made) {
    made = flat(make());
    kept.set(row, made);
  }
  return made;
}
