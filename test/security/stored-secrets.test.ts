import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, suite, type TestContext, test } from 'node:test';
import { zstdDecompressSync } from 'node:zlib';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS } from '../../src/base/times.ts';
import type { LocalService } from '../../src/wiring/local-service.ts';
import type { Browser } from '../oauth/browser.ts';
import { callTool, OAuthClient } from '../oauth/client.ts';
import { signedUp } from '../oauth/person.ts';
import { openFor, silentLog } from '../storage/sqlite.ts';
import { perpwire } from '../support/process.ts';
import { startPostgres } from '../support/servers.ts';
import { type Running, runService } from '../support/service.ts';

const [OLD, NEW] = ['an old key of thirty-two characters', 'a new key of more than thirty-two characters'];
const postgres = await startPostgres();
after(async () => {
  if (typeof postgres !== 'string') await postgres.stop();
});

suite('secrets in the database', () => {
  let dataDir: string;
  let clock: ManualClock;
  const folders: string[] = [];
  beforeEach(() => {
    clock = new ManualClock(Date.now());
    dataDir = mkdtempSync(join(tmpdir(), 'perpwire-secrets-'));
    folders.push(dataDir);
  });
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const start = async (t: TestContext, settings: Record<string, string> = {}): Promise<Running> => {
    const running = await runService({ venues: ['binance'], coins: 5, clock, dataDir, settings });
    t.after(() => running.stop());
    return running;
  };
  const command = (args: readonly string[], environment: Record<string, string> = {}) =>
    perpwire(['secrets', ...args], { DATA_DIR: dataDir, ...environment });
  const open = (t: TestContext) =>
    openFor(t, { databaseUrl: null, sqliteFile: join(dataDir, 'perpwire.sqlite'), log: silentLog });
  const rows = async (t: TestContext) => {
    const { db } = await open(t);
    return await db.selectFrom('service_secrets').selectAll().where('name', '!=', 'deployment').execute();
  };
  const isSignedIn = async ({ baseUrl }: LocalService, browser: Browser) =>
    (await browser.open(`${baseUrl}/account`)).url.pathname === '/account';
  const keyFile = () => join(dataDir, 'secret.key');

  test('are encrypted with a generated key file that only the owner reads', async (t) => {
    await start(t);
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600);
    const stored = await rows(t);
    assert.deepEqual(stored.map(({ name }) => name).sort(), [
      'alert-pause-links',
      'cookies',
      'oauth-cookies',
      'oauth-signing-keys',
    ]);
    for (const { value } of stored) assert.match(value, /^v1\.[0-9a-f]{12}\./);
  });

  test('plain secrets of an older version are encrypted at the start, and cookies stay valid', async (t) => {
    const before = await runService({ venues: ['binance'], coins: 5, clock, dataDir });
    const { browser } = await signedUp(before.service, 'ada@example.com');
    const [secret = ''] = (await before.service.people.vault.ring(COOKIES)).all();
    await before.stop();
    const { db, close } = await open(t);
    await db.updateTable('service_secrets').set({ value: secret }).where('name', '=', 'cookies').execute();
    await close();
    assert.ok(isInFiles(dataDir, secret), 'as the older version left it');
    const { service } = await start(t);
    assert.ok(await isSignedIn(service, browser));
    assert.ok(!isInFiles(dataDir, secret), 'neither in the database nor in its write-ahead log');
  });

  test('without the key file the service does not start, and writes no other key', async (t) => {
    const before = await runService({ venues: ['binance'], coins: 5, clock, dataDir });
    const { accountId } = await signedUp(before.service, 'owner@example.com');
    await before.service.alerts.alerts.createEndpoint(accountId, 'email', { digest: '' });
    await before.stop();
    rmSync(keyFile());
    await assert.rejects(start(t), /encrypted with the key \w+, which the key file .* does not have; set/);
    assert.ok(!existsSync(keyFile()));
  });

  test('a wrong SECRET_KEY is one sentence that says what to set', async () => {
    const before = await runService({ venues: ['binance'], coins: 5, clock, dataDir });
    await before.stop();
    const { code, stderr } = await perpwire(['serve', '--port', '0', '--admin-port', '0'], {
      DATA_DIR: dataDir,
      SECRET_KEY: NEW,
      VENUES_URL: before.sim.url,
    });
    assert.equal(code, 1);
    assert.match(stderr, /perpwire: The stored secrets are encrypted .* set SECRET_KEY or SECRET_KEY_FILE/);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });

  for (const [fault, environment, message] of [
    ['a short key', { SECRET_KEY: 'short' }, /SECRET_KEY takes keys of at least 32 characters .* it is "…"/],
    ['both settings', { SECRET_KEY: NEW, SECRET_KEY_FILE: '/x' }, /both set; set only one/],
    [
      'a missing key file',
      { SECRET_KEY_FILE: '/no/such/file' },
      /Cannot read SECRET_KEY_FILE .*openssl rand/,
    ],
  ] as const) {
    test(`${fault} names the setting`, async () => {
      const { code, stderr } = await perpwire(['serve', '--port', '0'], {
        DATA_DIR: dataDir,
        ...environment,
      });
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n\s+at |short"/);
    });
  }

  test('rotate with a key file: a new key encrypts, the old one stays in the file, the service goes on', async (t) => {
    const { service } = await start(t);
    const { browser } = await signedUp(service, 'ada@example.com');
    const [oldId] = idsOf(await rows(t));
    const { code, stdout } = await command(['rotate']);
    assert.equal(code, 0);
    assert.match(stdout, /^4 secrets are now encrypted with the key/);
    const ids = new Set(idsOf(await rows(t)));
    assert.equal(ids.size, 1);
    assert.ok(!ids.has(oldId));
    assert.equal(readFileSync(keyFile(), 'utf8').trim().split('\n').length, 2);
    assert.equal(statSync(keyFile()).mode & 0o777, 0o600);
    await service.people.vault.refresh();
    assert.ok(await isSignedIn(service, browser));
    assert.match((await command(['status'])).stdout, new RegExp(`cookies\\s+${[...ids][0]}`));
  });

  test('rotate with SECRET_KEY=NEW,OLD: afterwards NEW alone is enough, and OLD is refused', async (t) => {
    const before = await runService({
      venues: ['binance'],
      coins: 5,
      clock,
      dataDir,
      settings: { SECRET_KEY: OLD, ALERT_NETWORKS: 'loopback' },
    });
    const { browser, accountId } = await signedUp(before.service, 'ada@example.com');
    const { endpoint } = await before.service.alerts.alerts.createEndpoint(accountId, 'webhook', {
      url: 'http://127.0.0.1:9/hook',
    });
    await before.stop();
    assert.ok(!existsSync(keyFile()), 'no file is needed');
    assert.equal((await command(['rotate'], { SECRET_KEY: `${NEW},${OLD}` })).code, 0);
    const again = await command(['rotate'], { SECRET_KEY: `${NEW},${OLD}` });
    assert.match(again.stderr, /encrypted with the first key of SECRET_KEY already; put a new key before it/);
    await assert.rejects(start(t, { SECRET_KEY: OLD }), /which SECRET_KEY does not have/);
    const { service } = await start(t, { SECRET_KEY: NEW });
    assert.ok(await isSignedIn(service, browser));
    // The address of a webhook is encrypted too: to replace its secret, the service must read it.
    assert.match(await service.alerts.alerts.rotateSecret(accountId, endpoint.id), /^whsec_/);
  });

  test('rotate --signing: old cookies and tokens stay valid, new ones have the new secret', async (t) => {
    const { service } = await start(t);
    const { baseUrl, people } = service;
    const person = await signedUp(service, 'ada@example.com');
    const client = new OAuthClient(baseUrl);
    const { access } = await client.connect(person);
    const ring = await people.vault.ring(COOKIES);
    const oldSecret = ring.signing();
    const keyIds = async () => {
      const { keys } = (await (await fetch(`${baseUrl}/oauth/jwks`)).json()) as { keys: { kid: string }[] };
      return keys.map(({ kid }) => kid);
    };
    const [oldKid] = await keyIds();
    assert.equal((await command(['rotate', '--signing'])).code, 0);
    await people.vault.refresh();
    assert.equal((await keyIds()).length, 2, 'published before it signs');
    assert.equal((await keyIds())[0], oldKid);
    clock.advanceMs(60_000);
    await people.vault.refresh();
    assert.notEqual(ring.signing(), oldSecret);
    assert.notEqual((await keyIds())[0], oldKid, 'now it signs');
    assert.ok(await isSignedIn(service, person.browser), 'the cookie from before');
    assert.equal((await callTool(baseUrl, access, 'svc_get_usage')).status, 200);
    await client.connect(person);
    clock.advanceMs(DAY_MS);
    await people.vault.refresh();
    assert.equal((await keyIds()).length, 1, 'no ID token of the old key is valid any more');
    assert.ok(await isSignedIn(service, person.browser), 'sessions last 14 days');
  });

  test('rotate --signing --discard-old: needs --yes, and every cookie from before is invalid', async (t) => {
    const { service } = await start(t);
    const { browser } = await signedUp(service, 'ada@example.com');
    const asked = await command(['rotate', '--signing', '--discard-old']);
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /signs everybody out at once; confirm it with --yes/);
    assert.equal((await command(['rotate', '--signing', '--discard-old', '--yes'])).code, 0);
    await service.people.vault.refresh();
    assert.ok(!(await isSignedIn(service, browser)));
  });

  test('a lost key: --discard-old makes new secrets, and the service starts again', async (t) => {
    const before = await runService({ venues: ['binance'], coins: 5, clock, dataDir });
    const { accountId } = await signedUp(before.service, 'owner@example.com');
    await before.service.alerts.alerts.createEndpoint(accountId, 'email', { digest: '' });
    await before.stop();
    rmSync(keyFile());
    assert.equal((await command(['rotate'])).code, 1);
    assert.equal((await command(['rotate', '--signing', '--discard-old', '--yes'])).code, 0);
    const { service } = await start(t);
    await signedUp(service, 'ada@example.com');
    const { code, stderr } = await command(['rotate']);
    assert.equal(code, 0, `the address of a channel whose key is lost stops no rotation: ${stderr}`);
  });

  test('a backup has the secrets encrypted, and not the key', async (t) => {
    const { service } = await start(t);
    const [secret = ''] = (await service.people.vault.ring(COOKIES)).all();
    const file = join(dataDir, 'all.backup');
    assert.equal((await perpwire(['backup', file], { DATA_DIR: dataDir })).code, 0);
    const content = zstdDecompressSync(readFileSync(file)).toString('utf8');
    assert.match(content, /v1\.[0-9a-f]{12}\./);
    for (const text of [secret, readFileSync(keyFile(), 'utf8').trim()]) assert.ok(!content.includes(text));
  });

  const skip = typeof postgres === 'string' ? postgres : false;
  test('two processes on one PostgreSQL with different keys: the second does not start', {
    skip,
  }, async (t) => {
    assert.ok(typeof postgres !== 'string');
    const DATABASE_URL = await postgres.createDatabase();
    await start(t, { DATABASE_URL, SECRET_KEY: OLD });
    await assert.rejects(
      start(t, { DATABASE_URL, SECRET_KEY: NEW }),
      /set SECRET_KEY or SECRET_KEY_FILE to that key, the same for all processes on this database/,
    );
    await start(t, { DATABASE_URL, SECRET_KEY: OLD });
  });
});

const COOKIES = { name: 'cookies', create: () => assert.fail('it exists'), lifetimeMs: 0 };

const idsOf = (rows: readonly { value: string }[]) => rows.map(({ value }) => value.split('.')[1]);

function isInFiles(folder: string, text: string): boolean {
  return readdirSync(folder)
    .filter((name) => name.startsWith('perpwire.sqlite'))
    .some((name) => readFileSync(join(folder, name)).includes(text));
}
