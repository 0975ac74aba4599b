import { decimalOrNull } from '../base/numbers.ts';
import { isPlausibleMs, SECOND_MS } from '../base/times.ts';
import type { Batch } from './observations.ts';

/** A whole reply that is not what we requested: an error body, an HTML page, another shape. */
export class BadReply extends Error {}

export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function rowOf(value: unknown, what: string): Row {
  if (!isRow(value)) throw new BadReply(`${what} is not an object`);
  return value;
}

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

/** A non-empty text, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** An identifier, which venues send as a text or as a number. */
export function idOf(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : textOf(value);
}

/** A decimal above zero, or null: for prices, sizes and contract sizes, where 0 means missing. */
export function positiveOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number !== null && number > 0 ? number : null;
}

/** A decimal of zero or more, or null: for volumes, where 0 is a value. */
export function amountOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number !== null && number >= 0 ? number : null;
}

/** An interval that is given in minutes. */
export function hoursFromMinutes(value: unknown): number | null {
  const minutes = positiveOf(value);
  return minutes === null ? null : minutes / 60;
}

/** Epoch milliseconds between 2015 and 2100, as number or text; null for "", 0, -1 and wrong units. */
export function epochMsOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number !== null && isPlausibleMs(number) ? Math.round(number) : null;
}

export function epochSecondsOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number === null ? null : epochMsOf(number * SECOND_MS);
}

/** Epoch nanoseconds as milliseconds. A double cannot hold nanoseconds exactly, but milliseconds survive. */
export function epochNanosecondsOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number === null ? null : epochMsOf(number / NANOSECONDS_PER_MS);
}

const NANOSECONDS_PER_MS = 1e6;

/** An ISO 8601 time as epoch milliseconds. */
export function isoMsOf(value: unknown): number | null {
  const text = textOf(value);
  return text === null ? null : epochMsOf(Date.parse(text));
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
