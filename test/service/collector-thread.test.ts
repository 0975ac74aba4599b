import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startSimServer } from '../../sim/server.ts';
import { createLog } from '../../src/base/log.ts';
import { readSettings } from '../../src/settings.ts';
import { startService } from '../../src/wiring/service.ts';
import { until } from '../support/until.ts';

const VENUES = ['binance', 'okx'];

/** The service as `perpwire serve` runs it: the collector in a thread. */
async function running(dataDir: string) {
  const sim = await startSimServer({ seed: 1, coins: 8, venues: VENUES, port: 0, pushEveryMs: 200 });
  const settings = readSettings([], {
    PORT: '0',
    ADMIN_PORT: '0',
    DATA_DIR: dataDir,
    VENUES: VENUES.join(','),
    VENUES_URL: sim.url,
    SNAPSHOT_SECONDS: '1',
  });
  const service = await startService({ settings, log: createLog('silent') });
  const account = await service.accounts.accounts.create({ name: 'test', plan: 'business' });
  const { text: key } = await service.accounts.keys.create({
    ...{ accountId: account.id, name: 'test', kind: 'test' as const },
  });
  const get = async (path: string) => {
    const reply = await fetch(`${service.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return { status: reply.status, body: (await reply.json()) as { data: unknown; meta: { as_of: string } } };
  };
  const admin = async (path: string) => (await fetch(`${service.adminUrl}${path}`)).text();
  const asOf = async () => (await get('/api/v1/funding?limit=1')).body.meta?.as_of;
  return { sim, service, get, admin, asOf };
}

suite('the collector in a thread', () => {
  test('collects, survives a crash of the thread, and a restart of the process serves what it stored', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-thread-'));
    const { sim, service, get, admin, asOf } = await running(dataDir);
    try {
      assert.match(await admin('/readyz'), /no snapshot yet/);
      service.startCollecting();
      await until(async () => (await admin('/readyz')).startsWith('ready'), 'the first snapshot');
      const { body } = await get('/api/v1/funding?exchange=OKX');
      assert.ok((body.data as unknown[]).length > 5);
      await until(
        async () =>
          JSON.parse(await admin('/venues')).every((venue: { contracts: number }) => venue.contracts > 5),
        'the reports of venues, by the database',
      );
      await until(
        async () => /perpwire_venue_contracts\{venue="okx"\} \d/.test(await admin('/metrics')),
        'the metrics of the thread',
      );
      assert.match(await admin('/metrics'), /^perpwire_collector_up 1$/m);
      assert.match(await admin('/metrics'), /^process_resident_memory_bytes \d/m);

      await service.thread?.kill();
      const before = await asOf();
      assert.ok(before, 'answers go on from the last snapshot');
      await until(async () => /The collector ended/.test(await admin('/readyz')), 'the fault');
      assert.match(await admin('/metrics'), /^perpwire_collector_up 0$/m);
      await until(async () => (await asOf()) !== before, 'a snapshot of the new thread');
      await until(async () => !/The collector ended/.test(await admin('/readyz')), 'the end of the fault');
      assert.match(await admin('/metrics'), /^perpwire_collector_restarts_total 1$/m);
    } finally {
      await service.stop();
      await sim.close();
    }
    const again = await running(dataDir);
    try {
      assert.match(await again.admin('/readyz'), /^ready/);
      assert.equal((await again.get('/api/v1/funding?limit=1')).status, 200);
    } finally {
      await again.service.stop();
      await again.sim.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
