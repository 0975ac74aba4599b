import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const STICKY_BIT = 0o1000;

/** Creates a folder that only its owner can read. An existing folder keeps its mode. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

/**
 * Makes a database readable by its owner only, before SQLite opens it: SQLite gives -wal and -shm the mode of the database.
 * A file of an older version is restricted too, with its folder, unless that is a shared one such as /tmp.
 */
export function makePrivateDatabase(file: string): void {
  const folder = dirname(file);
  if (existsSync(file)) {
    if ((statSync(folder).mode & STICKY_BIT) === 0) restrict(folder, 0o700);
    for (const one of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(one)) restrict(one, 0o600);
  } else {
    closeSync(openSync(file, 'a', 0o600));
  }
}

/** Another owner's file, or a file system without modes, stays as it is: the service must start nevertheless. */
function restrict(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & 0o777 & ~mode) !== 0) chmodSync(path, mode);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}
