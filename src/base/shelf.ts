/** Byte storage outside the heap, for data that is written once and rarely read. Bytes never written are zero. */
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
  /** Splits the range at chunk boundaries and visits each piece. */
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
