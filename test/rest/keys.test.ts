import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { generateKey } from '../../src/accounts/keys/key-text.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { freePort } from '../support/free-port.ts';
import { type ProblemBody, problemOf, type Rest, startRest } from './rest-service.ts';

const PATH = '/api/v1/exchanges';

suite('API keys over HTTP', () => {
  let rest: Rest;
  before(async () => {
    rest = await startRest({ venues: ['binance'] });
  });
  after(() => rest.stop());
  const status = async (key: string) => (await rest.getWith(key, PATH)).status;
  const refused = async (key: string | null, headers: Record<string, string> = {}): Promise<ProblemBody> => {
    // Each wrong key counts against the address, so that a minute passes before the next.
    rest.clock.advanceMs(61_000);
    return problemOf(rest, await rest.getWith(key, PATH, headers), 401, 'unauthenticated');
  };

  test('a key works in Authorization, whatever the case of Bearer, and in X-Api-Key', async () => {
    const { pro } = rest.keys;
    for (const headers of [
      { authorization: `Bearer ${pro}` },
      { authorization: `bearer ${pro}` },
      { authorization: `BEARER  ${pro}` },
      { 'x-api-key': pro },
      { authorization: '', 'x-api-key': pro },
    ])
      assert.equal((await rest.getWith(null, PATH, headers)).status, 200, Object.keys(headers).join());
  });

  for (const name of ['api_key', 'key', 'access_token', 'authorization', 'x-api-key', 'X-Api-Key', 'token']) {
    test(`is never read from the query string (${name})`, async () => {
      const reply = await rest.getWith(null, `${PATH}?${name}=${encodeURIComponent(rest.keys.pro)}`);
      const { detail } = problemOf(rest, reply, 401, 'unauthenticated');
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="perpwire"', 'as without any key');
      assert.ok(!detail.includes(rest.keys.pro.slice(20)), 'nor repeated');
    });
  }

  test('a mistyped key gets a detail that says so', async () => {
    const { pro } = rest.keys;
    const swapped = pro.slice(0, 20) + (pro[20] === 'A' ? 'B' : 'A') + pro.slice(21);
    assert.match((await refused(swapped)).detail, /checksum/);
  });

  for (const [what, key] of Object.entries({
    'an unknown key with a right checksum': generateKey('test').text,
    'a live key that nobody made': generateKey('live').text,
    'a short one': 'pw_test_abc',
    'one with blanks around': 'pw_test_ abc',
    'a prototype name': '__proto__',
    '30 kB': 'x'.repeat(30_000),
  })) {
    test(`${what} is refused`, async () => {
      const { detail } = await refused(key);
      assert.ok(!detail.includes(key.slice(0, 30)) || key.length < 10, 'and not repeated');
    });
  }

  test('"Authorization: Bearer a b" is a wrong key, not a missing one', async () => {
    rest.clock.advanceMs(61_000);
    const reply = await rest.getWith(null, PATH, { authorization: 'Bearer a b' });
    problemOf(rest, reply, 401, 'unauthenticated');
    assert.match(reply.headers.get('www-authenticate') ?? '', /, error="invalid_token", /);
  });

  for (const scheme of ['Basic dXNlcjpwYXNz', 'Bearer', 'Digest username="x"']) {
    test(`"Authorization: ${scheme}" is no key`, async () => {
      await refused(null, { authorization: scheme });
    });
  }

  test('a revoked key stops at once', async () => {
    const { text, key } = await rest.newKey('pro');
    assert.equal(await status(text), 200);
    await rest.service.accounts.keys.revoke(key.id);
    assert.match((await refused(text)).detail, /revoked/);
  });

  test('an expired key stops at its time, and not before', async () => {
    const { text } = await rest.newKey('pro', { expiresAtMs: rest.clock.nowMs() + HOUR_MS });
    rest.clock.advanceMs(HOUR_MS - 1);
    assert.equal(await status(text), 200);
    rest.clock.advanceMs(1);
    assert.match((await refused(text)).detail, /expired/);
  });

  test('a key lasts a year by default', async () => {
    const { key } = await rest.newKey('pro');
    assert.equal(key.expiresAtMs - key.createdAtMs, 365 * DAY_MS);
  });

  test('a rotated key works for another 24 hours beside the new one', async () => {
    const { text: old, key } = await rest.newKey('pro');
    const { text: fresh } = await rest.service.accounts.keys.rotate(key.id);
    rest.clock.advanceMs(DAY_MS - 1_000);
    assert.deepEqual([await status(old), await status(fresh)], [200, 200]);
    rest.clock.advanceMs(1_000);
    assert.match((await refused(old)).detail, /rotated/);
    assert.equal(await status(fresh), 200);
  });

  test('a host tier that includes Developer lifts a Demo account', async () => {
    const { accounts, keys } = rest.service.accounts;
    const account = await accounts.create({ name: 'trader', plan: 'demo', hostTier: 'top' });
    const { text } = await keys.create({ accountId: account.id, name: 'bot', kind: 'test' });
    const reply = await rest.getWith(text, '/api/v1/usage');
    assert.equal((reply.body as { data: { plan: string } }).data.plan, 'developer');
    await accounts.setHostTier(account.id, null);
    const after = await rest.getWith(text, '/api/v1/usage');
    assert.equal((after.body as { data: { plan: string } }).data.plan, 'demo');
  });

  test('a test key works only while the address is a loopback one', async () => {
    const port = await freePort();
    const open = await startRest({
      isEmpty: true,
      venues: ['binance'],
      settings: { BASE_URL: 'https://api.perpwire.example', PORT: String(port) },
    });
    const reply = await fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { 'x-api-key': open.keys.pro } });
    assert.equal(reply.status, 401);
    const body = (await reply.json()) as ProblemBody;
    assert.match(body.detail, /pw_test_ key works only on a loopback address/);
    assert.equal(body.docs, 'https://api.perpwire.example/developers', 'links use the base address');
    await open.stop();
  });
});
