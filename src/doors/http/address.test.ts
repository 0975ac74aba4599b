import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { suite, test } from 'node:test';
import { addressReader } from './address.ts';

function requestFrom(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwardedFor !== undefined) request.headers['x-forwarded-for'] = forwardedFor;
  return request;
}

suite('client address', () => {
  const addressOf = addressReader(['loopback', '10.0.0.0/8']);

  for (const [name, peer, forwardedFor, address] of [
    ['no header: the connection', '127.0.0.1', undefined, '127.0.0.1'],
    ['an untrusted peer: the header is ignored', '203.0.113.1', '198.51.100.1', '203.0.113.1'],
    ['the last entry of a trusted proxy', '127.0.0.1', '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['a second trusted proxy is skipped', '127.0.0.1', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['an IPv4-mapped peer', '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['an IPv4-mapped entry', '127.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['an entry with a port', '127.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['a trusted proxy with a port', '127.0.0.1', '203.0.113.7, 10.1.2.3:80', '203.0.113.7'],
    ['IPv6 in brackets with a port', '::1', '[2001:db8::1]:4711', '2001:db8::1'],
    ['an entry that is no address: the proxy that wrote it', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['shorthand that only inet_aton knows', '127.0.0.1', '203.0.113.7, 127.1', '127.0.0.1'],
    ['only proxies: the outermost', '127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['empty entries', '127.0.0.1', ',,,', '127.0.0.1'],
  ] as const) {
    test(name, () => assert.equal(addressOf(requestFrom(peer, forwardedFor)), address));
  }

  test('without trusted proxies the header is ignored', () => {
    assert.equal(addressReader([])(requestFrom('::ffff:127.0.0.1', '203.0.113.7')), '127.0.0.1');
  });

  test('each network name covers its networks', () => {
    for (const [name, proxy] of [
      ['loopback', '::1'],
      ['linklocal', '169.254.1.1'],
      ['linklocal', 'fe80::1'],
      ['uniquelocal', '172.31.0.1'],
      ['uniquelocal', 'fd00::1'],
    ] as const)
      assert.equal(addressReader([name])(requestFrom(proxy, '203.0.113.7')), '203.0.113.7', name);
  });

  test('an entry that is no network is named in the error', () => {
    assert.throws(() => addressReader(['loopback', '1.2.3']), /not an address or network: 1\.2\.3$/);
  });
});
