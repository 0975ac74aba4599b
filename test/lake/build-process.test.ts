import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import { verifyLake } from '../../src/lake/verify.ts';
import { readSettings } from '../../src/settings.ts';
import { buildInProcess } from '../../src/wiring/market/nightly-lake.ts';
import { duckRows } from '../support/duckdb.ts';
import { killStarted, perpwire, startPerpwire } from '../support/process.ts';
import { DAYS, prints, storedPrints } from './stored-prints.ts';

after(killStarted);

suite('a build that is killed', () => {
  test('leaves no half file that the manifest names, and the next build completes the lake', async (t) => {
    const folder = await storedPrints(t);
    const lake = new LakeFolder(join(folder, 'lake'));
    for (const day of ['2025-01-10', '2025-02-10', '2025-03-10']) {
      const build = startPerpwire(['lake', 'build', '--day', '2025-04-30'], { DATA_DIR: folder });
      await build.line((line) => line.startsWith(day));
      build.child.kill('SIGKILL');
      await build.ended;
      const { faults, days } = await verifyLake(lake);
      assert.deepEqual(faults, []);
      assert.ok(days > 0 && days < DAYS, `${days} days before the kill`);
    }
    const { code, stdout, stderr } = await perpwire(['lake', 'build', '--day', '2025-04-30'], {
      DATA_DIR: folder,
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /2025-04-30 {2}.*prints 3 rows/);
    assert.deepEqual((await verifyLake(lake)).faults, []);
    const [sum] = await duckRows(
      `select count(*)::int as n, sum(rate_pct) as pct from read_parquet('${folder}/lake/prints/*.parquet')`,
    );
    assert.equal(sum?.n, DAYS * 3);
    assert.ok(Math.abs(Number(sum?.pct) - prints.reduce((total, { ratePct }) => total + ratePct, 0)) < 1e-9);
    assert.deepEqual(readdirSync(join(folder, 'lake', '.building')), []);
  });
});

suite('the process of the nightly build', () => {
  const { signal } = new AbortController();
  const yesterday = Math.floor(Date.now() / DAY_MS - 1) * (DAY_MS / MINUTE_MS);
  const recent = [
    { minute: yesterday - 960, ratePct: 0.01 },
    { minute: yesterday, ratePct: 0.02 },
  ];

  test('builds the lake of the data folder', async (t) => {
    const folder = await storedPrints(t, recent);
    await buildInProcess(readSettings([], { DATA_DIR: folder }), signal);
    const { faults, days } = await verifyLake(new LakeFolder(join(folder, 'lake')));
    assert.deepEqual(faults, []);
    assert.equal(days, 2);
  });

  test('a failure has the words of the command', async (t) => {
    const folder = await storedPrints(t, recent);
    mkdirSync(join(folder, 'lake'));
    writeFileSync(join(folder, 'lake', 'manifest.json'), 'no manifest');
    await assert.rejects(
      buildInProcess(readSettings([], { DATA_DIR: folder }), signal),
      /the lake could not be built: perpwire: .*manifest.json is not a manifest/,
    );
  });
});
