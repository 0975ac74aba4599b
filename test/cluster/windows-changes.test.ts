import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { ManualClock, systemClock } from '../../src/base/clock.ts';
import { recordId } from '../../src/oauth/adapter.ts';
import { openConnections } from '../../src/oauth/connections.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { openStorage, type StorageOptions } from '../../src/storage/storage.ts';
import { freshPostgres, silentLog, skipPostgres } from '../storage/databases.ts';
import { perpwire } from '../support/process.ts';
import { startRedis } from '../support/servers.ts';
import { runService } from '../support/service.ts';
import { keyOn, openProcess } from './processes.ts';

const SECRET_KEY = 'the same key at all processes of a test';

const redis = await startRedis();
if (typeof redis !== 'string') after(() => redis.stop());
const url = typeof redis === 'string' ? '' : redis.url;
const skip = typeof redis === 'string' ? redis : skipPostgres;

/** A process that gets no notification from the database, and whose clock does not advance. */
async function openUnnotified(t: TestContext, options: StorageOptions) {
  const storage = await openStorage(options);
  if (storage.kind !== 'postgres') throw new Error('needs PostgreSQL');
  const link = await openRedis({ url, log: silentLog, timeoutMs: 2_000 });
  const accounts = await openAccounts({
    storage: {
      ...storage,
      listener: { on: async () => () => undefined, onReconnect: () => () => undefined },
    },
    redis: link,
    clock: new ManualClock(Date.now()),
    log: silentLog,
    baseUrl: 'http://127.0.0.1',
    tierGrants: new Map(),
  });
  t.after(async () => {
    await accounts.close();
    await link.close();
    await storage.close().catch(() => undefined);
  });
  const callerOf = (text: string) => {
    const found = accounts.authenticate(text);
    return found.ok ? found.caller : assert.fail(found.reason);
  };
  return { accounts, storage, callerOf };
}

describe('changes of keys and plans', { skip }, () => {
  test('a revoked key fails at the next request, even at a process that gets no notification', async (t) => {
    const options = await freshPostgres(t);
    const first = await openProcess(t, options, url);
    const { text, key } = await keyOn(first, 'developer');
    const unnotified = await openUnnotified(t, options);
    const caller = unnotified.callerOf(text);
    assert.equal((await unnotified.accounts.windows.take(caller)).allowed, true);
    await first.accounts.keys.revoke(key.id);
    const take = await unnotified.accounts.windows.take(caller);
    assert.ok(!take.allowed && take.spent === 'outdated');
    assert.deepEqual(unnotified.accounts.lookAgain(caller), { ok: false, reason: 'revoked' });
    assert.deepEqual(unnotified.accounts.authenticate(text), { ok: false, reason: 'revoked' });
  });

  test('a revoked key fails even at a process without the database', async (t) => {
    const options = await freshPostgres(t);
    const first = await openProcess(t, options, url);
    const { text, key } = await keyOn(first, 'developer');
    const other = await keyOn(first, 'developer');
    const unnotified = await openUnnotified(t, options);
    const [caller, otherCaller] = [unnotified.callerOf(text), unnotified.callerOf(other.text)];
    await unnotified.accounts.windows.take(otherCaller);
    await unnotified.storage.db.destroy();
    await first.accounts.keys.revoke(key.id);
    assert.ok(!(await unnotified.accounts.windows.take(caller)).allowed);
    assert.equal(unnotified.accounts.lookAgain(caller).ok, true, 'the process has not read the change');
    const take = await unnotified.accounts.windows.take(caller);
    assert.ok(!take.allowed && take.spent === 'revoked');
    assert.equal((await unnotified.accounts.windows.take(otherCaller)).allowed, true);
  });

  test('another plan applies from the next request on', async (t) => {
    const options = await freshPostgres(t);
    const first = await openProcess(t, options, url);
    const { text, key } = await keyOn(first, 'demo');
    const unnotified = await openUnnotified(t, options);
    const caller = unnotified.callerOf(text);
    await first.accounts.accounts.setPlan(key.accountId, 'pro');
    assert.equal((await unnotified.accounts.windows.take(caller)).allowed, false);
    const found = unnotified.accounts.lookAgain(caller);
    assert.ok(found.ok && found.caller.plan.name === 'pro');
    const take = await unnotified.accounts.windows.take(found.caller);
    assert.ok(take.allowed && take.states.minute.limit === 300);
    const grant = unnotified.accounts.lookAgain({ ...caller, keyId: null });
    assert.ok(grant.ok && grant.caller.plan.name === 'pro');
  });

  test('a rotated key works at once, and spends the same windows', async (t) => {
    const options = await freshPostgres(t);
    const first = await openProcess(t, options, url);
    const { text, key } = await keyOn(first, 'developer');
    const second = await openProcess(t, options, url);
    await second.accounts.windows.take(second.callerOf(text));
    const next = await first.accounts.keys.rotate(key.id);
    // The old key still works for a day; a request with it makes the process read the new one.
    await second.accounts.windows.take(second.callerOf(text));
    const take = await second.accounts.windows.take(second.callerOf(next.text));
    assert.ok(take.allowed && take.states.minute.used >= 2);
  });

  test('a lower revision after a restored backup refuses no request', async (t) => {
    const options = await freshPostgres(t);
    const first = await openProcess(t, options, url);
    const { text, key } = await keyOn(first, 'developer');
    const { db } = first.storage;
    await first.accounts.keys.setExpiry(key.id, Date.now() + 1e9);
    await db.updateTable('directory_revision').set({ revision: 2 }).execute();
    const second = await openProcess(t, options, url);
    const caller = second.callerOf(text);
    await second.accounts.windows.take(caller);
    assert.equal((await second.accounts.windows.take(caller)).allowed, true);
  });

  test('over REST a revoked key is 401 at another process at the next request, also if a command revoked it', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const settings = { DATABASE_URL: databaseUrl ?? '', REDIS_URL: url, SECRET_KEY };
    const one = await runService({ venues: ['okx'], coins: 3, settings });
    t.after(() => one.stop());
    const two = await runService({ venues: ['okx'], coins: 3, settings });
    t.after(() => two.stop());
    const ask = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return await fetch(`${two.service.baseUrl}/api/v1/usage`, { headers });
    };
    const account = await one.service.accounts.accounts.create({ name: 'Ada', plan: 'developer' });
    const make = () => one.service.accounts.keys.create({ accountId: account.id, name: 'k', kind: 'test' });
    const [byCall, byCommand] = [await make(), await make()];
    for (const { text } of [byCall, byCommand]) assert.equal((await ask(text)).status, 200);
    await one.service.accounts.accounts.setPlan(account.id, 'pro');
    assert.equal((await ask(byCall.text)).headers.get('x-ratelimit-limit'), '300');
    await one.service.accounts.keys.revoke(byCall.key.id);
    assert.equal((await ask(byCall.text)).status, 401);
    const done = await perpwire(['keys', 'revoke', byCommand.key.id], settings);
    assert.equal(done.code, 0, done.stderr);
    assert.equal((await ask(byCommand.text)).status, 401);
  });

  test('over REST wrong keys are counted over all processes', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const settings = { DATABASE_URL: databaseUrl ?? '', REDIS_URL: url, SECRET_KEY };
    const one = await runService({ venues: ['okx'], coins: 3, settings });
    t.after(() => one.stop());
    const two = await runService({ venues: ['okx'], coins: 3, settings });
    t.after(() => two.stop());
    const statuses: number[] = [];
    for (let index = 0; index < 32; index++) {
      const { baseUrl } = (index % 2 === 0 ? one : two).service;
      const headers = { 'x-api-key': `wrong ${index}` };
      statuses.push((await fetch(`${baseUrl}/api/v1/usage`, { headers })).status);
    }
    assert.deepEqual(statuses, [...Array<number>(30).fill(401), 429, 429]);
  });

  test('a disconnected assistant is unknown to every process at once', async (t) => {
    const options = await freshPostgres(t);
    const [first, second] = [await openProcess(t, options, url), await openProcess(t, options, url)];
    const connections = [first, second].map(({ storage }) =>
      openConnections(storage.db, systemClock, 'https://perpwire.example/mcp'),
    );
    const { key } = await keyOn(first, 'pro');
    const row = {
      model: 'AccessToken',
      id: recordId('AccessToken', 'token'),
      payload: JSON.stringify({ aud: 'https://perpwire.example/mcp', scope: 'funding:read' }),
      account_id: key.accountId,
      client_id: 'assistant',
      grant_id: 'grant',
      uid: null,
      expires_at_ms: Date.now() + 60_000,
      created_at_ms: Date.now(),
      consumed_at_ms: null,
    };
    await first.storage.db.insertInto('oauth_records').values(row).execute();
    assert.equal(typeof (await connections[1]?.findToken('token')), 'object');
    await connections[0]?.end(key.accountId, 'assistant');
    assert.equal(await connections[1]?.findToken('token'), 'unknown');
  });
});
