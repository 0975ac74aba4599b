import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { startPostgres, startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';

const postgres = await startPostgres();
const redis = await startRedis();
after(async () => {
  if (typeof postgres !== 'string') await postgres.stop();
  if (typeof redis !== 'string') await redis.stop();
});

describe('servers for tests', () => {
  test('PostgreSQL answers, and is started once', {
    skip: typeof postgres === 'string' && postgres,
  }, async () => {
    assert.equal(await startPostgres(), postgres);
    if (typeof postgres === 'string') assert.fail();
    const client = new pg.Client({ connectionString: await postgres.createDatabase() });
    await client.connect();
    assert.deepEqual((await client.query('select 1 as one')).rows, [{ one: 1 }]);
    await client.end();
  });

  test('Redis answers, and is started once', { skip: typeof redis === 'string' && redis }, async () => {
    assert.equal(await startRedis(), redis);
    if (typeof redis === 'string') assert.fail();
    const { hostname, port } = new URL(redis.url);
    const socket = connect(Number(port), hostname, () => socket.write('SET a 1\r\n'));
    const [reply] = await once(socket, 'data');
    socket.destroy();
    assert.equal(String(reply), '+OK\r\n');
  });

  test('a process that started them and stops neither ends by itself', {
    skip: [postgres, redis].find((server) => typeof server === 'string') ?? false,
  }, async (t) => {
    const { PATH, HOME, TMPDIR } = process.env;
    const child = spawn(process.execPath, [join(import.meta.dirname, 'start-servers.ts')], {
      env: { PATH, HOME, TMPDIR },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    t.after(() => child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    await until(() => child.exitCode !== null, 'the end of the process');
    assert.deepEqual([child.exitCode, printed], [0, 'started\nstarted\n']);
  });
});
