import type { Body } from './body.ts';

/** A finished answer and how long it is good. */
export class CachedAnswer {
  readonly body: Body;
  /** What it was made from; see Operation.freshness. */
  readonly freshness: number | null;
  /** A page of a moment that its cursor names never changes; it is good until this time, whatever comes. */
  readonly goodUntilMs: number;
  /** Counted twice: once for itself and once for its compressed forms, which together are smaller. */
  readonly bytes: number;

  constructor(body: Body, freshness: number | null, goodUntilMs: number) {
    this.body = body;
    this.freshness = freshness;
    this.goodUntilMs = goodUntilMs;
    this.bytes = body.plain.length * 2;
  }
}

/** What an entry costs besides its bytes and its key. */
const ENTRY_BYTES = 400;

/**
 * Answers by plan and question, bounded in bytes. Two halves: new and used ones go into the young half; when it is full
 * it becomes the old one, and what nobody asked for in the meantime is dropped.
 */
export class AnswerCache<Kept extends { readonly bytes: number } = CachedAnswer> {
  readonly #halfBytes: number;
  #young = new Map<string, Kept>();
  #old = new Map<string, Kept>();
  #youngBytes = 0;
  #oldBytes = 0;

  constructor(maxBytes: number) {
    this.#halfBytes = maxBytes / 2;
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  get(key: string): Kept | undefined {
    const known = this.#young.get(key);
    if (known) return known;
    const older = this.#old.get(key);
    if (older) this.set(key, older);
    return older;
  }

  set(key: string, answer: Kept): void {
    this.delete(key);
    const bytes = costOf(key, answer);
    if (bytes > this.#halfBytes) return;
    if (this.#youngBytes + bytes > this.#halfBytes) {
      this.#old = this.#young;
      this.#oldBytes = this.#youngBytes;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(key, answer);
    this.#youngBytes += bytes;
  }

  delete(key: string): void {
    const young = this.#young.get(key);
    if (young && this.#young.delete(key)) this.#youngBytes -= costOf(key, young);
    const old = this.#old.get(key);
    if (old && this.#old.delete(key)) this.#oldBytes -= costOf(key, old);
  }
}

/** The key is counted too: it holds a whole URL, which a caller can make as long as it likes. */
function costOf(key: string, answer: { readonly bytes: number }): number {
  return answer.bytes + key.length * 2 + ENTRY_BYTES;
}
