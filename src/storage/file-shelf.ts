import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes by offset in a file without a name: it goes away with its process, however that ends. Unwritten bytes are 0. */
export function openFileShelf(folder: string) {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `shelf-${randomUUID()}.tmp`);
  const file = openSync(path, 'wx+', 0o600);
  rmSync(path);
  let isOpen = true;
  return {
    write(offset: number, bytes: Uint8Array): void {
      for (let done = 0; done < bytes.length; )
        done += writeSync(file, bytes, done, bytes.length - done, offset + done);
    },
    read(offset: number, into: Uint8Array): void {
      let done = 0;
      while (done < into.length) {
        const count = readSync(file, into, done, into.length - done, offset + done);
        if (count === 0) break;
        done += count;
      }
      into.fill(0, done);
    },
    close(): void {
      if (isOpen) closeSync(file);
      isOpen = false;
    },
  };
}
