import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, type TestContext, test } from 'node:test';
import { madeLake } from '../../test/lake/made-lake.ts';
import { temporaryFolder } from '../../test/storage/sqlite.ts';
import { pruneLake } from './prune.ts';
import { verifyLake } from './verify.ts';

const NOW_MS = Date.parse('2026-11-14T09:30:00Z');
const FILE = 'prints/2026-11-12.parquet';

async function lake(t: TestContext) {
  const folder = temporaryFolder(t);
  const store = await madeLake(folder, NOW_MS, 3);
  return { store, file: join(folder, FILE), folder };
}

suite('verifying a lake', () => {
  test('an untouched one has no faults', async (t) => {
    const { store } = await lake(t);
    const { files, days, faults, unnamed } = await verifyLake(store);
    assert.deepEqual({ files, days, faults, unnamed }, { files: 3, days: 3, faults: [], unnamed: [] });
  });

  for (const [fault, damage] of [
    ['missing', (file: string) => rmSync(file)],
    ['truncated', (file: string) => truncateSync(file, 500)],
    ['longer than it was', (file: string) => appendFileSync(file, 'x')],
    [
      'altered',
      (file: string) => {
        const bytes = readFileSync(file);
        bytes[200] = (bytes[200] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
    ],
  ] as const)
    test(`a file that is ${fault} is named`, async (t) => {
      const { store, file } = await lake(t);
      damage(file);
      assert.deepEqual((await verifyLake(store)).faults, [{ path: FILE, fault }]);
    });

  test('files of two days that were swapped are both named', async (t) => {
    const { store, file, folder } = await lake(t);
    const other = join(folder, 'prints/2026-11-13.parquet');
    const [first, second] = [readFileSync(file), readFileSync(other)];
    writeFileSync(file, second);
    writeFileSync(other, first);
    assert.deepEqual(
      (await verifyLake(store)).faults.map(({ path }) => path),
      ['prints/2026-11-12.parquet', 'prints/2026-11-13.parquet'],
    );
  });

  test('a file that no manifest names is listed', async (t) => {
    const { store, folder } = await lake(t);
    writeFileSync(join(folder, 'prints/2026-11-14.parquet'), 'left by a kill');
    assert.deepEqual((await verifyLake(store)).unnamed, ['prints/2026-11-14.parquet']);
  });
});

suite('pruning a lake', () => {
  test('removes the days before a day and what no manifest names; the chain of the rest is whole', async (t) => {
    const { store, folder } = await lake(t);
    const { days } = await store.manifest();
    writeFileSync(join(folder, 'prints/2026-11-14.parquet'), 'left by a kill');
    assert.deepEqual(await pruneLake(store, '2026-11-12'), [
      'prints/2026-11-11.parquet',
      'prints/2026-11-14.parquet',
    ]);
    assert.deepEqual((await store.manifest()).days, days.slice(1));
    assert.deepEqual((await verifyLake(store)).faults, []);
    assert.ok(!existsSync(join(folder, 'prints/2026-11-11.parquet')));
  });

  test('without a day removes only what no manifest names', async (t) => {
    const { store } = await lake(t);
    assert.deepEqual(await pruneLake(store, null), []);
    assert.equal((await store.manifest()).days.length, 3);
  });

  test('the newest day stays', async (t) => {
    const { store } = await lake(t);
    await assert.rejects(pruneLake(store, '2026-12-01'), /the newest day, 2026-11-13, stays/);
    assert.equal((await verifyLake(store)).files, 3);
  });
});
