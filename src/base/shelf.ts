/** Room outside the heap for what is written once and read about once an hour. Places never written are all zero. */
export interface Shelf {
  write(offset: number, bytes: Uint8Array): void;
  read(offset: number, into: Uint8Array): void;
  close(): void;
}

const CHUNK_BYTES = 1 << 20;

/** A shelf in memory, for short runs. */
export function memoryShelf(): Shelf {
  const chunks = new Map<number, Uint8Array>();
  const chunkAt = (index: number) => {
    const known = chunks.get(index) ?? new Uint8Array(CHUNK_BYTES);
    chunks.set(index, known);
    return known;
  };
  /** Calls for each stretch of the range that lies in one chunk. */
  const walk = (offset: number, length: number, visit: (chunk: Uint8Array, from: number) => void) => {
    for (let done = 0; done < length; ) {
      const inChunk = (offset + done) % CHUNK_BYTES;
      const count = Math.min(length - done, CHUNK_BYTES - inChunk);
      visit(chunkAt(Math.floor((offset + done) / CHUNK_BYTES)).subarray(inChunk, inChunk + count), done);
      done += count;
    }
  };
  return {
    write: (offset, bytes) =>
      walk(offset, bytes.length, (part, from) => part.set(bytes.subarray(from, from + part.length))),
    read: (offset, into) => walk(offset, into.length, (part, from) => into.set(part, from)),
    close: () => chunks.clear(),
  };
}
