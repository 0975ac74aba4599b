import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { after, describe, type TestContext, test } from 'node:test';
import { openRedis } from '../../src/storage/redis/open.ts';
import { RedisUnavailableError, redisScript } from '../../src/storage/redis/redis.ts';
import { launchRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { silentLog } from './databases.ts';

const server = await launchRedis();
if (typeof server !== 'string') after(() => server.stop());
const skip = typeof server === 'string' ? server : false;
const url = typeof server === 'string' ? '' : server.url;

async function open(t: TestContext, options: { url?: string; timeoutMs?: number } = {}) {
  const redis = await openRedis({ url, log: silentLog, ...options });
  t.after(() => redis.close());
  return redis;
}

/** A separate Redis server that the test may stop. */
async function ownServer(t: TestContext, port?: number) {
  const own = await launchRedis(port);
  if (typeof own === 'string') throw new Error(own);
  t.after(() => own.stop());
  return own;
}

/** How many writes the server has refused because its memory is full, read without the client under test. */
async function refusedWrites(port: number): Promise<number> {
  const socket = connect(port, '127.0.0.1', () => socket.write('INFO errorstats\r\n'));
  const [reply] = await once(socket, 'data');
  socket.destroy();
  return Number(/errorstat_OOM:count=(\d+)/.exec(String(reply))?.[1] ?? 0);
}

describe('Redis', { skip }, () => {
  test('a script is sent as text first, then by its SHA-1, and as text again after Redis lost its cache', async (t) => {
    const redis = await open(t);
    const script = redisScript('return {KEYS[1], ARGV[1], 7}');
    for (const forget of [false, false, true]) {
      if (forget) await redis.command(['SCRIPT', 'FLUSH']);
      assert.deepEqual(await redis.run(script, ['key'], ['argument']), ['key', 'argument', 7]);
    }
  });

  test('an error of a script is no outage', async (t) => {
    const redis = await open(t);
    await assert.rejects(
      redis.run(redisScript('return redis.call("nonsense")'), ['key'], []),
      /nonsense|Unknown/i,
    );
    assert.equal(redis.isUp, true);
  });

  test('while the server is stopped commands fail at once; after its restart they work again', async (t) => {
    const own = await ownServer(t);
    const redis = await open(t, { url: own.url });
    const states: boolean[] = [];
    redis.onChange((isUp) => states.push(isUp));
    await own.stop();
    await until(() => !redis.isUp);
    await assert.rejects(redis.command(['ECHO', 'x']), RedisUnavailableError);
    assert.match(redis.reason ?? '', /the connection was refused|lost|closed/i);
    await ownServer(t, own.port);
    await until(() => redis.isUp);
    assert.deepEqual(states, [false, true]);
    assert.equal(redis.reason, null);
    assert.equal(await redis.command(['ECHO', 'again']), 'again');
  });

  test('a server that hangs counts as unavailable until it replies', async (t) => {
    const own = await ownServer(t);
    const redis = await open(t, { url: own.url, timeoutMs: 30 });
    own.child.kill('SIGSTOP');
    await assert.rejects(redis.command(['SET', 'late', 'yes']), RedisUnavailableError);
    assert.match(redis.reason ?? '', /no reply within 30 ms/);
    own.child.kill('SIGCONT');
    await until(() => redis.isUp);
    // The command that timed out has run before the connection counts as up again.
    assert.equal(await redis.command(['GET', 'late']), 'yes');
  });

  test('a connection whose server never replies is replaced', async (t) => {
    let connections = 0;
    const mute = createServer(() => connections++);
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    t.after(() => mute.close());
    const address = mute.address();
    assert.ok(address !== null && typeof address === 'object');
    const redis = await open(t, { url: `redis://127.0.0.1:${address.port}` });
    assert.equal(redis.isUp, false);
    await until(() => connections > 1);
  });

  test('a server with full memory counts as unavailable through all following probes', async (t) => {
    const own = await ownServer(t);
    const redis = await open(t, { url: own.url });
    const states: boolean[] = [];
    redis.onChange((isUp) => states.push(isUp));
    await redis.command(['CONFIG', 'SET', 'maxmemory', '1']);
    await assert.rejects(redis.command(['SET', 'more', 'x']), RedisUnavailableError);
    await until(async () => (await refusedWrites(own.port)) >= 4, 'three refused probes');
    assert.deepEqual(states, [false]);
  });

  test('after close() commands fail and the client does not reconnect', async (t) => {
    const redis = await open(t);
    await redis.close();
    await redis.close();
    await assert.rejects(redis.command(['ECHO', 'x']), RedisUnavailableError);
  });

  for (const wrong of ['http://localhost', 'redis://', 'redis://localhost/zero', 'localhost:6379']) {
    test(`the address "${wrong}" is refused with a message that shows a valid one`, async () => {
      await assert.rejects(openRedis({ url: wrong, log: silentLog }), {
        name: 'StorageError',
        message: /must look like redis:/,
      });
    });
  }
});
