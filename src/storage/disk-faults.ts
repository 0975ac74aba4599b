import { errorCode } from '../base/connection-errors.ts';

/** Codes of the file system, and what an operator can do. */
const FILE_FAULTS: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full; free some space or choose another --data-dir'],
  ['EDQUOT', 'the disk quota is used up; free some space or choose another --data-dir'],
  [
    'EFBIG',
    'a file would be larger than its limit; raise the limit (ulimit -f) or choose another --data-dir',
  ],
  ['EROFS', 'the disk is read-only; make it writable or choose another --data-dir'],
  ['EACCES', 'no permission; give the user of this process access or choose another --data-dir'],
  ['EPERM', 'no permission; give the user of this process access or choose another --data-dir'],
  ['ENOTDIR', 'a part of the path is a file, not a folder; choose another --data-dir'],
  ['EEXIST', 'a part of the path is a file, not a folder; choose another --data-dir'],
  ['EISDIR', 'it is a folder, not a file; move it away or choose another --data-dir'],
  // Node reports it for a folder that cannot be made on a read-only disk.
  ['ENOENT', 'its parent folder is missing or not writable; choose another --data-dir'],
  ['EIO', 'the disk reports an error; check it, and restore a backup on another one'],
]);

/** Primary result codes of SQLite: the low byte of an error code. */
const SQLITE_FAULTS: ReadonlyMap<number, string> = new Map([
  [5, 'another process is writing to it for too long; stop that process'],
  [8, 'it is read-only; make the file and its folder writable or choose another --data-dir'],
  [10, 'the disk reports an error or is full; check it, then start again'],
  [11, 'it is damaged; move it away, with its -wal and -shm files, and restore a backup (perpwire restore)'],
  [13, 'the disk is full; free some space or choose another --data-dir'],
  [14, 'it cannot be opened; check the permissions of the file and its folder, or choose another --data-dir'],
  [26, 'file is not a database; move it away or choose another --data-dir'],
]);

/** SQLite: busy, read-only, disk error, disk full. What is stored stays readable, and the write may succeed later. */
const UNWRITABLE_SQLITE: ReadonlySet<number> = new Set([5, 8, 10, 13]);
const UNWRITABLE_FILES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EROFS', 'EIO']);

/** Whether something could not be stored because of the disk, and not because of the request. */
export function isDiskUnwritable(error: unknown): boolean {
  const sqlite = sqliteCode(error);
  return sqlite === null ? UNWRITABLE_FILES.has(errorCode(error) ?? '') : UNWRITABLE_SQLITE.has(sqlite);
}

function sqliteCode(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : null;
}

/** The cause of a failed file or database operation and what to do about it; null if the disk is not the cause. */
export function diskFaultText(error: unknown): string | null {
  const sqlite = sqliteCode(error);
  if (sqlite !== null) return SQLITE_FAULTS.get(sqlite) ?? null;
  return FILE_FAULTS.get(errorCode(error) ?? '') ?? null;
}
