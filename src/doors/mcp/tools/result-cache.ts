import { AnswerCache } from '../../http/answers/answer-cache.ts';
import { AskedBefore } from '../../http/answers/asked-before.ts';
import type { Tail } from './tail.ts';

interface KeptResult {
  tail: Tail;
  bytes: number;
  /** What it was made from; see Operation.freshness. */
  freshness: number;
}

const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Finished results by question. One is kept when it is asked for a second time: assistants ask most things once, and
 * keeping all of these would cost more, in memory to be cleared, than making them did.
 */
export class ResultCache {
  readonly #kept = new AnswerCache<KeptResult>(CACHE_BYTES);
  readonly #asked = new AskedBefore();

  get(question: string, freshness: number): Tail | undefined {
    const known = this.#kept.get(question);
    return known?.freshness === freshness ? known.tail : undefined;
  }

  /** From the second time on it is kept; before, it is given back as it came. */
  offer(question: string, freshness: number, made: Tail): Tail {
    if (!this.#asked.note(question, freshness)) return made;
    const tail = made.kept();
    this.#kept.set(question, { tail, bytes: tail.byteLength, freshness });
    return tail;
  }
}
