import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Byte storage outside the heap, for data that is written once and rarely read. Bytes never written are zero. */
export interface ScratchStore {
  write(offset: number, bytes: Uint8Array): void;
  read(offset: number, into: Uint8Array): void;
  close(): void;
}

const CHUNK_BYTES = 1 << 20;

/** A scratch store in memory, for short runs. */
export function memoryScratch(): ScratchStore {
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

/**
 * A scratch store in an unlinked file, which the system deletes when the process ends, however it ends. If a write fails,
 * everything moves to memory: that costs more, but loses nothing and does not stop the service.
 */
export function openScratchFile(
  folder: string,
  onWriteFailed: (error: unknown) => void = () => undefined,
): ScratchStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `scratch-${randomUUID()}.tmp`);
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  let isOpen = true;
  let end = 0;
  let inMemory: ScratchStore | null = null;

  const moveToMemory = (): ScratchStore => {
    const memory = memoryScratch();
    for (let offset = 0; offset < end; offset += CHUNK_BYTES) {
      const bytes = new Uint8Array(Math.min(CHUNK_BYTES, end - offset));
      readAt(file, offset, bytes);
      memory.write(offset, bytes);
    }
    return memory;
  };

  return {
    write(offset, bytes) {
      if (inMemory === null) {
        try {
          writeAt(file, offset, bytes);
          end = Math.max(end, offset + bytes.length);
          return;
        } catch (error) {
          inMemory = moveToMemory();
          onWriteFailed(error);
        }
      }
      inMemory.write(offset, bytes);
    },
    read(offset, into) {
      if (inMemory === null) readAt(file, offset, into);
      else inMemory.read(offset, into);
    },
    close() {
      if (isOpen) closeSync(file);
      isOpen = false;
      inMemory?.close();
    },
  };
}

function writeAt(file: number, offset: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, offset + done);
}

function readAt(file: number, offset: number, into: Uint8Array): void {
  let done = 0;
  while (done < into.length) {
    const count = readSync(file, into, done, into.length - done, offset + done);
    if (count === 0) break;
    done += count;
  }
  into.fill(0, done);
}
