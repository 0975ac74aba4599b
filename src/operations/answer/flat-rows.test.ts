import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { isoTime, MINUTE_MS } from '../../base/times.ts';
import { csvBytes, csvText, type FlatColumn, flatObjects } from './flat-rows.ts';
import { parquetBytes } from './parquet.ts';

const COLUMNS: readonly FlatColumn[] = [
  { name: 'exchange', type: 'text' },
  { name: 'at', type: 'time' },
  { name: 'rate_pct', type: 'number' },
];
const START_MS = Date.UTC(2026, 10, 15);
const objects = (length: number) =>
  Array.from({ length }, (_, i) => ({
    exchange: i % 2 === 0 ? 'OKX' : 'a, "b"',
    at: isoTime(START_MS + i * MINUTE_MS),
    rate_pct: i % 3 === 0 ? null : i / 1e4,
  }));

/** Counts how often other work has a turn. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await work();
  clearImmediate(next);
  return turns;
}

suite('rows that are written in parts', () => {
  for (const length of [0, 1, 1000, 3456])
    test(`CSV and Parquet of ${length} rows have all of them, in order`, async () => {
      const rows = objects(length);
      const csv = await csvBytes(flatObjects(COLUMNS, rows));
      assert.equal(csv.toString(), csvText(flatObjects(COLUMNS, rows)));
      const { buffer, byteOffset, byteLength } = await parquetBytes(flatObjects(COLUMNS, rows));
      const file = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer;
      assert.deepEqual(
        await parquetReadObjects({ file }),
        rows.map((row) => ({ ...row, at: new Date(row.at) })),
      );
    });

  test('other requests have a turn between the parts', async () => {
    const rows = objects(5000);
    assert.ok((await turnsOf(() => csvBytes(flatObjects(COLUMNS, rows)))) >= 4);
    assert.ok((await turnsOf(() => parquetBytes(flatObjects(COLUMNS, rows)))) >= 4);
  });
});
