import type { KnownText } from '../../base/known-text.ts';
import { AnswerCache } from '../rest/answer-cache.ts';

interface KeptResult {
  tail: Buffer;
  bytes: number;
  /** What it was made from; see Operation.freshness. */
  freshness: number;
}

const CACHE_BYTES = 64 * 1024 * 1024;
const REMEMBERED_QUESTIONS = 20_000;

/**
 * Finished results by question. One is kept when it is asked for a second time: assistants ask most things once, and
 * keeping all of these would cost more, in memory to be cleared, than making them did.
 */
export class ResultCache {
  readonly #kept = new AnswerCache<KeptResult>(CACHE_BYTES);
  #asked = new Map<string, number>();

  get(question: string, freshness: number): Buffer | undefined {
    const known = this.#kept.get(question);
    return known?.freshness === freshness ? known.tail : undefined;
  }

  /** Kept bytes from the second time on; before, the text as it came. */
  offer(question: string, freshness: number, made: KnownText): Buffer | KnownText {
    if (this.#asked.get(question) !== freshness) {
      if (this.#asked.size >= REMEMBERED_QUESTIONS) this.#asked = new Map();
      this.#asked.set(question, freshness);
      return made;
    }
    const tail = Buffer.from(made.text);
    this.#kept.set(question, { tail, bytes: tail.length, freshness });
    return tail;
  }
}
