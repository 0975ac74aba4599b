import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { openRedis } from '../../src/storage/redis/open.ts';
import { RedisUnavailableError, redisScript } from '../../src/storage/redis/redis.ts';
import { launchRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { silentLog } from './databases.ts';

const server = await launchRedis();
if (typeof server !== 'string') after(() => server.stop());
const skip = typeof server === 'string' ? server : false;
const port = typeof server === 'string' ? 0 : server.port;

async function open(t: TestContext, url: string, timeoutMs = 10_000) {
  const redis = await openRedis({ url, log: silentLog, timeoutMs });
  t.after(() => redis.close());
  return redis;
}

/** Listens with a free port and ends with the test. */
async function listening(t: TestContext, proxy: ReturnType<typeof createServer>) {
  const sockets = new Set<Socket>();
  proxy.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  return { port: (proxy.address() as AddressInfo).port, sockets };
}

/** Passes the bytes of a client on to the Redis, and its replies to `pass`. */
function relay(client: Socket, pass: (reply: Buffer) => void): void {
  const upstream = connect(port, '127.0.0.1');
  client.pipe(upstream);
  upstream.on('data', pass);
  client.on('close', () => upstream.destroy());
  for (const socket of [client, upstream]) socket.on('error', () => undefined);
  upstream.on('close', () => client.destroy());
}

describe('a connection to Redis', { skip }, () => {
  test('the database of the address is used', async (t) => {
    const [first, second] = [
      await open(t, `redis://127.0.0.1:${port}/0`),
      await open(t, `redis://127.0.0.1:${port}/3`),
    ];
    await second.command(['SET', 'of three', 'yes']);
    assert.deepEqual(
      [await first.command(['GET', 'of three']), await second.command(['GET', 'of three'])],
      [null, 'yes'],
    );
  });

  test('a database that the server does not have is named as the reason', async (t) => {
    const redis = await open(t, `redis://127.0.0.1:${port}/99`);
    await until(() => /index is out of range/.test(redis.reason ?? ''));
    await assert.rejects(redis.command(['ECHO', 'x']), RedisUnavailableError);
  });

  test('the password of the address is used, and a wrong one is named as the reason', async (t) => {
    const own = await launchRedis();
    if (typeof own === 'string') throw new Error(own);
    t.after(() => own.stop());
    const before = await open(t, own.url);
    await before.command(['CONFIG', 'SET', 'requirepass', 'p ä:/@']);
    const password = encodeURIComponent('p ä:/@');
    const right = await open(t, `redis://:${password}@127.0.0.1:${own.port}`);
    assert.equal(await right.command(['ECHO', 'in']), 'in');
    const wrong = await open(t, `redis://:other@127.0.0.1:${own.port}`);
    await until(() => /WRONGPASS/.test(wrong.reason ?? ''));
    const without = await open(t, own.url);
    await until(() => /NOAUTH/.test(without.reason ?? ''));
    assert.deepEqual([wrong.isUp, without.isUp], [false, false]);
  });

  test('the user of the address is used, also one that may set no name', async (t) => {
    const admin = await open(t, `redis://127.0.0.1:${port}`);
    const rules = ['on', '>secret', '~*', '&*', '+@all', '-client'];
    await admin.command(['ACL', 'SETUSER', 'reader', ...rules]);
    const redis = await open(t, `redis://reader:secret@127.0.0.1:${port}`);
    assert.equal(await redis.command(['ACL', 'WHOAMI']), 'reader');
  });

  test('rediss: is TLS, with the name of the server', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-redis-tls-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync('openssl', [...made, '-keyout', key, '-out', cert, '-days', '2', ...subject], {
      stdio: 'ignore',
    });
    const known = getCACertificates('default');
    setDefaultCACertificates([...known, readFileSync(cert, 'utf8')]);
    t.after(() => setDefaultCACertificates(known));
    const names: unknown[] = [];
    const proxy = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (client) => {
      names.push(client.servername);
      relay(client, (reply) => client.write(reply));
    });
    const { port: tlsPort } = await listening(t, proxy);
    const redis = await open(t, `rediss://localhost:${tlsPort}/2`);
    await until(() => redis.isUp);
    await redis.command(['SET', 'over tls', 'x'.repeat(200_000)]);
    assert.equal(await redis.command(['STRLEN', 'over tls']), 200_000);
    assert.equal((await redis.command(['GET', 'over tls']))?.toString().length, 200_000);
    assert.equal(names[0], 'localhost');
  });

  test('after a cut connection the waiting commands fail, and a new connection takes over', async (t) => {
    let isMute = false;
    const proxy = createServer((client) => {
      relay(client, (reply) => {
        if (!isMute) client.write(reply);
      });
    });
    const { port: proxyPort, sockets } = await listening(t, proxy);
    const redis = await open(t, `redis://127.0.0.1:${proxyPort}`, 60_000);
    await until(() => redis.isUp);
    const states: boolean[] = [];
    redis.onChange((isUp) => states.push(isUp));
    isMute = true;
    const waiting = [redis.command(['ECHO', 'one']), redis.command(['ECHO', 'two'])];
    const failed = Promise.allSettled(waiting);
    for (const socket of sockets) socket.resetAndDestroy();
    const reasons = (await failed).map((one) => one.status === 'rejected' && one.reason);
    assert.ok(reasons.every((reason) => reason instanceof RedisUnavailableError));
    isMute = false;
    await until(() => redis.isUp);
    assert.deepEqual(states, [false, true]);
    assert.equal(await redis.command(['ECHO', 'three']), 'three');
  });

  test('a server that is no Redis is named as such', async (t) => {
    const proxy = createServer((client) => {
      client.on('error', () => undefined);
      client.on('data', () => client.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const redis = await open(t, `redis://127.0.0.1:${(await listening(t, proxy)).port}`);
    await until(() => /not that of a Redis/.test(redis.reason ?? ''));
  });

  test('a script that Redis has forgotten is sent again while others wait', async (t) => {
    const redis = await open(t, `redis://127.0.0.1:${port}`);
    const script = redisScript('return ARGV[1]');
    assert.equal(await redis.run(script, [], ['first']), 'first');
    const [, ...replies] = await Promise.all([
      redis.command(['SCRIPT', 'FLUSH']),
      redis.run(script, [], ['second']),
      redis.run(script, [], ['third']),
      redis.command(['ECHO', 'fourth']),
    ]);
    assert.deepEqual(replies, ['second', 'third', 'fourth']);
  });
});
