import type { ByteReader, ByteWriter } from './bytes.ts';

/**
 * A column of numbers, of which only the changes are stored. The numbers are whole multiples of a power of ten where that
 * is exact, as what venues publish and what we round is, else 64-bit floats. So a column reads back as it was written.
 */
const [SMALLEST_EXPONENT, LARGEST_EXPONENT] = [-18, 9];
/** In the place of the exponent. */
const RAW_FLOATS = 255;
const POWERS = Array.from({ length: 19 }, (_, power) => Number(`1e${power}`));
/** Twice the difference of two such numbers is still exact. */
const MOST_UNITS = 2 ** 50;

/** The number in units of 10^exponent; NaN if it is no whole number of them. */
function unitsOf(value: number, exponent: number): number {
  const power = POWERS[Math.abs(exponent)] as number;
  const units = exponent < 0 ? Math.round(value * power) : value / power;
  return Number.isInteger(units) && Math.abs(units) <= MOST_UNITS && numberOf(units, exponent) === value
    ? units
    : Number.NaN;
}

function numberOf(units: number, exponent: number): number {
  const power = POWERS[Math.abs(exponent)] as number;
  return exponent < 0 ? units / power : units * power;
}

/** The largest power of ten of which all are whole multiples; null if there is none. */
function exponentOf(values: readonly number[]): number | null {
  let exponent = LARGEST_EXPONENT;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    while (Number.isNaN(unitsOf(value, exponent))) if (--exponent < SMALLEST_EXPONENT) return null;
  }
  return values.every((value) => Number.isNaN(value) || !Number.isNaN(unitsOf(value, exponent)))
    ? exponent
    : null;
}

/** NaN is unknown. The reader must know how many numbers there are. */
export function writeColumn(writer: ByteWriter, column: readonly number[]): void {
  const places: number[] = [];
  for (let i = 0; i < column.length; i++) if (i === 0 || !Object.is(column[i], column[i - 1])) places.push(i);
  // A column that changes most of the time is stored whole: it needs no distances, and is read faster.
  const isWhole = 2 * places.length > column.length;
  const values = isWhole ? column : places.map((place) => column[place] as number);
  const exponent = exponentOf(values);
  writer.byte(exponent === null ? RAW_FLOATS : exponent - SMALLEST_EXPONENT);
  writer.varint(values.length);
  if (!isWhole) for (const [i, place] of places.entries()) writer.varint(place - (places[i - 1] ?? 0));
  if (exponent === null) for (const value of values) writer.float(value);
  else writer.planes(codesOf(values, exponent));
}

/** Differences from the number before; small ones have small codes, and 0 is unknown. */
function codesOf(values: readonly number[], exponent: number): number[] {
  let before = 0;
  return values.map((value) => {
    if (Number.isNaN(value)) return 0;
    const change = unitsOf(value, exponent) - before;
    before += change;
    return 1 + (change < 0 ? -2 * change - 1 : 2 * change);
  });
}

/** Where the numbers of a column go: to places that follow each other, or number i to `list[i]`, if that is not negative. */
export interface Places {
  count: number;
  first: number;
  list: Int32Array | null;
}

export function readColumn(reader: ByteReader, { count, first, list }: Places, into: Float64Array): void {
  const code = reader.byte();
  const changes = reader.varint();
  // A column that changes every time is decoded where it belongs.
  if (changes === count && list === null) {
    readValues(reader, code, changes, into, first);
    return;
  }
  const starts = startsOf(reader, changes, count);
  const values = new Float64Array(changes);
  readValues(reader, code, changes, values, 0);
  for (let i = 0; i < changes; i++) {
    const value = values[i] as number;
    const [start, end] = [starts[i] as number, starts[i + 1] as number];
    if (list === null) into.fill(value, first + start, first + end);
    else
      for (let at = start; at < end; at++) {
        const place = list[at] as number;
        if (place >= 0) into[place] = value;
      }
  }
}

/** Where each value starts, and the end of the last one. */
function startsOf(reader: ByteReader, changes: number, count: number): Int32Array {
  const starts = new Int32Array(changes + 1);
  for (let i = 0, at = 0; i < changes; i++) {
    at = changes === count ? i : at + reader.varint();
    starts[i] = at;
  }
  starts[changes] = count;
  return starts;
}

function readValues(
  reader: ByteReader,
  code: number,
  count: number,
  into: Float64Array,
  first: number,
): void {
  if (code === RAW_FLOATS) {
    for (let i = 0; i < count; i++) into[first + i] = reader.float();
    return;
  }
  const { bytes } = reader;
  const { start, width } = reader.planes(count);
  const exponent = code + SMALLEST_EXPONENT;
  const power = POWERS[Math.abs(exponent)] as number;
  // Up to three bytes are a small integer, which most columns have and which is decoded several times as fast.
  let units = 0;
  for (let i = 0; i < count; i++) {
    let low = width > 0 ? (bytes[start + i] as number) : 0;
    if (width > 1) low |= (bytes[start + count + i] as number) << 8;
    if (width > 2) low |= (bytes[start + 2 * count + i] as number) << 16;
    let high = 0;
    for (let plane = width - 1; plane > 2; plane--)
      high = high * 256 + (bytes[start + plane * count + i] as number);
    const place = first + i;
    if (low === 0 && high === 0) into[place] = Number.NaN;
    else {
      // The lowest bit of a code less one is the sign, so that of the code is its opposite.
      const half = high * 2 ** 23 + ((low - 1) >> 1);
      units += low & 1 ? half : -half - 1;
      into[place] = exponent < 0 ? units / power : units * power;
    }
  }
}
