import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { usageOf } from '../../src/accounts/usage/usage.ts';
import { onBothDatabases } from '../storage/databases.ts';
import { openSetting } from './setting.ts';

describe('usage', () => {
  onBothDatabases((fresh) => {
    test('has the fields of the contract', async (t) => {
      const { accounts, keyOn } = await openSetting(t, await fresh(t));
      const { key, text } = await keyOn('demo');
      const found = accounts.authenticate(text);
      assert.ok(found.ok);
      const { states } = accounts.windows.take(found.caller);
      assert.deepEqual(usageOf(found.caller, states, 'http://127.0.0.1:8080/'), {
        plan: 'demo',
        key_prefix: key.keyPrefix,
        scopes: ['funding:read', 'history:read', 'spreads:read', 'listings:read', 'usage:read'],
        month: { used: 1, limit: 3000, remaining: 2999, resets_at: '2026-12-01T00:00:00Z' },
        minute: { used: 1, limit: 20, remaining: 19, resets_at: '2026-11-15T12:01:00Z' },
        history_days: 7,
        delay_seconds: 900,
        commercial_use: false,
        upgrade_url: 'http://127.0.0.1:8080/plans',
      });
    });

    test('history_days is null on a plan with all history', async (t) => {
      const { accounts, keyOn } = await openSetting(t, await fresh(t));
      const found = accounts.authenticate((await keyOn('business')).text);
      assert.ok(found.ok);
      const usage = usageOf(found.caller, accounts.windows.read(found.caller), 'https://perpwire.example');
      assert.equal(usage.history_days, null);
      assert.equal(usage.delay_seconds, 0);
      assert.equal(usage.commercial_use, true);
    });
  });
});
