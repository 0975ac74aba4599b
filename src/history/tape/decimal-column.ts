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
export function writeColumn(writer: ByteWriter, column: ArrayLike<number>): void {
  const places: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < column.length; i++) {
    const value = column[i] as number;
    const last = values.at(-1);
    if (last !== undefined && (value === last || (Number.isNaN(value) && Number.isNaN(last)))) continue;
    places.push(i);
    values.push(value);
  }
  const exponent = exponentOf(values);
  writer.byte(exponent === null ? RAW_FLOATS : exponent - SMALLEST_EXPONENT);
  writer.varint(values.length);
  // A column that changes every time needs no distances.
  if (values.length < column.length)
    for (const [i, place] of places.entries()) writer.varint(place - (places[i - 1] ?? 0));
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

/** Writes number i to the place `places[i]` of `into`; negative places are left out. */
export function readColumn(reader: ByteReader, places: Int32Array, into: Float64Array): void {
  const code = reader.byte();
  const changes = reader.varint();
  const starts = startsOf(reader, changes, places.length);
  const values = code === RAW_FLOATS ? floats(reader, changes) : reader.planes(changes);
  if (code !== RAW_FLOATS) decode(values, code + SMALLEST_EXPONENT);
  for (let i = 0; i < changes; i++) {
    const value = values[i] as number;
    const end = starts[i + 1] as number;
    for (let at = starts[i] as number; at < end; at++) {
      const place = places[at] as number;
      if (place >= 0) into[place] = value;
    }
  }
}

/** Where each value starts, and the end of the last one. */
function startsOf(reader: ByteReader, changes: number, count: number): Int32Array {
  const starts = new Int32Array(changes + 1);
  if (changes === count) for (let i = 0; i < changes; i++) starts[i] = i;
  else
    for (let i = 0, at = 0; i < changes; i++) {
      at += reader.varint();
      starts[i] = at;
    }
  starts[changes] = count;
  return starts;
}

function floats(reader: ByteReader, count: number): Float64Array {
  return new Float64Array(count).map(() => reader.float());
}

/** Turns codes into the numbers. */
function decode(codes: Float64Array, exponent: number): void {
  const power = POWERS[Math.abs(exponent)] as number;
  let units = 0;
  for (let i = 0; i < codes.length; i++) {
    const change = (codes[i] as number) - 1;
    if (change < 0) codes[i] = Number.NaN;
    else {
      const half = Math.floor(change / 2);
      units += 2 * half === change ? half : -half - 1;
      codes[i] = exponent < 0 ? units / power : units * power;
    }
  }
}
