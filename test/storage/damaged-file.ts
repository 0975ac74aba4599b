import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const PAGE_BYTES = 4096;
/** Of which a page has one row, so that a row is a page. */
const ROW_BYTES = 3000;
const ROWS = 300;

/** Fills the table of stored costs of a file that no process has open, so that it is most of the file. */
export function fillCosts(file: string): void {
  const database = new DatabaseSync(file);
  const insert = database.prepare('insert into depth_costs (minute, exchange, block) values (?, ?, ?)');
  for (let row = 0; row < ROWS; row++) insert.run(row, 'Filler', Buffer.alloc(ROW_BYTES, `row ${row} `));
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
}

/** Overwrites three pages in the middle of those rows, as a disk does that loses writes. */
export function damageCosts(file: string): void {
  const bytes = readFileSync(file);
  const found = bytes.indexOf(`row ${ROWS / 2} row ${ROWS / 2} `);
  if (found < 0) throw new Error('the rows are not in the file');
  const page = Math.floor(found / PAGE_BYTES) * PAGE_BYTES;
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(3 * PAGE_BYTES, 0xa5), 0, 3 * PAGE_BYTES, page);
  fsyncSync(opened);
  closeSync(opened);
}
