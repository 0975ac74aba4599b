import { isoTime } from '../../base/times.ts';
import type { Column, Table } from '../../market/tables/table.ts';
import { type FlatRows, flatObjects } from './flat-rows.ts';
import type { Meta } from './meta.ts';

/** Fields of `data` by name; every value can be written as JSON. */
export type Fields = object;

/** Rows of one snapshot, by their numbers in its table. */
export interface AnswerRows {
  table: Table;
  numbers: readonly number[];
  /** The columns that the parameter `fields` keeps; null for whole rows. */
  columns: readonly Column[] | null;
}

/** `data` is the list of rows itself. */
interface ListAnswer {
  fields: null;
  rows: AnswerRows;
  meta: Meta;
  flat?: undefined;
}

/** `data` is an object, with table rows as its last field if it has any. */
export interface ObjectAnswer<F extends Fields = Fields> {
  fields: F;
  rows: (AnswerRows & { field: string }) | null;
  meta: Meta;
  /** Fields and rows depend on nothing but the snapshot of `meta.as_of`, the plan and the parameters, as in a list. */
  isOfSnapshot?: boolean;
  /** The JSON of `fields`, if it is so long that it was written in parts; then there are no rows. */
  json?: string;
  /** The rows of an answer that has none in a table, for formats that cannot nest. */
  flat?: (() => FlatRows) | undefined;
}

/** The result of an operation. Doors read it as objects or write it as JSON with the functions below. */
export type Answer<F extends Fields = Fields> = ListAnswer | ObjectAnswer<F>;

export type Row = Readonly<Record<string, unknown>>;

/** A row as the object that its JSON describes. */
export function rowObject({ table, columns }: AnswerRows, row: number): Row {
  const read: Record<string, unknown> = {};
  for (const { name, type } of columns ?? table.spec.columns) {
    if (type === 'text' || type === 'texts') {
      const { codeOf, textOf } = table.textCell(name);
      const code = codeOf(row);
      // Tables keep a list of texts as its JSON.
      read[name] = code === 0 ? null : type === 'text' ? textOf(code) : JSON.parse(textOf(code));
      continue;
    }
    const value = table.cell(name)(row);
    if (type === 'flag') read[name] = value === 1;
    else if (Number.isNaN(value)) read[name] = null;
    else read[name] = type === 'time' ? isoTime(value) : value;
  }
  return read;
}

export function rowObjects(rows: AnswerRows): Row[] {
  return rows.numbers.map((row) => rowObject(rows, row));
}

/** A row's JSON. For whole rows the table makes it once and returns the same string every time. */
export function rowText({ table, columns }: AnswerRows, row: number): string {
  return columns === null ? table.rowJson(row) : table.fieldsJson(row, columns);
}

/** `data` as the object or list that its JSON describes. */
export function dataOf({ fields, rows }: Answer): unknown {
  if (fields === null) return rowObjects(rows);
  return rows === null ? fields : { ...fields, [rows.field]: rowObjects(rows) };
}

/** The answer as rows of cells, without what is not part of its rows: `meta`, and fields of `data` beside the rows. */
export function flatRowsOf({ rows, flat }: Answer): FlatRows {
  if (flat) return flat();
  if (rows === null) throw new Error('an answer without rows needs a function `flat`');
  return flatObjects(rows.columns ?? rows.table.spec.columns, rowObjects(rows));
}

/** The JSON of an answer around its rows. Without rows `head` and `tail` follow each other directly. */
interface AnswerJson {
  head: string;
  rows: AnswerRows | null;
  tail: string;
}

/** The JSON of the envelope `{ data, meta }`. Every door writes answers from these parts. */
export function answerJson(answer: Answer): AnswerJson {
  const { fields, rows, meta } = answer;
  const end = `,"meta":${JSON.stringify(meta)}}`;
  if (fields === null) return { head: '{"data":[', rows, tail: `]${end}` };
  if (answer.json !== undefined) return { head: `{"data":${answer.json}`, rows: null, tail: end };
  const written = Object.entries(fields).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  if (rows === null) return { head: `{"data":{${written.join(',')}}`, rows, tail: end };
  return {
    head: `{"data":{${[...written, `${JSON.stringify(rows.field)}:[`].join(',')}`,
    rows,
    tail: `]}${end}`,
  };
}

/** A text and how many bytes it has as UTF-8. */
export interface SizedText {
  text: string;
  bytes: number;
}

/** The whole envelope. Node writes a concatenated text to a socket without joining its parts in memory first. */
export function answerText(answer: Answer): SizedText {
  const { head, rows, tail } = answerJson(answer);
  let text = head;
  let bytes = Buffer.byteLength(head) + Buffer.byteLength(tail);
  if (rows) {
    const { table, columns, numbers } = rows;
    numbers.forEach((row, place) => {
      const json = rowText(rows, row);
      text += place === 0 ? json : `,${json}`;
      bytes += columns === null ? table.rowBytes(row) : Buffer.byteLength(json);
    });
    bytes += Math.max(0, numbers.length - 1);
  }
  return { text: text + tail, bytes };
}
