import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { SCOPES } from '../../src/accounts/scopes.ts';
import { DAY_MS } from '../../src/base/times.ts';
import { onBothDatabases } from '../storage/databases.ts';
import { NOON_MS, openSetting } from './setting.ts';

describe('keys', () => {
  onBothDatabases((fresh) => {
    test('have all scopes and one year by default', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key, text } = await keyOn('demo');
      assert.deepEqual(key.scopes, [...SCOPES]);
      assert.equal(key.expiresAtMs, NOON_MS + 365 * DAY_MS);
      assert.equal(key.kind, 'live');
      assert.equal(key.state, 'active');
      assert.equal(key.slotNumber, 1);
      assert.ok(text.startsWith(key.keyPrefix));
      assert.deepEqual(await accounts.keys.list(key.accountId), [key]);
    });

    test('are stored without their text', async (t) => {
      const { keyOn, storage } = await openSetting(t, await fresh(t));
      const { text } = await keyOn('demo');
      const rows = await storage.db.selectFrom('api_keys').selectAll().execute();
      const secret = text.slice(14, 51);
      assert.ok(!JSON.stringify(rows).includes(secret));
    });

    test('can be found by id, by prefix and by the whole key', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key, text } = await keyOn('demo');
      for (const reference of [key.id, key.keyPrefix, text]) {
        assert.deepEqual(await accounts.keys.find(reference), key);
      }
      assert.equal(await accounts.keys.find('pw_live_zzzzzz'), null);
    });

    test('a prefix of two keys is ambiguous', async (t) => {
      const { keyOn, accounts, storage } = await openSetting(t, await fresh(t));
      await keyOn('demo');
      await keyOn('demo');
      await storage.db.updateTable('api_keys').set({ key_prefix: 'pw_live_same00' }).execute();
      await assert.rejects(accounts.keys.find('pw_live_same00'), { fault: 'ambiguous-key' });
    });

    test('the plan limits their number, and the refusal names the limit', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('developer');
      const request = { accountId: key.accountId, name: 'more' };
      assert.equal((await accounts.keys.create(request)).key.slotNumber, 2);
      assert.equal((await accounts.keys.create(request)).key.slotNumber, 3);
      await assert.rejects(accounts.keys.create(request), {
        fault: 'no-free-slot',
        message:
          'The Developer plan has 3 keys, and all are in use; revoke or rotate one, or choose a larger plan',
      });
    });

    test('a host tier grants its number of keys', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('demo', 'top');
      assert.equal((await accounts.keys.create({ accountId: key.accountId, name: 'b' })).key.slotNumber, 2);
    });

    test('a revoked key frees its slot', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('demo');
      assert.equal((await accounts.keys.revoke(key.id)).state, 'revoked');
      assert.equal((await accounts.keys.create({ accountId: key.accountId, name: 'b' })).key.slotNumber, 1);
    });

    test('an expired key frees its slot, and cannot be reactivated once the slot is taken by another', async (t) => {
      const { keyOn, accounts, clock } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('demo');
      clock.setMs(key.expiresAtMs);
      assert.equal((await accounts.keys.find(key.id))?.state, 'expired');
      await accounts.keys.create({ accountId: key.accountId, name: 'b' });
      await assert.rejects(accounts.keys.setExpiry(key.id, clock.nowMs() + DAY_MS), {
        fault: 'no-free-slot',
      });
    });

    test('a later expiry reactivates an expired key', async (t) => {
      const { keyOn, accounts, clock } = await openSetting(t, await fresh(t));
      const { key, text } = await keyOn('demo');
      clock.setMs(key.expiresAtMs);
      assert.equal((await accounts.keys.setExpiry(key.id, clock.nowMs() + DAY_MS)).state, 'active');
      assert.equal(accounts.authenticate(text).ok, true);
    });

    test('an expired key is not reactivated in a slot that was taken', async (t) => {
      const { keyOn, accounts, clock } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('developer');
      clock.setMs(key.expiresAtMs);
      await accounts.keys.create({ accountId: key.accountId, name: 'b' });
      await assert.rejects(accounts.keys.setExpiry(key.id, clock.nowMs() + DAY_MS), {
        message: /a newer key has its place/,
      });
    });

    test('rotation creates a key of the same name, scopes, kind, lifetime and slot', async (t) => {
      const { keyOn, accounts, clock } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('developer');
      const made = await accounts.keys.create({
        accountId: key.accountId,
        name: 'second',
        kind: 'test',
        scopes: ['usage:read'],
        expiresAtMs: NOON_MS + 30 * DAY_MS,
      });
      clock.advanceMs(DAY_MS);
      const rotated = await accounts.keys.rotate(made.key.id);
      const { name, scopes, kind, slotNumber, expiresAtMs } = rotated.key;
      assert.deepEqual(
        { name, scopes, kind, slotNumber, expiresAtMs },
        {
          name: 'second',
          scopes: ['usage:read'],
          kind: 'test',
          slotNumber: 2,
          expiresAtMs: NOON_MS + 31 * DAY_MS,
        },
      );
      const old = await accounts.keys.find(made.key.id);
      assert.equal(old?.state, 'replaced');
      assert.equal(old?.replacedUntilMs, clock.nowMs() + DAY_MS);
    });

    test('rotation works when all slots are taken', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('demo');
      await accounts.keys.rotate(key.id);
      await assert.rejects(accounts.keys.create({ accountId: key.accountId, name: 'b' }), {
        fault: 'no-free-slot',
      });
    });

    test('parallel creations never share a slot', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      const { id } = await accounts.accounts.create({ name: 'Ada', plan: 'pro' });
      const create = () => accounts.keys.create({ accountId: id, name: 'bot' });
      const results = await Promise.allSettled(Array.from({ length: 15 }, create));
      const made = results
        .filter((result) => result.status === 'fulfilled')
        .map((r) => r.value.key.slotNumber);
      assert.deepEqual(
        made.sort((a, b) => a - b),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
      );
    });

    test('revoking twice keeps the first time', async (t) => {
      const { keyOn, accounts, clock } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('demo');
      await accounts.keys.revoke(key.id);
      clock.advanceMs(DAY_MS);
      assert.equal((await accounts.keys.revoke(key.id)).revokedAtMs, NOON_MS);
    });

    test('a replaced key is not rotated again', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('demo');
      await accounts.keys.rotate(key.id);
      await assert.rejects(accounts.keys.rotate(key.id), { fault: 'key-not-active', message: /is replaced/ });
    });

    test('a revoked key is not rotated', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('demo');
      await accounts.keys.revoke(key.id);
      await assert.rejects(accounts.keys.rotate(key.id), { fault: 'key-not-active', message: /is revoked/ });
    });

    test('a revoked key gets no new expiry', async (t) => {
      const { keyOn, accounts } = await openSetting(t, await fresh(t));
      const { key } = await keyOn('demo');
      await accounts.keys.revoke(key.id);
      await assert.rejects(accounts.keys.setExpiry(key.id, NOON_MS + DAY_MS), { fault: 'key-not-active' });
    });

    test('an unknown account gets no key', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      await assert.rejects(accounts.keys.create({ accountId: 'acc_none', name: 'b' }), {
        fault: 'unknown-account',
      });
    });

    for (const action of ['rotate', 'revoke'] as const) {
      test(`refuses to ${action} an unknown key`, async (t) => {
        const { accounts } = await openSetting(t, await fresh(t));
        await assert.rejects(accounts.keys[action]('key_none'), { fault: 'unknown-key' });
      });
    }

    for (const [what, request, fault] of [
      ['an empty name', { name: '' }, 'invalid-name'],
      ['an unknown scope', { scopes: ['funding:write'] }, 'invalid-scope'],
      ['a known and an unknown scope', { scopes: ['funding:read', 'all'] }, 'invalid-scope'],
      ['no scope', { scopes: [] }, 'invalid-scope'],
      ['an expiry now', { expiresAtMs: NOON_MS }, 'invalid-expiry'],
      ['an expiry in seconds', { expiresAtMs: NOON_MS / 1000 + 1e6 }, 'invalid-expiry'],
      ['an expiry that is no number', { expiresAtMs: Number.NaN }, 'invalid-expiry'],
      ['an expiry after 2100', { expiresAtMs: Date.UTC(2100, 0, 1) }, 'invalid-expiry'],
    ] as const) {
      test(`${what} is refused`, async (t) => {
        const { accounts } = await openSetting(t, await fresh(t));
        const { id } = await accounts.accounts.create({ name: 'Ada' });
        await assert.rejects(accounts.keys.create({ accountId: id, name: 'bot', ...request }), { fault });
      });
    }
  });
});
