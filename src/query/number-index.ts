import { perSnapshot } from '../base/per-snapshot.ts';
import { hasRow, keepOnly, type RowBits, setRow, wordsFor } from './row-bits.ts';

/** Inclusive bounds of a number. */
export interface Range {
  low: number;
  high: number;
}

const BUCKETS = 64;
const SAMPLED_ROWS = 2_048;

/**
 * Groups the rows of a number column into buckets of neighbouring values and about equal size, and stores for each bucket
 * the set of all rows in earlier buckets. A range is then the difference of two sets plus a scan of at most two buckets.
 * Built on first use and kept as long as the table. Buckets are coarse, because sorting the column costs ten times as much.
 */
export class NumberIndex {
  readonly #edges: Float64Array;
  /** Row numbers, grouped by bucket. Rows with a null are in no bucket. */
  readonly #rows: Uint32Array;
  /** The values of `#rows`, in the same order, so that scanning a bucket reads memory sequentially. */
  readonly #values: Float64Array;
  readonly #starts: Uint32Array;
  /** Smallest and largest value in each bucket. */
  readonly #lows: Float64Array;
  readonly #highs: Float64Array;
  /** For each bucket the set of all rows in earlier buckets; the last set has the rows of all buckets. */
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

  /** Removes every row whose value is in none of the ranges. */
  keep(ranges: readonly Range[], bits: RowBits): void {
    const [only] = ranges;
    if (ranges.length === 1 && only) {
      this.#keepOnly(only, bits);
      return;
    }
    const inside = new Uint32Array(this.#words);
    for (const range of ranges) {
      const { from, to, cut } = this.#look(range, bits);
      const [fromAt, toAt] = [from * this.#words, to * this.#words];
      const before = this.#before;
      for (let i = 0; i < this.#words; i++)
        inside[i] = (inside[i] as number) | ((before[toAt + i] as number) & ~(before[fromAt + i] as number));
      for (const row of cut) setRow(inside, row);
    }
    keepOnly(bits, inside);
  }

  /** `keep` for a single range, in one pass over the set. */
  #keepOnly(range: Range, bits: RowBits): void {
    const { from, to, cut } = this.#look(range, bits);
    const [fromAt, toAt] = [from * this.#words, to * this.#words];
    const before = this.#before;
    const words = bits.length;
    for (let i = 0; i < words; i++)
      bits[i] = (bits[i] as number) & (before[toAt + i] as number) & ~(before[fromAt + i] as number);
    for (const row of cut) setRow(bits, row);
  }

  /** Finds the buckets fully inside the range, and in `cut` the matching rows of the two edge buckets. */
  #look({ low, high }: Range, candidates: RowBits): { from: number; to: number; cut: number[] } {
    const cut: number[] = [];
    if (!(low <= high)) return { from: 0, to: 0, cut };
    const first = bucketWith(this.#edges, low);
    const last = bucketWith(this.#edges, high);
    const from = this.#isWhole(first, low, high) ? first : first + 1;
    const to = this.#isWhole(last, low, high) ? last + 1 : last;
    if (from > first) this.#cut(first, low, high, candidates, cut);
    if (to <= last && last !== first) this.#cut(last, low, high, candidates, cut);
    return { from: Math.min(from, to), to, cut };
  }

  #isWhole(bucket: number, low: number, high: number): boolean {
    return (this.#lows[bucket] as number) >= low && (this.#highs[bucket] as number) <= high;
  }

  #cut(bucket: number, low: number, high: number, candidates: RowBits, found: number[]): void {
    const [rows, values] = [this.#rows, this.#values];
    const end = this.#starts[bucket + 1] as number;
    for (let i = this.#starts[bucket] as number; i < end; i++) {
      const value = values[i] as number;
      if (value < low || value > high) continue;
      const row = rows[i] as number;
      if (hasRow(candidates, row)) found.push(row);
    }
  }
}

/** Lower edges of the buckets, ascending and distinct, taken from a sample of the values. The first is -Infinity. */
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

/** Binary search for the last bucket whose lower edge is not above the value. */
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

export const numberIndex = perSnapshot((data: Float64Array) => new NumberIndex(data));
