import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { AuditStore } from '../../src/history/audit/store.ts';
import { readSettings } from '../../src/settings.ts';
import { startService } from '../../src/wiring/service.ts';
import { startPostgres, startRedis } from '../support/servers.ts';
import { collectOnce, runService } from '../support/service.ts';
import { markdownTables } from '../web/page-text.ts';

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
const skip = typeof postgres === 'string' ? postgres : typeof redis === 'string' ? redis : false;
after(async () => {
  if (typeof postgres !== 'string') await postgres.stop();
  if (typeof redis !== 'string') await redis.stop();
});

suite('audit in a cluster', { skip }, () => {
  test('the engine’s process stores the report under its fence, and an API process serves it', async () => {
    assert.ok(typeof postgres !== 'string' && typeof redis !== 'string');
    const backend = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      SECRET_KEY: 'the same key at all processes of a test',
    };
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-audit-'));
    const engine = await runService({ venues: ['binance', 'okx'], coins: 6, settings: backend });
    const settings = readSettings(['--role', 'api'], {
      ...backend,
      PORT: '0',
      ADMIN_PORT: '0',
      DATA_DIR: dataDir,
      VENUES: 'binance,okx',
      VENUES_URL: engine.sim.url,
    });
    try {
      await collectOnce(engine);
      await engine.service.audit.refresh();
      const report = engine.service.audit.report();
      assert.equal(report?.venues.length, 2);
      assert.ok((report?.venues[0]?.checks?.settlementsStated ?? 0) > 5);
      const { storage, engineLease } = engine.service.context;
      assert.ok(engineLease.fence(), 'the engine has a fence to write under');
      assert.deepEqual(
        (await new AuditStore(storage).loadDocument('report'))?.value,
        JSON.parse(JSON.stringify(report)),
      );

      const api = await startService({ settings, log: createLog('silent') });
      try {
        const reply = await fetch(`${api.baseUrl}/accuracy.md`);
        const checks = markdownTables(await reply.text()).at(-1);
        assert.deepEqual(
          checks?.map((row) => [row.exchange, row.settlements_stated]),
          report?.venues.map(({ exchange, checks: own }) => [exchange, String(own?.settlementsStated)]),
        );
        const admin = await fetch(`${api.adminUrl}/audit`);
        assert.deepEqual(await admin.json(), JSON.parse(JSON.stringify(report)));
      } finally {
        await api.stop();
      }
    } finally {
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
