import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { perpwire } from '../support/process.ts';
import { startPostgres, startRedis } from '../support/servers.ts';
import { assertFailsCleanly, certificateIn, testListening, usedPort } from './failed-starts.ts';

const root = mkdtempSync(join(tmpdir(), 'perpwire-start-'));
after(() => rmSync(root, { recursive: true, force: true }));

suite('a start that fails half way stops everything that it has started', () => {
  testListening('TLS', certificateIn(root), (name) => join(root, name));

  test('demo with a port in use: it ends, and its simulator too', async (t) => {
    const flags = ['--coins', '2', '--venues', 'binance', '--data', join(root, 'demo')];
    const { code, stderr } = await perpwire(['demo', '--port', await usedPort(t), ...flags]);
    assert.equal(code, 1);
    assert.match(stderr, /^perpwire: cannot listen: .*EADDRINUSE.*\n$/);
  });

  for (const ROLE of ['all', 'api', 'collector'])
    test(`--role ${ROLE} among several processes, with an admin port in use`, async (t) => {
      const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
      if (typeof postgres === 'string') return t.skip(postgres);
      if (typeof redis === 'string') return t.skip(redis);
      const settings = {
        ROLE,
        DATA_DIR: join(root, ROLE),
        DATABASE_URL: await postgres.createDatabase(),
        REDIS_URL: redis.url,
        BASE_URL: 'http://127.0.0.1:1',
        ADMIN_PORT: await usedPort(t),
      };
      await assertFailsCleanly(settings, /cannot listen: .*EADDRINUSE.*--admin-port/);
    });
});
