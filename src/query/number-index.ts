import { emptyScratch, hasRow, keepOnly, type RowBits, setRow, wordsFor } from './row-bits.ts';

/** Inclusive bounds of a number. */
export interface Range {
  low: number;
  high: number;
}

const BUCKETS = 128;
const SAMPLED_ROWS = 2_048;

/**
 * The rows of a number column in buckets of neighbouring values, each with about as many rows, and for each bucket the
 * set of all rows before it. A range is then the difference of two sets, and at most two buckets that must be looked
 * into. Made on first use, for a table's lifetime; coarse, because sorting the column would cost ten times as much.
 */
export class NumberIndex {
  readonly #data: Float64Array;
  readonly #edges: Float64Array;
  /** Row numbers, bucket after bucket; nulls are in none. */
  readonly #rows: Uint32Array;
  readonly #starts: Uint32Array;
  /** Smallest and largest value in each bucket. */
  readonly #lows: Float64Array;
  readonly #highs: Float64Array;
  /** The rows before each bucket, set after set, and at the end the rows of all. */
  readonly #before: Uint32Array;
  readonly #words: number;

  constructor(data: Float64Array) {
    this.#data = data;
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
    for (let row = 0; row < data.length; row++) {
      if (Number.isNaN(data[row])) continue;
      const bucket = bucketOf[row] as number;
      const place = next[bucket] as number;
      this.#rows[place] = row;
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
    const inside = emptyScratch(this.#words);
    for (const range of ranges) this.#add(range, bits, inside);
    keepOnly(bits, inside);
  }

  /** Adds the range's rows; of buckets that it cuts only those that are asked for. */
  #add({ low, high }: Range, asked: RowBits, inside: RowBits): void {
    if (!(low <= high)) return;
    const first = bucketWith(this.#edges, low);
    const last = bucketWith(this.#edges, high);
    const from = this.#isWhole(first, low, high) ? first : first + 1;
    const to = this.#isWhole(last, low, high) ? last + 1 : last;
    if (from < to) {
      const [fromAt, toAt] = [from * this.#words, to * this.#words];
      const before = this.#before;
      for (let i = 0; i < inside.length; i++)
        inside[i] = (inside[i] as number) | ((before[toAt + i] as number) & ~(before[fromAt + i] as number));
    }
    if (from > first) this.#addCut(first, low, high, asked, inside);
    if (to <= last && last !== first) this.#addCut(last, low, high, asked, inside);
  }

  #isWhole(bucket: number, low: number, high: number): boolean {
    return (this.#lows[bucket] as number) >= low && (this.#highs[bucket] as number) <= high;
  }

  #addCut(bucket: number, low: number, high: number, asked: RowBits, inside: RowBits): void {
    const end = this.#starts[bucket + 1] as number;
    for (let i = this.#starts[bucket] as number; i < end; i++) {
      const row = this.#rows[i] as number;
      const value = this.#data[row] as number;
      if (value >= low && value <= high && hasRow(asked, row)) setRow(inside, row);
    }
  }
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

const indexes = new WeakMap<Float64Array, NumberIndex>();

export function numberIndex(data: Float64Array): NumberIndex {
  let index = indexes.get(data);
  if (!index) {
    index = new NumberIndex(data);
    indexes.set(data, index);
  }
  return index;
}
