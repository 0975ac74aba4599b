import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, describe, type TestContext, test } from 'node:test';
import { openRedis, RedisAwayError, type RedisOptions, redisScript } from '../../src/storage/redis/redis.ts';
import { launchRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { silentLog } from './databases.ts';

const server = await launchRedis();
if (typeof server !== 'string') after(() => server.stop());
const skip = typeof server === 'string' ? server : false;
const url = typeof server === 'string' ? '' : server.url;

async function open(t: TestContext, options: Partial<RedisOptions> = {}) {
  const redis = await openRedis({ url, log: silentLog, ...options });
  t.after(() => redis.close());
  return redis;
}

/** A Redis of its own, which the test may stop. */
async function ownServer(t: TestContext, port?: number) {
  const own = await launchRedis(port);
  if (typeof own === 'string') throw new Error(own);
  t.after(() => own.stop());
  return own;
}

describe('Redis', { skip }, () => {
  test('runs commands in text and in bytes', async (t) => {
    const redis = await open(t);
    await redis.command(['SET', 'bytes', Buffer.from([0, 255, 10])]);
    assert.deepEqual(await redis.binaryCommand(['GET', 'bytes']), Buffer.from([0, 255, 10]));
    await redis.command(['SET', 'text', 'ä']);
    assert.equal(await redis.command(['GET', 'text']), 'ä');
  });

  test('a script runs by its text first, by its name afterwards, and again when Redis forgot it', async (t) => {
    const redis = await open(t);
    const script = redisScript('return {KEYS[1], ARGV[1], 7}');
    for (const forget of [false, false, true]) {
      if (forget) await redis.command(['SCRIPT', 'FLUSH']);
      assert.deepEqual(await redis.run(script, ['key'], ['argument']), ['key', 'argument', 7]);
    }
  });

  test('an error of a script is an error, and no outage', async (t) => {
    const redis = await open(t);
    await assert.rejects(
      redis.run(redisScript('return redis.call("nonsense")'), [], []),
      /nonsense|Unknown/i,
    );
    assert.equal(redis.isUp, true);
  });

  test('a stopped server: calls fail at once, and it goes on by itself when the server is back', async (t) => {
    const own = await ownServer(t);
    const redis = await open(t, { url: own.url });
    const states: boolean[] = [];
    redis.onChange(({ isUp }) => states.push(isUp));
    const heard: string[] = [];
    await redis.subscribe('channel', (message) => heard.push(message.toString()));
    await own.stop();
    await until(() => !redis.isUp);
    await assert.rejects(redis.command(['PING']), RedisAwayError);
    assert.match(redis.state().reason ?? '', /nothing listens there|cut|closed/i);
    await ownServer(t, own.port);
    await until(() => redis.isUp);
    assert.deepEqual(states, [false, true]);
    assert.equal(redis.state().reason, null);
    await until(async () => {
      await redis.command(['PUBLISH', 'channel', 'again']);
      return heard.length > 0;
    });
  });

  test('a server that hangs counts as away until it answers', async (t) => {
    const own = await ownServer(t);
    const redis = await open(t, { url: own.url, timeoutMs: 30 });
    own.child.kill('SIGSTOP');
    await assert.rejects(redis.command(['SET', 'late', 'yes']), RedisAwayError);
    assert.match(redis.state().reason ?? '', /no answer within 30 ms/);
    own.child.kill('SIGCONT');
    await until(() => redis.isUp);
    // What was given up has been done before the connection counts as up again.
    assert.equal(await redis.command(['GET', 'late']), 'yes');
  });

  test('a connection that is dead for good is replaced', async (t) => {
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

  test('a channel subscribed while Redis is away is heard afterwards', async (t) => {
    const own = await ownServer(t);
    await own.stop();
    const redis = await open(t, { url: own.url });
    const heard: string[] = [];
    await redis.subscribe('channel', (message) => heard.push(message.toString()));
    await ownServer(t, own.port);
    await until(() => redis.isUp);
    await until(async () => {
      await redis.command(['PUBLISH', 'channel', 'now']);
      return heard.length > 0;
    });
  });

  test('a closed subscription hears nothing more', async (t) => {
    const redis = await open(t);
    const heard: string[] = [];
    const first = await redis.subscribe('two', () => heard.push('first'));
    await redis.subscribe('two', () => heard.push('second'));
    await first.close();
    await redis.command(['PUBLISH', 'two', '']);
    await until(() => heard.length > 0);
    assert.deepEqual(heard, ['second']);
  });

  test('a full server counts as away, and is not flapping', async (t) => {
    const own = await ownServer(t);
    const redis = await open(t, { url: own.url });
    const states: boolean[] = [];
    redis.onChange(({ isUp }) => states.push(isUp));
    await redis.command(['CONFIG', 'SET', 'maxmemory', '1']);
    await assert.rejects(redis.command(['SET', 'more', 'x']), RedisAwayError);
    await new Promise((resolve) => setTimeout(resolve, 350));
    assert.deepEqual(states, [false]);
  });

  test('after closing, calls fail and nothing reconnects', async (t) => {
    const redis = await open(t);
    await redis.close();
    await redis.close();
    await assert.rejects(redis.command(['PING']), RedisAwayError);
  });

  for (const wrong of ['http://localhost', 'redis://', 'redis://localhost/zero', 'localhost:6379']) {
    test(`the address "${wrong}" is refused in plain words`, async () => {
      await assert.rejects(openRedis({ url: wrong, log: silentLog }), {
        name: 'StorageError',
        message: /must look like redis:/,
      });
    });
  }
});
