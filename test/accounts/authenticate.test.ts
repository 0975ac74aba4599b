import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openStores } from '../../src/accounts/accounts.ts';
import { type Authentication, isLoopbackUrl } from '../../src/accounts/keys/authenticate.ts';
import { generateKey } from '../../src/accounts/keys/key-text.ts';
import { DAY_MS } from '../../src/base/times.ts';
import { onBothDatabases, openFor, until } from '../storage/databases.ts';
import { openSetting } from './setting.ts';

const run = promisify(execFile);

const reasonOf = (authentication: Authentication) => (authentication.ok ? 'ok' : authentication.reason);

describe('authenticate', () => {
  onBothDatabases((fresh) => {
    test('a valid key gives its account, plan, scopes, prefix and slot', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key, text } = await keyOn('demo', 'top');
      const result = accounts.authenticate(text);
      assert.ok(result.ok);
      const { plan, ...caller } = result.caller;
      assert.equal(plan.name, 'developer');
      assert.deepEqual(caller, {
        accountId: key.accountId,
        scopes: key.scopes,
        keyPrefix: key.keyPrefix,
        keyId: key.id,
        slotId: `${key.accountId}/key/1`,
        takerFees: null,
      });
    });

    test('keys of an earlier run are known at start', async (t) => {
      const options = await fresh(t);
      const { keyOn } = await openSetting(t, options);
      const { text } = await keyOn('demo');
      const again = await openSetting(t, options);
      assert.equal(again.accounts.authenticate(text).ok, true);
    });

    test('malformed', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      assert.equal(reasonOf(accounts.authenticate('pw_live_hello')), 'malformed');
      assert.equal(reasonOf(accounts.authenticate('hello')), 'not-a-key');
    });

    test('unknown', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      assert.equal(reasonOf(accounts.authenticate(generateKey('live').text)), 'unknown');
    });

    test('revoked, at once', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key, text } = await keyOn('demo');
      await accounts.keys.revoke(key.id);
      assert.equal(reasonOf(accounts.authenticate(text)), 'revoked');
    });

    test('expired, from its time on', async (t) => {
      const { keyOn, accounts, clock } = await openSetting(t, await fresh(t));
      const { key, text } = await keyOn('demo');
      clock.setMs(key.expiresAtMs - 1);
      assert.equal(accounts.authenticate(text).ok, true);
      clock.setMs(key.expiresAtMs);
      assert.equal(reasonOf(accounts.authenticate(text)), 'expired');
    });

    test('rotated out, 24 hours after rotation', async (t) => {
      const { keyOn, accounts, clock } = await openSetting(t, await fresh(t));
      const old = await keyOn('demo');
      const next = await accounts.keys.rotate(old.key.id);
      clock.advanceMs(DAY_MS - 1);
      assert.equal(accounts.authenticate(old.text).ok, true);
      clock.advanceMs(1);
      assert.equal(reasonOf(accounts.authenticate(old.text)), 'rotated-out');
      assert.equal(accounts.authenticate(next.text).ok, true);
    });

    test('a replaced key can be revoked within its 24 hours', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const old = await keyOn('demo');
      await accounts.keys.rotate(old.key.id);
      await accounts.keys.revoke(old.key.id);
      assert.equal(reasonOf(accounts.authenticate(old.text)), 'revoked');
    });

    test('a test key works on a loopback address only', async (t) => {
      const options = await fresh(t);
      const { accounts } = await openSetting(t, options);
      const { id } = await accounts.accounts.create({ name: 'Ada' });
      const { text } = await accounts.keys.create({ accountId: id, name: 'local', kind: 'test' });
      assert.equal(accounts.authenticate(text).ok, true);
      const remote = await openSetting(t, options, { baseUrl: 'https://perpwire.example' });
      assert.equal(reasonOf(remote.accounts.authenticate(text)), 'test-key-not-on-loopback');
    });

    test('a change of plan or host tier takes effect at once', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key, text } = await keyOn('demo');
      const planNow = () => {
        const result = accounts.authenticate(text);
        return result.ok ? result.caller.plan.name : result.reason;
      };
      assert.equal(planNow(), 'demo');
      await accounts.accounts.setHostTier(key.accountId, 'top');
      assert.equal(planNow(), 'developer');
      await accounts.accounts.setPlan(key.accountId, 'business');
      assert.equal(planNow(), 'business');
    });

    test('keys beyond a smaller plan share its last slot', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const first = await keyOn('developer');
      const second = await accounts.keys.create({ accountId: first.key.accountId, name: 'b' });
      const slots = () =>
        [first, second].map(({ text }) => {
          const result = accounts.authenticate(text);
          return result.ok ? result.caller.slotId.slice(-6) : result.reason;
        });
      assert.deepEqual(slots(), ['/key/1', '/key/2']);
      await accounts.accounts.setPlan(first.key.accountId, 'demo');
      assert.deepEqual(slots(), ['/key/1', '/key/1']);
    });

    test('changes of another connection are read', async (t) => {
      const options = await fresh(t);
      const { accounts, clock } = await openSetting(t, options);
      const other = openStores(await openFor(t, options), clock, new Map());
      const { id } = await other.accounts.create({ name: 'Eve' });
      const { key, text } = await other.keys.create({ accountId: id, name: 'bot' });
      await until(() => accounts.authenticate(text).ok);
      await other.keys.revoke(key.id);
      await until(() => reasonOf(accounts.authenticate(text)) === 'revoked');
    });

    test('a key that another process revokes is refused as soon as that process is done', async (t) => {
      const options = await fresh(t);
      const { keyOn, accounts, storage } = await openSetting(t, options);
      const { key, text } = await keyOn('demo');
      assert.equal(accounts.authenticate(text).ok, true);
      const program = join(import.meta.dirname, 'other-process.ts');
      await run(process.execPath, [program, options.databaseUrl ?? '', options.sqliteFile, key.id]);
      if (storage.kind === 'postgres') await until(() => !accounts.authenticate(text).ok);
      assert.equal(reasonOf(accounts.authenticate(text)), 'revoked');
    });

    test('after a restored backup the directory is read again', async (t) => {
      const { keyOn, accounts, storage, clock } = await openSetting(t, await fresh(t));
      const { text } = await keyOn('demo');
      await storage.db.deleteFrom('api_keys').execute();
      await storage.db.updateTable('directory_revision').set({ revision: 0 }).execute();
      // On PostgreSQL the periodic reload finds it.
      await until(() => {
        clock.advanceMs(5_000);
        return reasonOf(accounts.authenticate(text)) === 'unknown';
      });
    });
  });
});

describe('isLoopbackUrl', () => {
  for (const url of [
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.8.9.1:1',
    'http://[::1]:80',
    'http://0x7f.1/',
  ]) {
    test(`${url} is loopback`, () => assert.equal(isLoopbackUrl(url), true));
  }
  for (const url of [
    'https://perpwire.example',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://10.0.0.1',
    'http://[::2]',
    'http://user@evil.example/localhost',
    'localhost',
    '',
  ]) {
    test(`"${url}" is not`, () => assert.equal(isLoopbackUrl(url), false));
  }
});
