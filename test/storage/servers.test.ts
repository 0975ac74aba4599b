import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, describe, test } from 'node:test';
import pg from 'pg';
import { startPostgres, startRedis } from '../support/servers.ts';

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
});
