import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { createGuardedPoster, PostError } from '../../src/base/http/guarded-post.ts';
import { HostNames } from '../../src/base/http/host-names.ts';
import { parseNetworks } from '../../src/base/http/networks.ts';

const NEVER = new AbortController().signal;
const MESSAGE = { headers: {}, body: '{}' };

type Names = Pick<HostNames, 'addressesOf'>;

const resolvedTo = (...answers: string[][]): Names => ({
  addressesOf: async () => {
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  },
});

const posterWith = (networks: string[], names: Names = new HostNames({ clock: systemClock })) =>
  createGuardedPoster({ allowedNetworks: parseNetworks(networks), timeoutMs: 2_000, names });

suite('the guard of webhook addresses', () => {
  let connections = 0;
  const server = createServer((request, response) => {
    if (request.url === '/redirect') response.writeHead(307, { location: '/reached' }).end();
    else response.writeHead(request.url === '/reached' ? 500 : 204).end();
  }).on('connection', () => {
    connections++;
  });
  let port = 0;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.address() as AddressInfo).port;
  });
  after(() => server.close());

  for (const url of [
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://172.16.5.4/',
    'https://192.168.1.1/',
    'https://0.0.0.0/',
    'https://255.255.255.255/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2002:7f00:1::]/',
    'https://[fe80::1]/',
    'https://[fc00::1]/',
    'https://localhost/',
    'https://internal/',
    'https://example.com./',
    'http://example.com/',
    'http://93.184.215.14/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'not an address',
    'https://user:password@example.com/',
  ]) {
    test(`refused: ${url}`, async () => {
      const poster = posterWith([]);
      assert.notEqual(poster.refusalOf(url), null);
      await assert.rejects(poster.post(url, MESSAGE, NEVER), PostError);
      await poster.close();
    });
  }

  for (const url of [
    'https://example.com/hook',
    'https://example.com:8443/hook',
    'https://[2606:4700::1111]/',
  ])
    test(`allowed: ${url}`, async () => {
      const poster = posterWith([]);
      assert.equal(poster.refusalOf(url), null);
      await poster.close();
    });

  for (const [what, addresses] of [
    ['a private address', ['10.0.0.1']],
    ['loopback', ['127.0.0.1']],
    ['loopback of IPv6', ['::1']],
    ['an IPv4 address in IPv6 form', ['::ffff:127.0.0.1']],
    ['a public and a private address', ['93.184.215.14', '127.0.0.1']],
    ['no address', []],
  ] as const) {
    test(`refused: a name that resolves to ${what}`, async () => {
      const poster = posterWith([], resolvedTo([...addresses]));
      const before = connections;
      await assert.rejects(
        poster.post(`https://hook.example:${port}/`, MESSAGE, NEVER),
        /hook\.example is not on the public internet/,
      );
      assert.equal(connections, before);
      await poster.close();
    });
  }

  test('a name that resolves to another address the second time (rebinding): each connection uses what was checked', async () => {
    const poster = posterWith(['127.0.0.1'], resolvedTo(['127.0.0.1'], ['127.0.0.2']));
    const url = `http://hook.example:${port}/`;
    assert.equal((await poster.post(url, MESSAGE, NEVER)).status, 204);
    await assert.rejects(poster.post(url, MESSAGE, NEVER), /not on the public internet/);
    await poster.close();
  });

  test('a redirect is not followed', async () => {
    const poster = posterWith(['loopback']);
    const reply = await poster.post(`http://127.0.0.1:${port}/redirect`, MESSAGE, NEVER);
    assert.equal(reply.status, 307);
    await poster.close();
  });

  test('a network that the operator allows is reached, another private one is not', async () => {
    const poster = posterWith(['loopback']);
    assert.equal((await poster.post(`http://127.0.0.1:${port}/`, MESSAGE, NEVER)).status, 204);
    assert.equal((await poster.post(`http://localhost:${port}/`, MESSAGE, NEVER)).status, 204);
    for (const url of ['http://10.0.0.1/', 'https://10.0.0.1/', 'http://93.184.215.14/'])
      assert.notEqual(poster.refusalOf(url), null, url);
    await poster.close();
  });
});
