import { textHash } from '../../base/text-hash.ts';

const PLACES = 2 ** 15;

/**
 * Remembers which questions were asked lately, in a fixed amount of memory however long they are. Two that fall on the
 * same place forget each other; then an answer is kept one request later, which is no harm.
 */
export class AskedBefore {
  readonly #marks = new Uint32Array(PLACES);

  /** Whether the question came before while the data was the same; from now on it has. */
  note(question: string, freshness: number): boolean {
    const mark = textHash(question, freshness >>> 0) || 1;
    const place = mark % PLACES;
    const isAgain = this.#marks[place] === mark;
    this.#marks[place] = mark;
    return isAgain;
  }
}
