import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { memoryShelf, type Shelf } from '../base/shelf.ts';

const MOVE_CHUNK_BYTES = 1 << 20;

/**
 * A shelf in an unlinked file, which the system deletes when the process ends, however it ends. If a write fails,
 * everything moves to memory: that costs more, but loses nothing and does not stop the service.
 */
export function openFileShelf(
  folder: string,
  onWriteFailed: (error: unknown) => void = () => undefined,
): Shelf {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `shelf-${randomUUID()}.tmp`);
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  let isOpen = true;
  let end = 0;
  let inMemory: Shelf | null = null;

  const moveToMemory = (): Shelf => {
    const memory = memoryShelf();
    for (let offset = 0; offset < end; offset += MOVE_CHUNK_BYTES) {
      const bytes = new Uint8Array(Math.min(MOVE_CHUNK_BYTES, end - offset));
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
