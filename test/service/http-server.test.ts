import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { listenOnAllOf } from '../../src/doors/http/localhost.ts';
import { createHttpServer, TIMED_ONE_IN, UNREAD_MS } from '../../src/doors/http/server.ts';

async function started(t: TestContext) {
  const metrics = createMetrics();
  const server = createHttpServer({
    baseUrl: () => 'http://127.0.0.1',
    trustedProxies: [],
    log: createLog('silent'),
    metrics,
  });
  server.bare.direct.set('/bare', (_request, response) => response.end('bare'));
  server.get('/framed', async () => 'framed');
  await server.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  return { server, metrics, port: (server.server.address() as AddressInfo).port };
}

const both = async () => [
  { address: '127.0.0.1', family: 4 },
  { address: '127.0.0.2', family: 4 },
];

suite('HTTP server', () => {
  test('localhost listens on every address of that name, and all of them close', async (t) => {
    const { server, port } = await started(t);
    await listenOnAllOf('localhost', server.server, both);
    for (const address of ['127.0.0.1', '127.0.0.2'])
      for (const path of ['bare', 'framed'])
        assert.equal(await (await fetch(`http://${address}:${port}/${path}`)).text(), path);
    await server.close();
    for (const address of ['127.0.0.1', '127.0.0.2'])
      await assert.rejects(fetch(`http://${address}:${port}/bare`));
  });

  test('any other host listens on one address', async (t) => {
    const { server, port } = await started(t);
    await listenOnAllOf('127.0.0.1', server.server, both);
    await assert.rejects(fetch(`http://127.0.0.2:${port}/bare`));
  });

  test('an address that the machine does not have is skipped', async (t) => {
    const { server, port } = await started(t);
    await listenOnAllOf('localhost', server.server, async () => [{ address: '192.0.2.1', family: 4 }]);
    assert.equal((await fetch(`http://127.0.0.1:${port}/bare`)).status, 200);
  });

  test('an address on which another program listens is an error', async (t) => {
    const { server, port } = await started(t);
    const other = createNetServer().listen(port, '127.0.0.2');
    await once(other, 'listening');
    t.after(() => other.close());
    await assert.rejects(listenOnAllOf('localhost', server.server, both), /EADDRINUSE/);
  });

  test('refused clients (CONNECT, bytes that are no HTTP) that keep their side open do not keep the server from closing', async (t) => {
    const { server, port } = await started(t);
    const refused = async (first: string) => {
      const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
      t.after(() => client.destroy());
      client.on('error', () => undefined).write(first);
      let received = '';
      client.on('data', (chunk) => {
        received += chunk;
      });
      await once(client, 'end');
      assert.match(received, /^HTTP\/1\.1 400 Bad Request\r\n/);
      assert.equal(client.writable, true, 'its side is open');
    };
    await Promise.all(['CONNECT a:1 HTTP/1.1\r\nHost: x\r\n\r\n', 'rubbish\r\n\r\n'].map(refused));
    await server.close();
  });

  test('a client that closes its side while its requests wait for their turn gets its answers', async (t) => {
    const server = createHttpServer({
      ...{ baseUrl: () => '', trustedProxies: [], log: createLog('silent'), metrics: createMetrics() },
      budgets: {
        ...{ visitorMsPerSecond: 1_000, visitorsMsPerSecond: 1_000, accountMsPerSecond: 1_000 },
        ...{ clock: systemClock, accountOf: () => null },
      },
    });
    server.get('/page', async () => 'page');
    await server.listen({ host: '127.0.0.1', port: 0 });
    t.after(() => server.close());
    const { port } = server.server.address() as AddressInfo;
    const client = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    t.after(() => client.destroy());
    let received = '';
    client.on('data', (chunk) => {
      received += chunk;
    });
    client.end('GET /page HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5));
    await once(client, 'end');
    assert.equal(received.match(/HTTP\/1\.1 200/g)?.length, 5);
  });

  test('an answer that nobody reads is cut', async (t) => {
    const { server, port } = await started(t);
    assert.equal(server.server.timeout, UNREAD_MS);
    // The same with less patience.
    server.server.timeout = 300;
    const { promise: isCut, resolve: cut } = Promise.withResolvers<void>();
    server.bare.direct.set('/large', (_request, response) => {
      response.once('close', cut).end(Buffer.alloc(64 * 1024 * 1024));
    });
    const client = connect({ host: '127.0.0.1', port });
    t.after(() => client.destroy());
    client.on('error', () => undefined).pause();
    client.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    await isCut;
    const other = connect({ host: '127.0.0.1', port });
    t.after(() => other.destroy());
    other.write('GET /bare HTTP/1.1\r\nHost: x\r\n\r\n');
    const [reply] = await once(other, 'data');
    assert.match(String(reply), /bare$/);
  });

  test('a connection that the system does not accept does not end the process, on each address of localhost', async (t) => {
    const { server, port } = await started(t);
    await listenOnAllOf('localhost', server.server, both);
    server.server.emit('error', new Error('accept ENOBUFS'));
    assert.equal((await fetch(`http://127.0.0.1:${port}/bare`)).status, 200);
  });

  test('one request in 64 is timed, labelled with the path of its handler and never with text of the caller', async (t) => {
    const { metrics, port } = await started(t);
    for (let i = 0; i < TIMED_ONE_IN * 3; i++) {
      const path = i < TIMED_ONE_IN * 2 ? `/bare?i=${i}` : `/made-up-${i}`;
      await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    }
    const { values } = await metrics.requestSeconds.get();
    const counts = values.filter(({ metricName }) => metricName === 'perpwire_http_request_seconds_count');
    assert.deepEqual(
      counts.map(({ labels, value }) => [labels.path, value]),
      [
        ['/bare', 2],
        ['other', 1],
      ],
    );
  });
});
