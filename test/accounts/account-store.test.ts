import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { onBothDatabases } from '../storage/databases.ts';
import { NOON_MS, openSetting } from './setting.ts';

describe('accounts', () => {
  onBothDatabases((fresh) => {
    test('are Demo by default', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      const account = await accounts.accounts.create({ name: '  Ada  ' });
      assert.match(account.id, /^acc_/);
      assert.deepEqual(account, {
        id: account.id,
        name: 'Ada',
        email: null,
        plan: 'demo',
        hostTier: null,
        createdAtMs: NOON_MS,
        suspendedAtMs: null,
        deletedAtMs: null,
        takerFees: null,
        starredCoins: null,
        orderSizeUsd: null,
      });
    });

    test('are found by id and by e-mail in any case', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      const account = await accounts.accounts.create({ name: 'Ada', email: 'Ada@Example.org', plan: 'pro' });
      assert.deepEqual(await accounts.accounts.find(account.id), account);
      assert.deepEqual(await accounts.accounts.find('ADA@example.ORG'), account);
      assert.deepEqual(await accounts.accounts.list(), [account]);
      assert.equal(await accounts.accounts.find('nobody'), null);
    });

    test('keep a changed plan and host tier', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      const { id } = await accounts.accounts.create({ name: 'Ada' });
      assert.equal((await accounts.accounts.setPlan(id, 'business')).plan, 'business');
      assert.equal((await accounts.accounts.setHostTier(id, 'top')).hostTier, 'top');
      assert.equal((await accounts.accounts.setHostTier(id, null)).hostTier, null);
      assert.equal((await accounts.accounts.find(id))?.plan, 'business');
    });

    test('an e-mail twice is refused', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      await accounts.accounts.create({ name: 'Ada', email: 'ada@example.org' });
      await assert.rejects(accounts.accounts.create({ name: 'Eve', email: 'ADA@example.org' }), {
        fault: 'email-taken',
      });
      assert.equal((await accounts.accounts.list()).length, 1);
    });

    test('an unknown account cannot change its plan', async (t) => {
      const { accounts } = await openSetting(t, await fresh(t));
      await assert.rejects(accounts.accounts.setPlan('acc_none', 'pro'), { fault: 'unknown-account' });
    });

    test('each has the one slot of all its OAuth grants', async (t) => {
      const { accounts, storage } = await openSetting(t, await fresh(t));
      const { id } = await accounts.accounts.create({ name: 'Ada', hostTier: 'top' });
      const slots = await storage.db.selectFrom('slots').select(['id', 'kind']).execute();
      assert.deepEqual(
        slots.map((slot) => ({ ...slot })),
        [{ id: `${id}/oauth`, kind: 'oauth' }],
      );
      const first = accounts.callerForGrant(id, ['funding:read']);
      const second = accounts.callerForGrant(id, ['usage:read']);
      assert.equal(first?.slotId, `${id}/oauth`);
      assert.equal(second?.slotId, first?.slotId);
      assert.equal(first?.plan.name, 'developer');
      assert.equal(accounts.callerForGrant('acc_none', []), null);
    });

    for (const [what, name] of [
      ['an empty name', ' '],
      ['a name of 101 characters', 'x'.repeat(101)],
      ['a name with a line break', 'a\nb'],
      ['a name with a NUL', 'a\u0000b'],
    ] as const) {
      test(`${what} is refused`, async (t) => {
        const { accounts } = await openSetting(t, await fresh(t));
        await assert.rejects(accounts.accounts.create({ name }), { fault: 'invalid-name' });
      });
    }

    for (const email of ['', 'ada', 'ada@', '@example.org', 'a b@example.org', `${'x'.repeat(250)}@a.org`]) {
      test(`the e-mail "${email.slice(0, 20)}" is refused`, async (t) => {
        const { accounts } = await openSetting(t, await fresh(t));
        await assert.rejects(accounts.accounts.create({ name: 'Ada', email }), { fault: 'invalid-email' });
      });
    }
  });
});
