import { LRUCache } from 'lru-cache';

/** Overhead of an entry besides its bytes and its key. */
const ENTRY_BYTES = 400;

/** Finished answers by a text that names the query, bounded in bytes: the least recently used ones are dropped first. */
export class AnswerCache<Value extends { readonly bytes: number }> extends LRUCache<string, Value> {
  constructor(maxBytes: number) {
    super({
      maxSize: maxBytes,
      maxEntrySize: maxBytes / 2,
      // The key counts too: it contains a URL, whose length the caller chooses.
      sizeCalculation: ({ bytes }, key) => bytes + key.length * 2 + ENTRY_BYTES,
    });
  }
}
