import { textHash } from '../../../base/text-hash.ts';

const PLACES = 2 ** 15;
/** Odd, so that no two marks become one; lets questions that differ in high bits alone fall on different places. */
const SPREAD = 0x9e3779b1;

/**
 * Remembers which questions were asked lately, in a fixed amount of memory however long they are. Two that fall on the
 * same place forget each other; then an answer is kept one request later, which is no harm.
 */
export class AskedBefore {
  readonly #marks = new Uint32Array(PLACES);

  /** Whether the question came before while the data was the same; from now on it has. */
  note(question: string, freshness: number): boolean {
    return this.noteHash(textHash(question), freshness);
  }

  /** The same for a caller that has the question's hash already. */
  noteHash(hash: number, freshness: number): boolean {
    const mark = Math.imul(hash ^ freshness, SPREAD) >>> 0 || 1;
    const place = ((mark ^ (mark >>> 16)) >>> 0) % PLACES;
    const isAgain = this.#marks[place] === mark;
    this.#marks[place] = mark;
    return isAgain;
  }
}
