/**
 * Decimal numbers as venues send them. Percents are computed by shifting the decimal point of the text, because
 * 0.0001 * 100 is 0.010000000000000002 in binary floating point.
 */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?$/;

/** The number written in a decimal string or JSON number; null for anything else, including "" and "NaN". */
export function decimalOrNull(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'string') return null;
  const short = shortDecimal(value, 0);
  if (!Number.isNaN(short)) return short;
  if (!DECIMAL.test(value)) return null;
  const number = Number(value);
  return Number.isFinite(number) ? number : null;
}

const [MINUS, POINT, ZERO, NINE] = [0x2d, 0x2e, 0x30, 0x39];
/** Integers of so many digits and these powers of ten are exact doubles, so their product or quotient is rounded only once. */
const SHORT_DIGITS = 15;
const POWERS_OF_TEN = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));

/**
 * The fast path for few digits without an exponent: the number times 10 to the power of `places`. NaN for any other text.
 * Several times faster than the pattern.
 */
function shortDecimal(text: string, places: number): number {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  if (text.length === start || text.length > start + SHORT_DIGITS) return Number.NaN;
  let [whole, digits, decimals] = [0, 0, -1];
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === POINT && decimals < 0) {
      decimals = text.length - 1 - i;
    } else if (code >= ZERO && code <= NINE) {
      whole = whole * 10 + (code - ZERO);
      digits++;
    } else return Number.NaN;
  }
  if (digits === 0) return Number.NaN;
  const shift = decimals < 0 ? -places : decimals - places;
  const power = POWERS_OF_TEN[shift < 0 ? -shift : shift];
  if (power === undefined) return Number.NaN;
  const number = shift > 0 ? whole / power : whole * power;
  return start === 1 ? -number : number;
}

/** The decimal times a power of ten, rounded once: shiftDecimal("0.0001", 2) is 0.01. */
export function shiftDecimal(value: unknown, places: number): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = typeof value === 'number' ? String(value) : value;
  const short = shortDecimal(text, places);
  if (!Number.isNaN(short)) return short === 0 ? 0 : short;
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

/** Computed percents are published with at most eight decimals, which hides rounding errors. */
const PERCENT_STEPS_PER_UNIT = 1e8;

/** A plain computation, because `toFixed` takes ten times as long and snapshots round tens of thousands of percents. */
export function roundPercent(percent: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round(percent * PERCENT_STEPS_PER_UNIT) / PERCENT_STEPS_PER_UNIT + 0;
}

/** A column of numbers. `Float64Array.from` with a function takes ten times as long. */
export function numberColumn(count: number, valueAt: (row: number) => number): Float64Array<ArrayBuffer> {
  const values = new Float64Array(count);
  for (let row = 0; row < count; row++) values[row] = valueAt(row);
  return values;
}

/** The median of a non-empty list; the mean of the two middle values if their number is even. */
export function median(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  if (sorted.length % 2 === 1) return upper;
  return ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
