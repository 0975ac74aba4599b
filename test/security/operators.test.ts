import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { CompiledQuery } from 'kysely';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS } from '../../src/base/times.ts';
import type { LocalService } from '../../src/wiring/local-service.ts';
import { Browser, text } from '../oauth/browser.ts';
import { callTool, OAuthClient } from '../oauth/client.ts';
import { PASSWORD, type Person, signedUp } from '../oauth/person.ts';
import { perpwire } from '../support/process.ts';
import { startPostgres, startRedis } from '../support/servers.ts';
import { collectOnce, type Running, runService, until } from '../support/service.ts';

const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
const skip = [postgres, redis].find((server) => typeof server === 'string') ?? false;
after(async () => {
  for (const server of [postgres, redis]) if (typeof server !== 'string') await server.stop();
});

interface Access extends Person {
  key: string;
  access: string;
  refresh: string;
  client: OAuthClient;
}

/** A person with a session, a key and a connected assistant. */
async function withAccess(service: LocalService, email: string): Promise<Access> {
  const person = await signedUp(service, email);
  const client = new OAuthClient(service.baseUrl);
  const { access, refresh } = await client.connect(person);
  const { keys } = service.accounts;
  const made = await keys.create({ accountId: person.accountId, name: 'my bot', kind: 'test' });
  return { ...person, key: made.text, access, refresh, client };
}

const withKey = (service: LocalService, key: string) =>
  fetch(`${service.baseUrl}/api/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
const isSignedIn = async (service: LocalService, browser: Browser) =>
  (await browser.open(`${service.baseUrl}/account`)).url.pathname === '/account';
const signIn = async (service: LocalService, email: string) => {
  const browser = new Browser();
  return await browser.submit(await browser.open(`${service.baseUrl}/sign-in`), {
    email,
    password: PASSWORD,
  });
};

suite('commands of operators', () => {
  let running: Running;
  let service: LocalService;
  let clock: ManualClock;
  before(async () => {
    clock = new ManualClock(Date.now());
    running = await runService({
      venues: ['binance'],
      coins: 5,
      clock,
      settings: { ALERT_NETWORKS: 'loopback' },
    });
    ({ service } = running);
    await collectOnce(running);
  });
  after(() => running.stop());

  const command = (...args: string[]) =>
    perpwire(['accounts', ...args, '--by', 'grace'], { DATA_DIR: running.dataDir });
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await command(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const logOf = async (browser: Browser) =>
    text(await browser.open(`${service.baseUrl}/account/security-log`));

  test('suspend refuses key, assistant, session and sign-in with the reason; unsuspend gives them back', async () => {
    const person = await withAccess(service, 'suspended@example.com');
    assert.match(await done('suspend', person.email, '--reason', 'unpaid bill'), /is suspended; its keys/);
    const refused = await withKey(service, person.key);
    assert.equal(refused.status, 401);
    assert.match(await refused.text(), /The account of this key is suspended\. Ask the operator/);
    const tool = await callTool(service.baseUrl, person.access, 'svc_get_usage');
    assert.equal(tool.status, 401);
    assert.match(JSON.stringify(tool.body), /The account of this access token is suspended/);
    assert.equal((await person.client.refresh(person.refresh)).status, 400, 'no new tokens');
    assert.ok(!(await isSignedIn(service, person.browser)));
    const form = await signIn(service, person.email);
    assert.equal(form.status, 403);
    assert.match(text(form), /This account is suspended; ask the operator/);
    assert.match((await command('suspend', person.email)).stderr, /is suspended already/);

    await done('unsuspend', person.email);
    assert.equal((await withKey(service, person.key)).status, 200);
    assert.equal((await callTool(service.baseUrl, person.access, 'svc_get_usage')).status, 200);
    await person.browser.submit(await person.browser.open(`${service.baseUrl}/sign-in`), {
      email: person.email,
      password: PASSWORD,
    });
    assert.match(await logOf(person.browser), /An operator Account suspended unpaid bill/);
    assert.match((await command('unsuspend', person.email)).stderr, /is not suspended/);
  });

  test('end-sessions, end-grants and revoke-keys end only what they name', async () => {
    const person = await withAccess(service, 'ended@example.com');
    const { email } = person;
    const state = async () => [
      await isSignedIn(service, person.browser),
      (await callTool(service.baseUrl, person.access, 'svc_get_usage')).status,
      (await withKey(service, person.key)).status,
    ];
    assert.deepEqual(await state(), [true, 200, 200]);
    assert.match(await done('end-grants', email), /^1 grants/);
    assert.deepEqual(await state(), [true, 401, 200]);
    assert.match(await done('end-sessions', email), /^1 sessions/);
    assert.deepEqual(await state(), [false, 401, 200]);
    const asked = await command('revoke-keys', email);
    assert.equal(asked.code, 1);
    assert.match(asked.stderr, /revokes all its keys; confirm it with --yes/);
    assert.deepEqual(await state(), [false, 401, 200]);
    assert.match(await done('revoke-keys', email, '--yes'), /^1 keys/);
    assert.deepEqual(await state(), [false, 401, 401]);
  });

  test('the owner reads in the security log what owner and operators did, and nothing of others', async () => {
    const person = await withAccess(service, 'log@example.com');
    const { browser, email } = person;
    await signIn(service, email);
    const keys = await browser.open(`${service.baseUrl}/account/keys`);
    await browser.submit(keys, { name: 'made <by> hand', scope: ['usage:read'] }, '/account/keys/create');
    await browser.submit(
      await browser.open(`${service.baseUrl}/account/assistants`),
      {},
      '/account/assistants/disconnect',
    );
    await done('set-plan', email, '--plan', 'business');
    await browser.submit(await browser.open(`${service.baseUrl}/account/password`), {
      current: PASSWORD,
      password: 'another password',
    });
    const shown = await logOf(browser);
    for (const entry of [
      /You Account created/,
      /You Assistant connected Test assistant: /,
      /You Signed in from a new browser/,
      /You Key created made <by> hand \(pw_/,
      /You Assistant disconnected Test assistant/,
      /An operator Plan changed pro to business/,
      /You Password changed/,
    ])
      assert.match(shown, entry);
    assert.doesNotMatch(shown, /grace|unpaid bill/, 'neither the operator’s name nor other accounts');
    assert.match(await done('log', email), /operator grace +acc_\w+ +plan-changed +pro to business/);
  });

  test('export has everything held about the person and no secret', async () => {
    const person = await withAccess(service, 'export@example.com');
    await withKey(service, person.key);
    await service.accounts.flushUsage();
    const data = JSON.parse(await done('export', person.email)) as Record<string, unknown[]> & {
      account: { email: string; plan: string };
    };
    assert.equal(data.account.email, person.email);
    assert.equal(data.account.plan, 'pro');
    for (const part of [
      'sessions',
      'keys',
      'assistants',
      'requests_by_month',
      'requests_by_key',
      'security_log',
    ])
      assert.ok((data[part]?.length ?? 0) > 0, part);
    const written = JSON.stringify(data);
    const { db } = service.context.storage;
    const { password_hash: hash } = await db
      .selectFrom('user_passwords')
      .select('password_hash')
      .where('account_id', '=', person.accountId)
      .executeTakeFirstOrThrow();
    for (const secret of [person.key, person.access, person.refresh, hash])
      assert.ok(!written.includes(secret));
    const file = join(running.dataDir, 'export.json');
    await done('export', person.email, '--output', file);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).account.email, person.email);
    assert.match((await command('export', person.email, '--output', file)).stderr, /it exists already/);
  });

  test('delete ends all access and frees the address; the log stays', async () => {
    const person = await withAccess(service, 'deleted@example.com');
    assert.match((await command('delete', person.email)).stderr, /confirm it with --yes/);
    await done('delete', person.email, '--yes');
    assert.equal((await withKey(service, person.key)).status, 401);
    assert.equal((await callTool(service.baseUrl, person.access, 'svc_get_usage')).status, 401);
    assert.ok(!(await isSignedIn(service, person.browser)));
    assert.match(text(await signIn(service, person.email)), /password is wrong/);
    assert.match((await command('suspend', person.email)).stderr, /there is no account/);
    assert.match(await done('log', person.accountId), /deleted[\s\S]*account-created/);
    clock.advanceMs(DAY_MS / 12);
    await signedUp(service, person.email);
  });

  test('alerts are in the export without their secrets, and are deleted with the account', async () => {
    const { accountId, email } = await signedUp(service, 'with-alerts@example.com');
    const { alerts } = service.alerts;
    const { endpoint, secret } = await alerts.createEndpoint(accountId, 'webhook', {
      url: 'http://127.0.0.1:9/my-secret-path?token=my-secret-token',
    });
    const rule = await alerts.createRule(accountId, {
      ...{ name: 'My rule', operation: 'funding', query: 'coin=BTC', condition: { kind: 'enters' } },
      ...{ everyMinutes: 15, endpointIds: [endpoint.id] },
    });
    const { db } = service.context.storage;
    const atMs = clock.nowMs();
    await db
      .insertInto('alert_events')
      .values({
        ...{
          event_id: 'evt_export',
          rule_id: rule.id,
          account_id: accountId,
          kind: 'entered',
          row_key: '[]',
        },
        ...{ row: '{}', as_of_ms: atMs, text: 'BTC is new on your list.', created_at_ms: atMs },
      })
      .execute();
    await db
      .insertInto('alert_deliveries')
      .values({
        ...{ event_id: 'evt_export', endpoint_id: endpoint.id, state: 'failed', attempts: 1 },
        account_id: accountId,
        ...{
          next_attempt_ms: atMs,
          last_attempt_ms: atMs,
          reason: 'the receiver refused it',
          created_at_ms: atMs,
        },
      })
      .execute();
    const written = await done('export', email);
    const data = JSON.parse(written) as Record<string, Record<string, unknown>[]>;
    assert.deepEqual(
      data.alert_rules?.map(({ name, operation, query }) => [name, operation, query]),
      [['My rule', 'funding', 'coin=BTC']],
    );
    assert.equal(data.alert_endpoints?.[0]?.kind, 'webhook');
    assert.deepEqual(
      data.alerts?.map(({ rule_id: ruleId, text: words }) => [ruleId, words]),
      [[rule.id, 'BTC is new on your list.']],
    );
    for (const hidden of [String(secret), 'my-secret']) assert.ok(!written.includes(hidden));
    await done('delete', email, '--yes');
    for (const table of [
      'alert_rules',
      'alert_endpoints',
      'alert_events',
      'alert_deliveries',
      'alert_budgets',
    ] as const)
      assert.deepEqual(
        await db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute(),
        [],
        table,
      );
    assert.deepEqual(
      await db.selectFrom('alert_deliveries').selectAll().where('event_id', '=', 'evt_export').execute(),
      [],
    );
    await service.alerts.runOnce();
    assert.deepEqual(await alerts.deliveries(accountId), []);
  });

  test('stars, fees and the size of orders are in the export, and are deleted with the account', async () => {
    const { accountId, email } = await signedUp(service, 'with-stars@example.com');
    await service.accounts.accounts.setStarredCoins(accountId, ['BTC', 'PEPE']);
    await service.accounts.accounts.setTakerFees(accountId, 'Binance:0.02');
    await service.accounts.accounts.setOrderSize(accountId, 20_000);
    const { account } = JSON.parse(await done('export', email)) as { account: Record<string, unknown> };
    assert.deepEqual(
      [account.starred_coins, account.taker_fees, account.order_size_usd],
      ['BTC,PEPE', 'Binance:0.02', 20_000],
    );
    await done('delete', email, '--yes');
    const stored = await service.context.storage.db
      .selectFrom('accounts')
      .select(['starred_coins', 'taker_fees', 'order_size_usd'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    assert.deepEqual({ ...stored }, { starred_coins: null, taker_fees: null, order_size_usd: null });
  });

  test('erase leaves nothing that identifies the person, and keeps counts', async () => {
    const person = await withAccess(service, 'erased-person@example.com');
    await withKey(service, person.key);
    await service.accounts.flushUsage();
    await done('erase', person.email, '--yes');
    const { db } = service.context.storage;
    const tables = [
      'accounts',
      'api_keys',
      'user_sessions',
      'user_passwords',
      'oauth_records',
      'mail_tokens',
    ] as const;
    const held = JSON.stringify([
      ...(await Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()))),
      await db.selectFrom('security_log').selectAll().execute(),
    ]);
    assert.doesNotMatch(held, /erased-person|my bot \(pw_test_/);
    const { used } = await db
      .selectFrom('slot_months')
      .select(({ fn }) => fn.sum<number>('used').as('used'))
      .where('slot_id', 'like', `${person.accountId}/%`)
      .executeTakeFirstOrThrow();
    assert.equal(Number(used), 1);
    assert.equal((await withKey(service, person.key)).status, 401);
    assert.match(await done('log', person.accountId), /operator grace +acc_\w+ +erased/);
    await done('erase', person.accountId, '--yes');
  });

  /** Read by another process: if this one closed a file of the database, SQLite would lose its locks. */
  const filesWith = (address: string): string[] => {
    const { stdout } = spawnSync('grep', ['-rlaF', address, running.dataDir], { encoding: 'utf8' });
    return stdout.split('\n').filter((file) => file !== '');
  };

  test('erase leaves the address in no file of the data folder, while the service runs', async () => {
    const address = 'in-no-file@example.com';
    const neighbour = await signedUp(service, 'neighbour@example.com');
    const { client } = await withAccess(service, address);
    const browser = new Browser();
    await browser.submit(await browser.open(`${service.baseUrl}/forgot-password`), { email: address });
    await browser.open(client.authorizeUrl({ login_hint: address }));
    const { db } = service.context.storage;
    const asked = await db
      .selectFrom('oauth_records')
      .select('payload')
      .where('model', '=', 'Interaction')
      .execute();
    assert.ok(asked.some(({ payload }) => payload.includes(address)));
    const before = filesWith(address);
    assert.ok(before.some((file) => file.endsWith('.eml')));
    assert.ok(before.some((file) => file.endsWith('.sqlite-wal')));
    assert.doesNotMatch(await done('erase', address, '--yes'), /may still have copies/);
    assert.deepEqual(filesWith(address), []);
    assert.deepEqual(filesWith(neighbour.email).length, 2, 'mail and data of others stay');
  });

  test('erase also removes copies in the free pages of a database of an older version', async () => {
    const address = 'in-a-free-page@example.com';
    await signedUp(service, address);
    const { db } = service.context.storage;
    for (const statement of [
      'pragma secure_delete = off',
      'create table filler (text text)',
      `insert into filler values (replace(printf('%05000d', 0), '0', '${address} '))`,
      'drop table filler',
      'pragma secure_delete = on',
      'pragma wal_checkpoint(truncate)',
    ])
      await db.executeQuery(CompiledQuery.raw(statement));
    assert.ok(filesWith(address).some((file) => file.endsWith('.sqlite')));
    await done('erase', address, '--yes');
    assert.deepEqual(filesWith(address), []);
    assert.equal((await running.get('/api/v1/usage')).status, 200, 'the service goes on');
  });

  test('entries of the log are deleted after their retention period', async () => {
    const person = await signedUp(service, 'retention@example.com');
    const count = async () => (await service.accounts.securityLog.read(person.accountId, 100)).length;
    clock.advanceMs(364 * DAY_MS);
    await service.people.sweep();
    assert.ok((await count()) > 0);
    clock.advanceMs(2 * DAY_MS);
    await service.people.sweep();
    assert.equal(await count(), 0);
  });
});

suite('commands of operators at several processes', { skip }, () => {
  test('a suspended account is refused at every process within seconds', async (t) => {
    assert.ok(typeof postgres !== 'string' && typeof redis !== 'string');
    const settings = {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      SECRET_KEY: 'the same key at all processes of a test',
    };
    const first = await runService({ venues: ['binance'], coins: 5, settings });
    t.after(() => first.stop());
    const second = await runService({
      venues: ['binance'],
      coins: 5,
      settings: { ...settings, ROLE: 'api' },
    });
    t.after(() => second.stop());
    const services = [first.service, second.service];
    const person = await withAccess(first.service, 'roles@example.com');
    // The token is for the address of the first process only.
    const states = async () =>
      await Promise.all([
        ...services.map(async (service) => (await withKey(service, person.key)).status),
        ...services.map(async (service) => ((await isSignedIn(service, person.browser)) ? 200 : 401)),
        callTool(first.service.baseUrl, person.access, 'svc_get_usage').then(({ status }) => status),
      ]);
    await until(async () => (await states()).every((status) => status === 200), 'access everywhere');
    const { code, stderr } = await perpwire(['accounts', 'suspend', person.email], settings);
    assert.equal(code, 0, stderr);
    await until(async () => (await states()).every((status) => status === 401), 'refusal everywhere');
  });
});
