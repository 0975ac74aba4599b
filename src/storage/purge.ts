import { createReadStream } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { diskFaultText } from './disk-faults.ts';

/** How long to wait for other processes. */
const TIMEOUT_MS = 10_000;

/**
 * Removes the copies of a deleted text that are left in the files of an SQLite database; without a text, only those in the
 * write-ahead log. Other processes may have the database open. This process must not: it reads the file, and closing a file
 * that SQLite has open releases the locks of SQLite. Returns why it could not, or null.
 */
export async function purgeSqlite(file: string, text: string | null): Promise<string | null> {
  try {
    writeLogBack(file, '');
    // secure_delete overwrites deleted rows, but pages that SQLite has rearranged can keep a copy, and so do the free pages
    // of versions that did not set it. VACUUM writes the whole file anew.
    if (text !== null && (await isInFile(file, text))) writeLogBack(file, 'vacuum');
    return null;
  } catch (error) {
    return diskFaultText(error) ?? (error instanceof Error ? error.message : 'unknown cause');
  }
}

/** Runs a statement, writes the write-ahead log, which has older copies of pages, into the database, and truncates it. */
function writeLogBack(file: string, statement: string): void {
  const database = new DatabaseSync(file, { timeout: TIMEOUT_MS });
  try {
    database.exec(statement);
    if (database.prepare('pragma wal_checkpoint(truncate)').get()?.busy !== 0)
      throw new Error('another process, such as a backup, reads older pages of the database');
  } finally {
    database.close();
  }
}

async function isInFile(file: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  let end: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file)) {
    const bytes = Buffer.concat([end, chunk]);
    if (bytes.includes(wanted)) return true;
    end = bytes.subarray(-wanted.length);
  }
  return false;
}
