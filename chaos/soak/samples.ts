import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Measured } from '../world/messages.ts';

/** The service at one simulated time. */
export interface SoakSample extends Measured {
  /** Simulated hours since the start. */
  hour: number;
  databaseBytes: number;
}

export interface Series {
  name: string;
  unit: string;
  figureOf(sample: SoakSample): number;
}

const MEGABYTE = 1024 * 1024;

export const SERIES: readonly Series[] = [
  { name: 'resident memory', unit: 'MB', figureOf: ({ residentBytes }) => residentBytes / MEGABYTE },
  { name: 'heap after collection', unit: 'MB', figureOf: ({ heapBytes }) => heapBytes / MEGABYTE },
  { name: 'buffers', unit: 'MB', figureOf: ({ bufferBytes }) => bufferBytes / MEGABYTE },
  { name: 'descriptors', unit: '', figureOf: ({ descriptors }) => descriptors },
  { name: 'event-loop delay p99', unit: 'ms', figureOf: ({ loopDelayP99Ms }) => loopDelayP99Ms },
  { name: 'event-loop delay, longest', unit: 'ms', figureOf: ({ loopDelayMaxMs }) => loopDelayMaxMs },
  { name: 'database', unit: 'MB', figureOf: ({ databaseBytes }) => databaseBytes / MEGABYTE },
];

/** The change per hour by least squares. */
export function slopePerHour(points: readonly { hour: number; value: number }[]): number {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanHour = meanOf(points.map(({ hour }) => hour));
  const meanValue = meanOf(points.map(({ value }) => value));
  let [products, squares] = [0, 0];
  for (const { hour, value } of points) {
    products += (hour - meanHour) * (value - meanValue);
    squares += (hour - meanHour) ** 2;
  }
  return squares === 0 ? 0 : products / squares;
}

/** Bytes of all files of the data folder. */
export function folderBytes(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false });
    return sum + (found?.isFile() ? found.size : 0);
  }, 0);
}

/** Bytes of each table with its indexes. */
export function tableBytes(file: string): Map<string, number> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 });
  try {
    const rows = database
      .prepare(
        'select m.tbl_name as name, sum(s.pgsize) as bytes from dbstat s join sqlite_schema m on m.name = s.name group by 1',
      )
      .all() as unknown as { name: string; bytes: number }[];
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  } finally {
    database.close();
  }
}
