import { HOUR_MS } from '../../base/times.ts';
import { SIZES_USD } from '../../history/samples/model.ts';
import { type BookCurve, curveOf } from '../../market/depth/book-curve.ts';
import type { Depth } from '../../venues/observations.ts';

/** Older books are forgotten. */
export const BOOK_MAX_AGE_MS = HOUR_MS;
/** Twice the largest sampled order, whatever dollar currency the quote is. */
const SAMPLED_VALUE = 2 * (SIZES_USD.at(-1) as number);

/**
 * The newest book of a contract as its two readers need it: a curve, and the best levels for the samples. The other levels
 * are dropped, because whole books of all contracts take more than 100 MB. Streams send a contract several times a
 * second, so their curves are made when they are read.
 */
export class KnownBook {
  atMs: number;
  readonly isStreamed: boolean;
  readonly topLevels: Depth;
  #whole: Depth | null;
  #curve: BookCurve | null = null;

  constructor(depth: Depth, atMs: number, isStreamed: boolean) {
    this.atMs = atMs;
    this.isStreamed = isStreamed;
    this.topLevels = { ...depth, bids: best(depth.bids), asks: best(depth.asks) };
    this.#whole = depth;
    if (!isStreamed) void this.curve;
  }

  /** Null if the book has no mid. */
  get curve(): BookCurve | null {
    if (this.#whole) this.#curve = curveOf(this.#whole);
    this.#whole = null;
    return this.#curve;
  }
}

/** The levels that the largest sampled order can reach. */
function best(levels: Depth['bids']): Depth['bids'] {
  let value = 0;
  const end = levels.findIndex(([price, size]) => {
    value += price * size;
    return !(value < SAMPLED_VALUE);
  });
  return end < 0 ? levels : levels.slice(0, end + 1);
}
