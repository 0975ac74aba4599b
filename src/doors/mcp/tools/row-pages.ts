import type { Table } from '../../../market/table.ts';
import type { Answer } from '../../../operations/operation.ts';
import { Tail } from './tail.ts';

type Rows = NonNullable<Answer['rows']>;

/** What stands before, between and after the two lists of the same rows, the first of them within a text. */
export interface AroundRows {
  before: string;
  between: string;
  after: string;
  isAscii: boolean;
}

/** Room for 100 rows of the widest table, twice. Longer pages are rarer, shorter ones are as fast as texts. */
const BUFFER_BYTES = 256 * 1024;
const LEAST_LENT_BYTES = 16 * 1024;
const MAX_FREE = 24;
const COMMA = 0x2c;

const free: Buffer[] = [];

/** Rows as they stand inside a JSON string, by table: quoting them for every answer would cost more than all else. */
const known = new WeakMap<Table, string[]>();

/** JSON text as the inside of a JSON string. */
export function quoted(json: string): string {
  return JSON.stringify(json).slice(1, -1);
}

/** A page of ready-made rows. */
export function rowsTail({ table, numbers }: Rows, around: AroundRows): Tail {
  const { before, between, after } = around;
  const quotedRows = quotedRowsOf(table);
  const plain: string[] = [];
  const inText: string[] = [];
  let length = before.length + between.length + after.length;
  for (let i = 0; i < numbers.length; i++) {
    const row = numbers[i] as number;
    const json = table.rowJson(row);
    let quotedRow = quotedRows[row];
    if (quotedRow === undefined) {
      quotedRow = inOnePiece(quoted(json));
      quotedRows[row] = quotedRow;
    }
    plain.push(json);
    inText.push(quotedRow);
    length += quotedRow.length + json.length + 2;
  }
  const isAscii = around.isAscii && table.isAscii(numbers);
  if (isAscii && length >= LEAST_LENT_BYTES && length <= BUFFER_BYTES) return lentTail(around, inText, plain);
  const text = before + inText.join(',') + between + plain.join(',') + after;
  return Tail.of({ text, isAscii });
}

/**
 * Most pages are asked for once: a buffer that others use after it saves making a text of the whole, which is copied
 * twice and must be cleared away.
 */
function lentTail(
  { before, between, after }: AroundRows,
  inText: readonly string[],
  plain: readonly string[],
): Tail {
  const buffer = free.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let at = buffer.write(before, 'latin1');
  at = writeRows(buffer, at, inText);
  at += buffer.write(between, at, 'latin1');
  at = writeRows(buffer, at, plain);
  at += buffer.write(after, at, 'latin1');
  const giveBack = () => {
    if (free.length < MAX_FREE) free.push(buffer);
  };
  return new Tail(buffer.subarray(0, at), at, { giveBack });
}

function writeRows(buffer: Buffer, start: number, rows: readonly string[]): number {
  let at = start;
  for (let i = 0; i < rows.length; i++) {
    if (i > 0) buffer[at++] = COMMA;
    at += buffer.write(rows[i] as string, at, 'latin1');
  }
  return at;
}

/** What was cut out of a text stays a view of it, which is slower to copy, and it is copied for every answer. */
function inOnePiece(text: string): string {
  return Buffer.from(text).toString();
}

function quotedRowsOf(table: Table): string[] {
  let rows = known.get(table);
  if (!rows) {
    rows = new Array<string>(table.rowCount);
    known.set(table, rows);
  }
  return rows;
}
