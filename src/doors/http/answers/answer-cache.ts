import { textHash } from '../../../base/text-hash.ts';
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

interface Entry<Kept> {
  key: string;
  kept: Kept;
}

/**
 * Answers by plan and question, bounded in bytes. Two halves: new and used ones go into the young half; when it is full
 * it becomes the old one, and what nobody asked for in the meantime is dropped. Found by a hash of the question: looking
 * a text up in a Map first puts it into V8's table of all texts, and most questions come once. Of two questions with
 * the same hash the later one stays.
 */
export class AnswerCache<Kept extends { readonly bytes: number } = CachedAnswer> {
  readonly #halfBytes: number;
  #young = new Map<number, Entry<Kept>>();
  #old = new Map<number, Entry<Kept>>();
  #youngBytes = 0;
  #oldBytes = 0;

  constructor(maxBytes: number) {
    this.#halfBytes = maxBytes / 2;
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  /** `hash`: for a caller that has it already. */
  get(key: string, hash = textHash(key)): Kept | undefined {
    const place = hash | 0;
    const known = this.#young.get(place);
    if (known?.key === key) return known.kept;
    const older = this.#old.get(place);
    if (older?.key !== key) return undefined;
    this.set(key, older.kept, hash);
    return older.kept;
  }

  set(key: string, kept: Kept, hash = textHash(key)): void {
    this.#drop(hash);
    const bytes = costOf(key, kept);
    if (bytes > this.#halfBytes) return;
    if (this.#youngBytes + bytes > this.#halfBytes) {
      this.#old = this.#young;
      this.#oldBytes = this.#youngBytes;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(hash | 0, { key, kept });
    this.#youngBytes += bytes;
  }

  /** Whatever has this hash. */
  #drop(hash: number): void {
    const place = hash | 0;
    const young = this.#young.get(place);
    if (young && this.#young.delete(place)) this.#youngBytes -= costOf(young.key, young.kept);
    const old = this.#old.get(place);
    if (old && this.#old.delete(place)) this.#oldBytes -= costOf(old.key, old.kept);
  }
}

/** The key is counted too: it holds a whole URL, which a caller can make as long as it likes. */
function costOf(key: string, answer: { readonly bytes: number }): number {
  return answer.bytes + key.length * 2 + ENTRY_BYTES;
}
