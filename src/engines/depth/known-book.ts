import { HOUR_MS } from '../../base/times.ts';
import { SIZES_USD } from '../../history/samples/model.ts';
import { type BookCurve, curveOf, type DatedCurve } from '../../market/depth/book-curve.ts';
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
  /** Null where only the curve is known, which another process has stored. */
  readonly topLevels: Depth | null;
  /** How often that process fetched it. */
  readonly storedPeriodMs: number | null;
  #whole: Depth | null;
  #curve: BookCurve | null;

  private constructor(
    depth: Depth | null,
    stored: DatedCurve | null,
    { atMs, isStreamed }: { atMs: number; isStreamed: boolean },
  ) {
    this.atMs = atMs;
    this.isStreamed = isStreamed;
    this.topLevels = depth && { ...depth, bids: best(depth.bids), asks: best(depth.asks) };
    this.storedPeriodMs = stored?.periodMs ?? null;
    this.#whole = depth;
    this.#curve = stored?.curve ?? null;
    if (!isStreamed) void this.curve;
  }

  static received(depth: Depth, atMs: number, isStreamed: boolean): KnownBook {
    return new KnownBook(depth, null, { atMs, isStreamed });
  }

  static stored(stored: DatedCurve): KnownBook {
    return new KnownBook(null, stored, { atMs: stored.atMs, isStreamed: false });
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
