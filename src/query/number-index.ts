import { emptyScratch, hasRow, keepOnly, type RowBits, setRow, wordsFor } from './row-bits.ts';

/** Inclusive bounds of a number. */
export interface Range {
  low: number;
  high: number;
}

const BUCKETS = 64;
const SAMPLED_ROWS = 2_048;

/**
 * The rows of a number column in buckets of neighbouring values, each with about as many rows, and for each bucket the
 * set of all rows before it. A range is then the difference of two sets, and at most two buckets that must be looked
 * into. Made on first use, for a table's lifetime; coarse, because sorting the column would cost ten times as much.
 */
export class NumberIndex {
  readonly #edges: Float64Array;
  /** Row numbers, bucket after bucket; nulls are in none. */
  readonly #rows: Uint32Array;
  /** The values of these rows: in their order, so that looking into a bucket reads memory from front to back. */
  readonly #values: Float64Array;
  readonly #starts: Uint32Array;
  /** Smallest and largest value in each bucket. */
  readonly #lows: Float64Array;
  readonly #highs: Float64Array;
  /** The rows before each bucket, set after set, and at the end the rows of all. */
  readonly #before: Uint32Array;
  readonly #words: number;

  constructor(data: Float64Array) {
    this.#words = wordsFor(data.length);
    const edges = edgesOf(data);
    this.#edges = edges;
    this.#lows = new Float64Array(edges.length).fill(Number.POSITIVE_INFINITY);
    this.#highs = new Float64Array(edges.length).fill(Number.NEGATIVE_INFINITY);
    const bucketOf = new Uint8Array(data.length);
    const starts = new Uint32Array(edges.length + 1);
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
    this.#starts = starts;
    const next = starts.slice();
    this.#rows = new Uint32Array(starts[edges.length] as number);
    this.#values = new Float64Array(this.#rows.length);
    for (let row = 0; row < data.length; row++) {
      const value = data[row] as number;
      if (Number.isNaN(value)) continue;
      const bucket = bucketOf[row] as number;
      const place = next[bucket] as number;
      this.#rows[place] = row;
      this.#values[place] = value;
      next[bucket] = place + 1;
    }
    this.#before = new Uint32Array((edges.length + 1) * this.#words);
    for (let bucket = 0; bucket < edges.length; bucket++) {
      const from = bucket * this.#words;
      this.#before.copyWithin(from + this.#words, from, from + this.#words);
      const after = this.#before.subarray(from + this.#words, from + 2 * this.#words);
      for (let i = starts[bucket] as number; i < (starts[bucket + 1] as number); i++)
        setRow(after, this.#rows[i] as number);
    }
  }

  /** Drops every row from the set that is in none of the ranges. */
  keep(ranges: readonly Range[], bits: RowBits): void {
    const [only] = ranges;
    if (ranges.length === 1 && only) {
      this.#keepOnly(only, bits);
      return;
    }
    const inside = emptyScratch(this.#words);
    for (const range of ranges) {
      const { from, to, cutCount } = this.#look(range, bits);
      const [fromAt, toAt] = [from * this.#words, to * this.#words];
      const before = this.#before;
      for (let i = 0; i < inside.length; i++)
        inside[i] = (inside[i] as number) | ((before[toAt + i] as number) & ~(before[fromAt + i] as number));
      for (let i = 0; i < cutCount; i++) setRow(inside, cutRows[i] as number);
    }
    keepOnly(bits, inside);
  }

  /** The same for one range, in one pass over the set. */
  #keepOnly(range: Range, bits: RowBits): void {
    const { from, to, cutCount } = this.#look(range, bits);
    const [fromAt, toAt] = [from * this.#words, to * this.#words];
    const before = this.#before;
    for (let i = 0; i < bits.length; i++)
      bits[i] = (bits[i] as number) & (before[toAt + i] as number) & ~(before[fromAt + i] as number);
    for (let i = 0; i < cutCount; i++) setRow(bits, cutRows[i] as number);
  }

  /** The buckets that are whole in the range, and how many of the asked rows in those that it cuts are in it. */
  #look({ low, high }: Range, asked: RowBits): { from: number; to: number; cutCount: number } {
    if (!(low <= high)) return { from: 0, to: 0, cutCount: 0 };
    const first = bucketWith(this.#edges, low);
    const last = bucketWith(this.#edges, high);
    const from = this.#isWhole(first, low, high) ? first : first + 1;
    const to = this.#isWhole(last, low, high) ? last + 1 : last;
    if (cutRows.length < this.#rows.length) cutRows = new Uint32Array(this.#rows.length);
    let cutCount = 0;
    if (from > first) cutCount = this.#cut(first, low, high, asked, cutCount);
    if (to <= last && last !== first) cutCount = this.#cut(last, low, high, asked, cutCount);
    return { from: Math.min(from, to), to, cutCount };
  }

  #isWhole(bucket: number, low: number, high: number): boolean {
    return (this.#lows[bucket] as number) >= low && (this.#highs[bucket] as number) <= high;
  }

  #cut(bucket: number, low: number, high: number, asked: RowBits, count: number): number {
    const end = this.#starts[bucket + 1] as number;
    let found = count;
    for (let i = this.#starts[bucket] as number; i < end; i++) {
      const value = this.#values[i] as number;
      if (value < low || value > high) continue;
      const row = this.#rows[i] as number;
      if (hasRow(asked, row)) cutRows[found++] = row;
    }
    return found;
  }
}

/** Rows for a moment's work, at most all of a table. */
let cutRows = new Uint32Array(0);

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

const indexes = new WeakMap<Float64Array, NumberIndex>();

export function numberIndex(data: Float64Array): NumberIndex {
  let index = indexes.get(data);
  if (!index) {
    index = new NumberIndex(data);
    indexes.set(data, index);
  }
  return index;
}
