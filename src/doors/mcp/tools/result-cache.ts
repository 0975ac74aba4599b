import { AnswerCache } from '../../http/answers/answer-cache.ts';
import { RepeatDetector } from '../../http/answers/repeat-detector.ts';
import type { CacheKey } from '../../http/connection-memory.ts';
import type { Tail } from './tail.ts';

interface CachedResult {
  tail: Tail;
  bytes: number;
  /** See Operation.freshness. */
  freshness: number;
}

const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Finished results. A result is cached when its call comes a second time: most calls come once, and caching all of them
 * would cost more in garbage collection than it saves.
 */
export class ResultCache {
  readonly #results = new AnswerCache<CachedResult>(CACHE_BYTES);
  readonly #repeats = new RepeatDetector();

  get({ text, hash }: CacheKey, freshness: number): Tail | undefined {
    const known = this.#results.get(text, hash);
    return known?.freshness === freshness ? known.tail : undefined;
  }

  /** Caches the result if the call is a repeat; otherwise returns it as it is. */
  offer({ text, hash }: CacheKey, freshness: number, made: Tail): Tail {
    if (!this.#repeats.noteHash(hash, freshness)) return made;
    const tail = made.cached();
    this.#results.set(text, { tail, bytes: tail.byteLength, freshness }, hash);
    return tail;
  }
}
