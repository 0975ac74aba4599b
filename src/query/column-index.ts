import type { Table, TextData } from '../market/table.ts';

/** Inclusive bounds of a number. */
export interface Range {
  low: number;
  high: number;
}

const BUCKETS = 128;
const SAMPLED_ROWS = 2_048;

/**
 * The rows of a number column in buckets of neighbouring values, each with about as many rows. A range is then a few
 * whole buckets and two that must be looked into. Made on first use, for a table's lifetime;
 * coarse, because sorting the column would cost ten times as much.
 */
export class NumberIndex {
  readonly #data: Float64Array;
  /** Row numbers, bucket after bucket, then the nulls. */
  readonly #rows: Uint32Array;
  readonly #starts: Uint32Array;
  /** Smallest and largest value in each bucket. */
  readonly #lows: Float64Array;
  readonly #highs: Float64Array;

  constructor(data: Float64Array) {
    this.#data = data;
    const edges = edgesOf(data);
    const bucketOf = new Uint8Array(data.length);
    const starts = new Uint32Array(edges.length + 1);
    this.#lows = new Float64Array(edges.length).fill(Number.POSITIVE_INFINITY);
    this.#highs = new Float64Array(edges.length).fill(Number.NEGATIVE_INFINITY);
    for (let row = 0; row < data.length; row++) {
      const value = data[row] as number;
      if (Number.isNaN(value)) continue;
      const bucket = bucketWith(edges, value);
      bucketOf[row] = bucket;
      starts[bucket + 1] = (starts[bucket + 1] as number) + 1;
      this.#lows[bucket] = Math.min(this.#lows[bucket] as number, value);
      this.#highs[bucket] = Math.max(this.#highs[bucket] as number, value);
    }
    for (let b = 0; b < edges.length; b++) starts[b + 1] = (starts[b + 1] as number) + (starts[b] as number);
    const next = starts.slice();
    let nextNull = starts[edges.length] as number;
    this.#rows = new Uint32Array(data.length);
    for (let row = 0; row < data.length; row++) {
      if (Number.isNaN(data[row])) {
        this.#rows[nextNull++] = row;
        continue;
      }
      const bucket = bucketOf[row] as number;
      const place = next[bucket] as number;
      this.#rows[place] = row;
      next[bucket] = place + 1;
    }
    this.#starts = starts;
  }

  /** How many rows at most are in one of the ranges, and how many at most in none; near the truth. */
  estimate(ranges: readonly Range[]): { inside: number; outside: number } {
    let [inside, outside] = [0, this.#rows.length - (this.#starts[this.#lows.length] as number)];
    for (let bucket = 0; bucket < this.#lows.length; bucket++) {
      const count = (this.#starts[bucket + 1] as number) - (this.#starts[bucket] as number);
      const place = this.#placeOf(bucket, ranges);
      if (place !== 'outside') inside += count;
      if (place !== 'inside') outside += count;
    }
    return { inside, outside };
  }

  /** Writes the rows that are in one of the ranges; says how many. */
  collect(ranges: readonly Range[], into: Uint32Array): number {
    let count = 0;
    for (let bucket = 0; bucket < this.#lows.length; bucket++) {
      const place = this.#placeOf(bucket, ranges);
      if (place === 'outside') continue;
      const rows = this.#rowsIn(bucket);
      if (place === 'inside') {
        into.set(rows, count);
        count += rows.length;
      } else {
        for (let i = 0; i < rows.length; i++)
          if (isInside(this.#data[rows[i] as number] as number, ranges)) into[count++] = rows[i] as number;
      }
    }
    return count;
  }

  /** Takes the mark off every row that is in none of the ranges; says how many had one. */
  unmark(ranges: readonly Range[], marks: Uint8Array): number {
    let unmarked = 0;
    for (let bucket = 0; bucket <= this.#lows.length; bucket++) {
      const place = bucket < this.#lows.length ? this.#placeOf(bucket, ranges) : 'outside';
      if (place === 'inside') continue;
      const rows = this.#rowsIn(bucket);
      for (let i = 0; i < rows.length; i++) {
        const row = rows[i] as number;
        if (place === 'both' && isInside(this.#data[row] as number, ranges)) continue;
        unmarked += marks[row] as number;
        marks[row] = 0;
      }
    }
    return unmarked;
  }

  /** The bucket after the last has the nulls. */
  #rowsIn(bucket: number): Uint32Array {
    return this.#rows.subarray(this.#starts[bucket], this.#starts[bucket + 1]);
  }

  #placeOf(bucket: number, ranges: readonly Range[]): 'inside' | 'outside' | 'both' {
    const lowest = this.#lows[bucket] as number;
    const highest = this.#highs[bucket] as number;
    let place: 'outside' | 'both' = 'outside';
    for (const { low, high } of ranges) {
      if (lowest >= low && highest <= high) return 'inside';
      if (highest >= low && lowest <= high) place = 'both';
    }
    return place;
  }
}

export function isInside(value: number, ranges: readonly Range[]): boolean {
  for (const { low, high } of ranges) if (value >= low && value <= high) return true;
  return false;
}

/** Lower edges of the buckets, ascending and distinct, from a sample of the values; the first is below everything. */
function edgesOf(data: Float64Array): Float64Array {
  const step = Math.max(1, Math.floor(data.length / SAMPLED_ROWS));
  const sample: number[] = [];
  for (let row = 0; row < data.length; row += step) {
    const value = data[row] as number;
    if (!Number.isNaN(value)) sample.push(value);
  }
  const sorted = Float64Array.from(sample).sort();
  const edges = [Number.NEGATIVE_INFINITY];
  for (let b = 0; b < BUCKETS; b++) {
    const edge = sorted[Math.floor((b * sorted.length) / BUCKETS)];
    if (edge !== undefined && edge > (edges.at(-1) ?? 0)) edges.push(edge);
  }
  return Float64Array.from(edges);
}

/** The last bucket whose lower edge is not above the value. */
function bucketWith(edges: Float64Array, value: number): number {
  let low = 0;
  let high = edges.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((edges[middle] as number) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The rows of a text column by their text. */
export class TextIndex {
  readonly #codeOf = new Map<string, number>();
  readonly #rows: Uint32Array;
  readonly #starts: Uint32Array;

  constructor({ codes, values }: TextData) {
    // Code 0 is null, which no name means.
    for (let code = 1; code < values.length; code++) this.#codeOf.set(values[code] ?? '', code);
    const starts = new Uint32Array(values.length + 1);
    for (let row = 0; row < codes.length; row++) {
      const after = (codes[row] as number) + 1;
      starts[after] = (starts[after] as number) + 1;
    }
    for (let code = 0; code < values.length; code++)
      starts[code + 1] = (starts[code + 1] as number) + (starts[code] as number);
    const next = starts.slice();
    this.#rows = new Uint32Array(codes.length);
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row] as number;
      const place = next[code] as number;
      this.#rows[place] = row;
      next[code] = place + 1;
    }
    this.#starts = starts;
  }

  /** The codes of those names that occur, each once. */
  codesOf(names: readonly string[]): number[] {
    const codes = new Set<number>();
    for (const name of names) {
      const code = this.#codeOf.get(name);
      if (code !== undefined) codes.add(code);
    }
    return [...codes];
  }

  rowsWith(code: number): Uint32Array {
    return this.#rows.subarray(this.#starts[code], this.#starts[code + 1]);
  }
}

const numberIndexes = new WeakMap<Float64Array, NumberIndex>();
const textIndexes = new WeakMap<Uint32Array, TextIndex>();

export function numberIndex(data: Float64Array): NumberIndex {
  let index = numberIndexes.get(data);
  if (!index) {
    index = new NumberIndex(data);
    numberIndexes.set(data, index);
  }
  return index;
}

export function textIndex(table: Table, column: string): TextIndex {
  const data = table.texts(column);
  let index = textIndexes.get(data.codes);
  if (!index) {
    index = new TextIndex(data);
    textIndexes.set(data.codes, index);
  }
  return index;
}
