import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { generateKey } from '../../src/accounts/keys/key-text.ts';
import { problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/usage';

async function sendWrong(rest: Rest, count: number, headers: Record<string, string> = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent++)
    statuses.push((await rest.getWith(generateKey('test').text, PATH, headers)).status);
  return statuses;
}
const times = (status: number, count: number) => Array<number>(count).fill(status);

suite('too many rejected keys from one address', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ isEmpty: true, venues: ['binance'] });
  });
  after(() => rest.stop());

  test('the 31st within a minute is 429 with Retry-After, and so is a good key from there', async () => {
    assert.deepEqual(await sendWrong(rest, 30), times(401, 30));
    assert.equal(
      (await rest.getWith(rest.keys.pro, PATH)).status,
      200,
      'after 30 the address is not blocked yet',
    );
    const reply = await rest.getWith(generateKey('live').text, PATH);
    assert.match(problemOf(rest, reply, 429, 'rate-limited').detail, /wrong keys came from this address/);
    const waitSeconds = Number(reply.headers.get('retry-after'));
    assert.ok(waitSeconds >= 1 && waitSeconds <= 60);
    problemOf(rest, await rest.getWith(rest.keys.pro, PATH), 429, 'rate-limited');
    problemOf(rest, await rest.getWith(null, PATH), 429, 'rate-limited');
    rest.clock.advanceMs(waitSeconds * 1_000);
    assert.equal((await rest.getWith(rest.keys.pro, PATH)).status, 200);
  });

  test('missing keys do not count', async () => {
    rest.clock.advanceMs(61_000);
    for (let sent = 0; sent < 60; sent++) assert.equal((await rest.getWith(null, PATH)).status, 401);
    assert.equal((await rest.getWith(rest.keys.pro, PATH)).status, 200);
  });

  test('mistyped keys count', async () => {
    rest.clock.advanceMs(61_000);
    for (let sent = 0; sent < 30; sent++) await rest.getWith(`nonsense-${sent}`, PATH);
    problemOf(rest, await rest.getWith('nonsense', PATH), 429, 'rate-limited');
  });

  test('expired and rotated-out keys are rejected keys too', async () => {
    rest.clock.advanceMs(61_000);
    const expired = await rest.newKey('pro', { expiresAtMs: rest.clock.nowMs() + 1_000 });
    const rotated = await rest.newKey('pro');
    await rest.service.accounts.keys.rotate(rotated.key.id);
    rest.clock.advanceMs(24 * 3_600_000);
    for (let sent = 0; sent < 15; sent++) {
      for (const { text } of [expired, rotated]) assert.equal((await rest.getWith(text, PATH)).status, 401);
    }
    problemOf(rest, await rest.getWith(expired.text, PATH), 429, 'rate-limited');
    problemOf(rest, await rest.getWith(rest.keys.pro, PATH), 429, 'rate-limited');
  });

  test('X-Forwarded-For is ignored from an untrusted peer', async () => {
    rest.clock.advanceMs(61_000);
    for (let sent = 0; sent < 30; sent++)
      assert.deepEqual(await sendWrong(rest, 1, { 'x-forwarded-for': `203.0.113.${sent}` }), [401]);
    assert.deepEqual(await sendWrong(rest, 1, { 'x-forwarded-for': '203.0.113.99' }), [429]);
    const claimed = await rest.getWith(rest.keys.pro, PATH, { 'x-forwarded-for': '198.51.100.1' });
    problemOf(rest, claimed, 429, 'rate-limited');
  });
});

suite('behind a proxy named in the settings', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({
      isEmpty: true,
      venues: ['binance'],
      settings: { TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' },
    });
  });
  after(() => rest.stop());
  const from = (address: string) => ({ 'x-forwarded-for': address });

  test('each address behind it is counted separately', async () => {
    assert.deepEqual(await sendWrong(rest, 31, from('203.0.113.7')), [...times(401, 30), 429]);
    assert.equal((await rest.getWith(rest.keys.pro, PATH, from('203.0.113.8'))).status, 200);
    problemOf(rest, await rest.getWith(rest.keys.pro, PATH, from('203.0.113.7')), 429, 'rate-limited');
  });

  test('what a caller puts before the proxy’s own entry does not help', async () => {
    assert.deepEqual(await sendWrong(rest, 30, from('198.51.100.1, 203.0.113.20')), times(401, 30));
    assert.deepEqual(await sendWrong(rest, 1, from('198.51.100.2, 203.0.113.20')), [429]);
    assert.equal((await rest.getWith(rest.keys.pro, PATH, from('198.51.100.1'))).status, 200);
  });

  test('a second trusted proxy is skipped', async () => {
    assert.deepEqual(await sendWrong(rest, 31, from('203.0.113.30, 10.1.2.3')), [...times(401, 30), 429]);
    assert.equal((await rest.getWith(rest.keys.pro, PATH, from('203.0.113.31, 10.1.2.3'))).status, 200);
  });

  test('an IPv6 /64 is one address', async () => {
    for (let sent = 0; sent < 30; sent++)
      assert.deepEqual(await sendWrong(rest, 1, from(`2001:db8:1:2::${(sent + 1).toString(16)}`)), [401]);
    assert.deepEqual(await sendWrong(rest, 1, from('2001:db8:1:2:ffff::1')), [429]);
    assert.equal((await rest.getWith(rest.keys.pro, PATH, from('2001:db8:1:3::1'))).status, 200);
  });

  for (const nonsense of ['not an address', ',,,', '__proto__', 'x'.repeat(5_000)]) {
    test(`"${nonsense.slice(0, 20)}" in X-Forwarded-For does no harm`, async () => {
      assert.equal((await rest.getWith(rest.keys.pro, PATH, from(nonsense))).status, 200);
    });
  }
});
