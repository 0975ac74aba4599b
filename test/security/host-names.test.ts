import assert from 'node:assert/strict';
import { lookup } from 'node:dns/promises';
import { after, before, beforeEach, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createGuardedFetch } from '../../src/base/http/guarded-fetch.ts';
import { createGuardedPoster } from '../../src/base/http/guarded-post.ts';
import { HostNameError, HostNames } from '../../src/base/http/host-names.ts';
import { parseNetworks } from '../../src/base/http/networks.ts';
import { SECOND_MS } from '../../src/base/times.ts';
import { ALL_FETCHES_PER_MINUTE } from '../../src/oauth/client-limits.ts';
import { startReceiver } from '../alerts/receiver.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { collectOnce, runService } from '../support/service.ts';
import { GIVE_UP_MS, until } from '../support/until.ts';

const NEVER = new AbortController().signal;
const SILENT = () => null;

suite('host names that users supply', () => {
  let server: NameServer;
  let clock: ManualClock;
  let names: HostNames;
  before(async () => {
    server = await startNameServer(SILENT);
  });
  after(() => server.close());
  beforeEach(() => {
    clock = new ManualClock(Date.now());
    names = new HostNames({ clock, servers: [server.address], timeoutMs: GIVE_UP_MS });
    server.requested.length = 0;
  });
  const posterTo = (...networks: string[]) =>
    createGuardedPoster({ allowedNetworks: parseNetworks(networks), timeoutMs: 5_000, names });

  test('a name has its IPv4 and its IPv6 addresses', async () => {
    server.zone = () => ['93.184.215.14', '2606:4700::1111'];
    assert.deepEqual(await names.addressesOf('both.example', NEVER), [
      { address: '93.184.215.14', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
    server.zone = () => ['2606:4700::1111'];
    assert.deepEqual(await names.addressesOf('six.example', NEVER), [
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  for (const name of ['localhost', 'api.localhost', 'localhost.'])
    test(`${name} is loopback, and no name server is asked`, async () => {
      const addresses = (await names.addressesOf(name, NEVER)).map(({ address }) => address);
      assert.deepEqual(addresses, ['127.0.0.1', '::1']);
      assert.deepEqual(server.requested, []);
    });

  test('a name that does not exist is remembered for 30 seconds, then asked again', async () => {
    server.zone = () => [];
    const ask = () => assert.rejects(names.addressesOf('none.example', NEVER), HostNameError);
    await ask();
    assert.deepEqual(server.requested, ['none.example']);
    server.requested.length = 0;
    clock.advanceMs(29 * SECOND_MS);
    await ask();
    assert.deepEqual(server.requested, []);
    clock.advanceMs(SECOND_MS);
    await ask();
    assert.deepEqual(server.requested, ['none.example']);
  });

  test('a name server that never answers: the look-up fails by itself', async () => {
    server.zone = SILENT;
    const impatient = new HostNames({ clock, servers: [server.address] });
    await assert.rejects(impatient.addressesOf('silent.example', NEVER), /the host name cannot be resolved/);
  });

  test('four names are asked at a time; one that is aborted makes room and is not remembered as missing', async () => {
    server.zone = SILENT;
    const callers = Array.from({ length: 6 }, () => new AbortController());
    const hungUp = callers.map(({ signal }, i) =>
      assert.rejects(names.addressesOf(`slow${i}.example`, signal), /hung up/),
    );
    await until(() => server.requested.length >= 4, 'four names being requested');
    assert.equal(server.mostWaiting(), 4);
    const reason = new Error('hung up');
    callers[5]?.abort(reason);
    await hungUp[5];
    callers[0]?.abort(reason);
    await until(() => server.requested.includes('slow4.example'), 'the next name being requested');
    for (const caller of callers) caller.abort(reason);
    await Promise.all(hungUp);
    assert.ok(!server.requested.includes('slow5.example'));
    server.zone = () => ['93.184.215.14'];
    assert.equal((await names.addressesOf('slow0.example', NEVER)).length, 1);
  });

  test('a webhook goes to the address that was found, and private addresses are refused', async (t) => {
    const receiver = await startReceiver();
    t.after(() => receiver.close());
    const { port } = new URL(receiver.url);
    server.zone = (name) => (name === 'mixed.example' ? ['93.184.215.14', '127.0.0.1'] : ['127.0.0.1']);
    const message = { headers: {}, body: '{}' };
    const inside = posterTo('loopback');
    assert.equal((await inside.post(`http://hook.example:${port}/`, message, NEVER)).status, 204);
    const outside = posterTo();
    for (const host of ['loop.example', 'mixed.example'])
      await assert.rejects(
        outside.post(`https://${host}:${port}/`, message, NEVER),
        new RegExp(`${host} is not on the public internet`),
      );
    assert.equal(receiver.posts.length, 1);
  });

  test('a client document on a name that leads to a private address is not fetched', async () => {
    server.zone = () => ['10.0.0.1'];
    const fetched = createGuardedFetch(names)('https://private.example/client.json', NEVER);
    await assert.rejects(fetched, /private\.example is not on the public internet/);
  });

  test('strangers who name clients on slow name servers: venues are read meanwhile, and their number and time are limited', async (t) => {
    const slow = await startNameServer(SILENT);
    t.after(() => slow.close());
    const running = await runService({
      venues: ['binance'],
      coins: 4,
      // The limit counts by the minute, and on a busy machine the test takes longer.
      clock,
      settings: { TRUSTED_PROXIES: 'loopback' },
      serviceOptions: { nameServers: [slow.address] },
    });
    t.after(() => running.stop());
    const { baseUrl } = running.service;
    const leaving = new AbortController();
    const name = async (i: number, signal?: AbortSignal) => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: `https://client${i}.example/client.json`,
      });
      return await fetch(`${baseUrl}/oauth/authorize?${query}`, {
        headers: { 'x-forwarded-for': `203.0.113.${i}` },
        ...(signal ? { signal } : {}),
      });
    };
    const patient = name(0);
    await until(() => slow.requested.length > 0, 'the first name being requested');
    const others = Array.from({ length: ALL_FETCHES_PER_MINUTE - 1 }, (_, i) => name(i + 1, leaving.signal));
    const ended = Promise.allSettled(others);
    await until(() => slow.requested.length >= 4, 'the first names being requested');
    await collectOnce(running);
    assert.ok(!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap'));
    assert.ok((await lookup('localhost')).address);
    await until(async () => (await name(201, leaving.signal)).status === 429, 'the limit over all addresses');
    const refused = await name(202);
    assert.equal(refused.status, 429);
    const waitSeconds = Number(refused.headers.get('retry-after'));
    assert.ok(waitSeconds >= 1 && waitSeconds <= 60, `${waitSeconds}`);
    assert.match(await refused.text(), /temporarily_unavailable/);
    const exchange = await fetch(`${baseUrl}/oauth/token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.203' },
      body: new URLSearchParams({
        client_id: 'https://client203.example/client.json',
        grant_type: 'authorization_code',
      }),
    });
    assert.equal(exchange.status, 429, 'the document is needed there too');
    assert.ok(Number(exchange.headers.get('retry-after')) >= 1);
    leaving.abort();
    await ended;
    const answer = await patient;
    assert.equal(answer.status, 400);
    assert.match(await answer.text(), /invalid_client/);
    assert.ok(!slow.requested.includes('client202.example'));
  });
});
