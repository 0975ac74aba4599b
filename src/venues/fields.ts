import { decimalOrNull } from '../base/numbers.ts';
import { isPlausibleMs, SECOND_MS } from '../base/times.ts';

/** Readers of one field of a reply, which arrives as `unknown`. Each returns null for anything that is no such value. */

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

/** An interval that is given in seconds. */
export function hoursFromSeconds(value: unknown): number | null {
  const seconds = positiveOf(value);
  return seconds === null ? null : seconds / 3600;
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

/** Epoch microseconds as milliseconds. */
export function epochMicrosecondsOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number === null ? null : epochMsOf(number / MICROSECONDS_PER_MS);
}

/** Epoch nanoseconds as milliseconds. A double cannot hold nanoseconds exactly, but milliseconds survive. */
export function epochNanosecondsOf(value: unknown): number | null {
  const number = decimalOrNull(value);
  return number === null ? null : epochMsOf(number / NANOSECONDS_PER_MS);
}

const MICROSECONDS_PER_MS = 1e3;
const NANOSECONDS_PER_MS = 1e6;

/** An ISO 8601 time as epoch milliseconds. */
export function isoMsOf(value: unknown): number | null {
  const text = textOf(value);
  return text === null ? null : epochMsOf(Date.parse(text));
}
