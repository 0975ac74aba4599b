/**
 * Decimal numbers as venues send them. A percent is made by shifting the decimal point of the text, because
 * multiplying 0.0001 by 100 in binary gives 0.010000000000000002.
 */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?$/;

/** The number written in a decimal string or JSON number; null for anything else, including "" and "NaN". */
export function decimalOrNull(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string' || !DECIMAL.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

/** The decimal moved by a power of ten, rounded once: shiftDecimal("0.0001", 2) is 0.01. */
export function shiftDecimal(value: unknown, places: number): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = typeof value === 'number' ? String(value) : value;
  const match = DECIMAL.exec(text);
  if (!match) return null;
  const exponent = match[1];
  const number =
    exponent === undefined
      ? Number(`${text}e${places}`)
      : Number(`${text.slice(0, text.search(/e/i))}e${Number(exponent) + places}`);
  if (!Number.isFinite(number)) return null;
  return number === 0 ? 0 : number;
}

/** A fraction as a percent: "0.0001" is 0.01. */
export function percentFromFraction(fraction: unknown): number | null {
  return shiftDecimal(fraction, 2);
}

/** Computed percents are published with at most this many decimals, so float noise never shows. */
const PERCENT_DECIMALS = 8;

export function roundPercent(percent: number): number {
  const rounded = Number(percent.toFixed(PERCENT_DECIMALS));
  return rounded === 0 ? 0 : rounded;
}

/** The middle value of a non-empty list; the mean of the two middle ones when their number is even. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
