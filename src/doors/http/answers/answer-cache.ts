import { textHash } from '../../../base/text-hash.ts';
import type { Body } from './body.ts';

/** A finished answer and how long it is valid. */
export class CachedAnswer {
  readonly body: Body;
  /** What it was made from; see Operation.freshness. */
  readonly freshness: number | null;
  /** A page behind a cursor never changes: until this time it is valid whatever the freshness. */
  readonly validUntilMs: number;
  /** Twice the plain size: its compressed forms together are smaller than the plain one. */
  readonly bytes: number;

  constructor(body: Body, freshness: number | null, validUntilMs: number) {
    this.body = body;
    this.freshness = freshness;
    this.validUntilMs = validUntilMs;
    this.bytes = body.length * 2;
  }
}

/** Overhead of an entry besides its bytes and its key. */
const ENTRY_BYTES = 400;

interface Entry<Kept> {
  key: string;
  kept: Kept;
}

/**
 * Answers by plan and query, bounded in bytes. It has two generations: new and used entries go into the young one; when
 * that is full it becomes the old one, and entries that nobody used since are dropped. Keyed by a hash: using a sliced
 * string as a Map key makes V8 internalize it first, which costs more than the lookup. Of two queries with the same hash
 * the later one is kept.
 */
export class AnswerCache<Kept extends { readonly bytes: number } = CachedAnswer> {
  readonly #generationBytes: number;
  #young = new Map<number, Entry<Kept>>();
  #old = new Map<number, Entry<Kept>>();
  #youngBytes = 0;
  #oldBytes = 0;

  constructor(maxBytes: number) {
    this.#generationBytes = maxBytes / 2;
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes;
  }

  /** `hash` saves computing it for a caller that has it already. */
  get(key: string, hash = textHash(key)): Kept | undefined {
    const slot = hash | 0;
    const known = this.#young.get(slot);
    if (known?.key === key) return known.kept;
    const older = this.#old.get(slot);
    if (older?.key !== key) return undefined;
    this.set(key, older.kept, hash);
    return older.kept;
  }

  set(key: string, kept: Kept, hash = textHash(key)): void {
    this.#drop(hash);
    const bytes = costOf(key, kept);
    if (bytes > this.#generationBytes) return;
    if (this.#youngBytes + bytes > this.#generationBytes) {
      this.#old = this.#young;
      this.#oldBytes = this.#youngBytes;
      this.#young = new Map();
      this.#youngBytes = 0;
    }
    this.#young.set(hash | 0, { key, kept });
    this.#youngBytes += bytes;
  }

  /** Removes the entry with this hash. */
  #drop(hash: number): void {
    const slot = hash | 0;
    const young = this.#young.get(slot);
    if (young && this.#young.delete(slot)) this.#youngBytes -= costOf(young.key, young.kept);
    const old = this.#old.get(slot);
    if (old && this.#old.delete(slot)) this.#oldBytes -= costOf(old.key, old.kept);
  }
}

/** The key counts too: it contains a URL, whose length the caller chooses. */
function costOf(key: string, answer: { readonly bytes: number }): number {
  return answer.bytes + key.length * 2 + ENTRY_BYTES;
}
