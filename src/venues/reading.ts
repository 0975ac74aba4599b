import { type Fields, fieldsOf, isObject } from '../base/parsing.ts';
import { textOf } from './fields.ts';
import type { Batch } from './observations.ts';

/** A whole reply that is not what we requested: an error body, an HTML page, another shape. */
export class BadReply extends Error {}

export type Row = Fields;
export const isRow = isObject;

export function rowOf(value: unknown, what: string): Row {
  if (!isRow(value)) throw new BadReply(`${what} is not an object`);
  return value;
}

/** For an object that a row may lack: its fields are then missing. */
export const optionalRow = fieldsOf;

export function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new BadReply(`${what} is not a list`);
  return value;
}

/** The reply of a venue that reports errors with HTTP status 200 and a code in the body. */
export function goodReply(
  payload: unknown,
  what: string,
  codeField: string,
  goodCode: string | number | boolean,
): Row {
  const reply = rowOf(payload, what);
  const code = String(reply[codeField]);
  if (code !== String(goodCode)) throw new BadReply(`${what} answered ${codeField} ${code}`);
  return reply;
}

/** The result of a reply that has an `error` object or a `result`, as JSON-RPC has. */
export function resultOf(payload: unknown, what: string): unknown {
  const reply = rowOf(payload, what);
  if (isRow(reply.error)) throw new BadReply(`${what} answered error ${String(reply.error.code)}`);
  return reply.result;
}

/** One field of each row by another, for replies that are joined: `columnOf(rows, 'symbol', 'openInterest')`. */
export function columnOf(
  rows: readonly unknown[],
  keyField: string,
  valueField: string,
): ReadonlyMap<unknown, unknown> {
  return new Map(rows.filter(isRow).map((row) => [row[keyField], row[valueField]]));
}

/**
 * Reads the rows of a bulk reply one by one. A row's reader returns null when it accepted the row, `ignore(...)` for a
 * row that is out of scope, or the reason why the row is bad. A bad row never costs the others.
 */
export function readRows(
  rows: readonly unknown[],
  batch: Batch,
  symbolField: string,
  read: (row: Row, venueSymbol: string) => string | null,
): void {
  for (const value of rows) {
    const symbol = isRow(value) ? textOf(value[symbolField]) : null;
    if (symbol === null || !isRow(value)) {
      batch.rejected.push({ venueSymbol: null, reason: `no ${symbolField}` });
      continue;
    }
    const reason = read(value, symbol);
    if (reason === null) continue;
    if (reason.startsWith(IGNORE)) {
      const why = reason.slice(IGNORE.length);
      batch.ignored.set(why, (batch.ignored.get(why) ?? 0) + 1);
    } else {
      batch.rejected.push({ venueSymbol: symbol, reason });
    }
  }
}

const IGNORE = 'ignore: ';

/** Marks a row as out of scope: `return ignore('dated future')`. */
export function ignore(why: string): string {
  return `${IGNORE}${why}`;
}

/** A symbol in no contract list: a dated future, or a listing newer than our list (then the list is read again). */
export const NOT_LISTED = ignore('not in the contract list');

/** Whether a reason counted in `Batch.ignored` is that of NOT_LISTED. */
export function isNotListed(reason: string): boolean {
  return NOT_LISTED.endsWith(reason);
}
