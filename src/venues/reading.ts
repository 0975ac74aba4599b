import { decimalOrNull } from '../base/numbers.ts';
import { isPlausibleMs, SECOND_MS } from '../base/times.ts';
import type { Batch } from './observations.ts';

/** A whole reply that cannot be what we asked for: an error body, a page, another shape. */
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

/** A non-empty text, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A decimal above zero, or null: for prices, sizes and contract sizes, where 0 says nothing. */
export function positiveOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number !== null && number > 0 ? number : null;
}

/** A decimal of zero or more, or null: for volumes, where 0 is a value. */
export function amountOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number !== null && number >= 0 ? number : null;
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

/** An ISO 8601 time as epoch milliseconds. */
export function isoMsOf(value: unknown): number | null {
  const text = textOf(value);
  return text === null ? null : epochMsOf(Date.parse(text));
}

/**
 * Reads the rows of a bulk reply one by one. A row's reader returns null when it took the row, `ignore: ...` for a
 * row that is not for us, or the reason why the row is bad; a bad row never costs the others.
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

/** Marks a row as not for us: `return ignore('dated future')`. */
export function ignore(why: string): string {
  return `${IGNORE}${why}`;
}

/** A symbol that no contract list has: a dated future, or a listing newer than our list (then the list is re-read). */
export const NOT_LISTED = ignore('not in the contract list');

/** Whether a reason, as the batch counts it, is that of NOT_LISTED. */
export function isNotListed(reason: string): boolean {
  return NOT_LISTED.endsWith(reason);
}
