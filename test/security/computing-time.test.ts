import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { suite, type TestContext, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { createHttpServer } from '../../src/doors/http/server.ts';
import { signedUp } from '../oauth/person.ts';
import { runService } from '../support/service.ts';

const PAGE_MS = 500;
/** What 20 s of the rates below give at once. */
const MOST_MS = 2_000;

/** A server whose pages take half a second of computing each, on a clock that the test moves. */
async function started(t: TestContext) {
  const clock = new ManualClock(1_800_000_000_000);
  const metrics = createMetrics();
  let workedMs = 0;
  const counts = { pages: 0, calls: 0 };
  const server = createHttpServer({
    baseUrl: () => 'http://127.0.0.1',
    trustedProxies: ['loopback'],
    log: createLog('silent'),
    metrics,
    budgets: {
      visitorMsPerSecond: MOST_MS / 20,
      visitorsMsPerSecond: 1_000,
      accountMsPerSecond: MOST_MS / 20,
      clock,
      workedMs: () => workedMs,
      accountOf: ({ authorization, cookie }, isForPrograms) =>
        (isForPrograms ? authorization : cookie) ?? null,
    },
  });
  server.bare.direct.set('/api/v1/funding', (_request, response) => {
    counts.calls++;
    response.end('rates');
  });
  server.get('/funding', async () => {
    counts.pages++;
    workedMs += PAGE_MS;
    return 'page';
  });
  server.get('/assets/1/style.css', async () => 'style');
  server.get('/healthz', async () => 'ok');
  await server.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  const get = async (path: string, address: string, headers: Record<string, string> = {}) =>
    await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-forwarded-for': address, ...headers } });
  const spend = async (address: string, headers: Record<string, string> = {}) => {
    for (let spent = 0; spent <= MOST_MS; spent += PAGE_MS)
      assert.equal((await get('/funding', address, headers)).status, spent < MOST_MS ? 200 : 429);
  };
  return { clock, counts, get, metrics, port, spend };
}

suite('computing time of one caller', () => {
  test('who has used it gets a short page with 429 and Retry-After, before any work is done', async (t) => {
    const { clock, counts, get, metrics } = await started(t);
    for (let i = 0; i < 4; i++) assert.equal((await get('/funding', '192.0.2.1')).status, 200);
    const refused = await get('/funding', '192.0.2.1', { accept: 'text/html' });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '1');
    assert.equal(refused.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.ok(refused.headers.get('x-request-id'));
    const text = await refused.text();
    assert.match(text, /Reload this page in 1 s/);
    assert.ok(text.length < 1_000);
    assert.equal(counts.pages, 4);
    const { values } = await metrics.spentRequests.get();
    assert.deepEqual(
      values.map(({ labels, value }) => [labels.kind, value]),
      [['page', 1]],
    );
    clock.advanceMs(1_000);
    assert.equal((await get('/funding', '192.0.2.1')).status, 200, 'a second later some is left');
    assert.equal((await get('/funding', '192.0.2.2')).status, 200, 'another address has its own');
  });

  test('a path for programs gets a problem body', async (t) => {
    const { get, spend } = await started(t);
    await spend('192.0.2.1');
    const refused = await get('/api/v1/funding', '192.0.2.1', { accept: 'text/html' });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('content-type'), 'application/problem+json');
    const { code, detail } = (await refused.json()) as Record<string, unknown>;
    assert.equal(code, 'rate-limited');
    assert.match(String(detail), /wait 1 s/);
  });

  test('calls with a key pass although their address has used its time, and have their own budget', async (t) => {
    const { counts, get, spend } = await started(t);
    await spend('192.0.2.1');
    assert.equal((await get('/api/v1/funding', '192.0.2.1', { authorization: 'key' })).status, 200);
    assert.equal(counts.calls, 1);
  });

  test('an account has its own, at whatever address', async (t) => {
    const { get, spend } = await started(t);
    await spend('192.0.2.1', { cookie: 'ada' });
    assert.equal((await get('/funding', '192.0.2.2', { cookie: 'ada' })).status, 429);
    assert.equal((await get('/funding', '192.0.2.1', { cookie: 'grace' })).status, 200);
    assert.equal((await get('/funding', '192.0.2.1')).status, 200);
  });

  test('addresses of one IPv6 /64 count as one', async (t) => {
    const { get, spend } = await started(t);
    await spend('2001:db8:1:2::1');
    assert.equal((await get('/funding', '2001:db8:1:2:ffff::9')).status, 429);
    assert.equal((await get('/funding', '2001:db8:1:3::1')).status, 200);
  });

  test('twenty visitors behind one address can read', async (t) => {
    const { clock, get } = await started(t);
    clock.advanceMs(60_000);
    // The first four use it up; as people do, the others read one after the other.
    for (let visitor = 0; visitor < 20; visitor++) {
      assert.equal((await get('/funding', '192.0.2.1')).status, 200, `visitor ${visitor}`);
      clock.advanceMs(5_000);
    }
  });

  test('files of pages are never refused', async (t) => {
    const { get, spend } = await started(t);
    await spend('192.0.2.1');
    assert.equal((await get('/assets/1/style.css', '192.0.2.1')).status, 200);
  });

  test('a refused connection is closed, and what it pipelined is not answered', async (t) => {
    const { counts, port, spend } = await started(t);
    await spend('127.0.0.1');
    const client = connect({ host: '127.0.0.1', port });
    t.after(() => client.destroy());
    let received = '';
    client.on('data', (chunk) => {
      received += chunk;
    });
    client.write('GET /funding HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5));
    await once(client, 'close');
    assert.equal(received.match(/HTTP\/1\.1 429/g)?.length, 1);
    assert.match(received, /\r\nconnection: close\r\n/i);
    assert.equal(counts.pages, 4);
  });
});

test('a key and a session are known by their own budgets', async (t) => {
  const running = await runService({ venues: ['binance'], coins: 3 });
  t.after(() => running.stop());
  const { people, baseUrl } = running.service;
  const { keys } = running;
  const authorization = `Bearer ${keys.pro}`;
  assert.notEqual(people.accountOf({ authorization }, true), null);
  assert.equal(people.accountOf({ authorization: `${authorization}x` }, true), null);
  assert.equal(people.accountOf({ authorization }, false), null, 'pages do not look at keys');
  const { browser, accountId } = await signedUp(running.service, 'time@example.com', 'pro');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  await fetch(`${baseUrl}/funding`, { headers: { cookie } });
  assert.equal(people.accountOf({ cookie }, false), accountId);
  assert.equal(people.accountOf({ cookie: 'pw_session=made-up' }, false), null);
});
