import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, type TestContext, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { LakeFolder } from '../../src/lake/files/folder.ts';
import { verifyLake } from '../../src/lake/verify.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { buildInProcess } from '../../src/wiring/market/nightly-lake.ts';
import { BTC } from '../history/keeping.ts';
import { silentLog, temporaryFolder } from '../storage/sqlite.ts';
import { duckRows } from '../support/duckdb.ts';
import { killStarted, perpwire, startPerpwire } from '../support/process.ts';

const DAYS = 120;
const FIRST_MINUTE = Date.parse('2025-01-01T00:00:00Z') / MINUTE_MS;

const prints = Array.from({ length: DAYS * 3 }, (_, i) => ({
  minute: FIRST_MINUTE + i * 480,
  ratePct: i / 1e6,
}));

/** A folder of data with the prints, which were learned some minutes ago. */
async function storedPrints(t: TestContext, own = prints): Promise<string> {
  const folder = temporaryFolder(t);
  const sqliteFile = join(folder, 'perpwire.sqlite');
  const storage = await openStorage({ databaseUrl: null, sqliteFile, log: silentLog });
  const clock = new ManualClock(Date.now() - 5 * MINUTE_MS);
  const keeper = await SettlementKeeper.open({ storage, clock, log: silentLog, metrics: createMetrics() });
  await keeper.submit({ names: BTC, prints: own, walked: null, onConflict: 'replace' });
  await keeper.close();
  await storage.close();
  return folder;
}

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
    assert.match(stdout, /2025-04-30 {2}prints 3 rows/);
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
    await buildInProcess({ dataDir: folder, databaseUrl: null, lakeUrl: null }, signal);
    const { faults, days } = await verifyLake(new LakeFolder(join(folder, 'lake')));
    assert.deepEqual(faults, []);
    assert.equal(days, 2);
  });

  test('a failure has the words of the command', async (t) => {
    const folder = await storedPrints(t, recent);
    mkdirSync(join(folder, 'lake'));
    writeFileSync(join(folder, 'lake', 'manifest.json'), 'no manifest');
    await assert.rejects(
      buildInProcess({ dataDir: folder, databaseUrl: null, lakeUrl: null }, signal),
      /the lake could not be built: perpwire: .*manifest.json is not a manifest/,
    );
  });
});
