import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Disk } from '../../chaos/world/disk.ts';
import { createLog } from '../../src/base/log.ts';
import { damageCosts, fillCosts } from '../storage/damaged-file.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';

const OPTIONS = { venues: ['binance', 'okx'], coins: 5 };

async function texts({ service }: Running) {
  const [readyz, page, twin, metrics] = await Promise.all(
    [
      `${service.adminUrl}/readyz`,
      `${service.baseUrl}/status`,
      `${service.baseUrl}/status.md`,
      `${service.adminUrl}/metrics`,
    ].map(async (url) => {
      const reply = await fetch(url);
      return { status: reply.status, text: await reply.text() };
    }),
  );
  assert.ok(readyz && page && twin && metrics);
  const isUp = /^perpwire_dependency_up\{dependency="sqlite"\} (\d)$/m.exec(metrics.text)?.[1];
  return { readyz, page: page.text, twin: twin.text, isUp };
}

suite('the disk of a service', () => {
  test('that is full is named by /readyz, not ready, and by /status, while answers go on; then all is ready again', async (t) => {
    const disk = new Disk('48m');
    t.after(() => disk.remove());
    if (disk.cannotFill !== null) return t.skip(disk.cannotFill);
    const running = await runService({ ...OPTIONS, dataDir: disk.folder });
    t.after(() => running.stop());
    await collectOnce(running);
    const before = await texts(running);
    assert.deepEqual(before.readyz, { status: 200, text: 'ready\n' });
    assert.doesNotMatch(before.page + before.twin, /not stored/);

    disk.fill();
    await until(async () => {
      // Each request is counted, which is a write.
      assert.equal((await running.get('/api/v1/funding?limit=1')).status, 200);
      return (await texts(running)).isUp === '0';
    }, 'the fault');
    const full = await texts(running);
    assert.equal(full.readyz.status, 503);
    assert.match(full.readyz.text, /^The database file cannot be written to: .*(full|disk)/);
    for (const text of [full.page, full.twin])
      assert.match(text, /History is not stored: the disk of this service refuses writes\./);

    disk.free();
    await until(async () => (await texts(running)).readyz.status === 200, 'the end of the fault');
    const after = await texts(running);
    assert.equal(after.readyz.text, 'ready\n');
    assert.doesNotMatch(after.page + after.twin, /not stored/);
  });

  test('that has damaged pages in the middle of the database is named soon after the start', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-damaged-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    await (await runService({ ...OPTIONS, dataDir })).stop();
    const file = join(dataDir, 'perpwire.sqlite');
    fillCosts(file);
    damageCosts(file);
    const lines: string[] = [];
    const log = createLog('error', { write: (line) => lines.push(line) });
    const running = await runService({ ...OPTIONS, dataDir, serviceOptions: { log } });
    t.after(() => running.stop());
    await collectOnce(running);
    await until(async () => (await texts(running)).isUp === '0', 'the check');
    const { readyz, page, twin } = await texts(running);
    assert.equal(readyz.status, 503);
    assert.match(readyz.text, /^The database file is damaged: table depth_costs: /);
    for (const text of [page, twin])
      assert.match(text, /The database of this service is damaged: stored history may be missing\./);
    assert.ok(lines.some((line) => /the database file is damaged.*/.test(line)));
    assert.equal((await running.get('/api/v1/funding?limit=1')).status, 200, 'answers go on');
  });
});
