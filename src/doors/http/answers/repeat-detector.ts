import { textHash } from '../../../base/text-hash.ts';

const SLOTS = 2 ** 15;
/** An odd multiplier (2^32 / golden ratio): a bijection, and it spreads queries that differ only in high bits. */
const SPREAD = 0x9e3779b1;

/**
 * Detects queries that come again, in a fixed amount of memory. Two queries in the same slot evict each other; then an
 * answer is cached one request later, which does no harm.
 */
export class RepeatDetector {
  readonly #marks = new Uint32Array(SLOTS);

  /** Whether the query was noted before with the same freshness; notes it either way. */
  note(query: string, freshness: number): boolean {
    return this.noteHash(textHash(query), freshness);
  }

  /** Like `note`, for a caller that has the query's hash already. */
  noteHash(hash: number, freshness: number): boolean {
    const mark = Math.imul(hash ^ freshness, SPREAD) >>> 0 || 1;
    const slot = ((mark ^ (mark >>> 16)) >>> 0) % SLOTS;
    const isRepeat = this.#marks[slot] === mark;
    this.#marks[slot] = mark;
    return isRepeat;
  }
}
