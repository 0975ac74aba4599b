import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CreatedKey } from '../../src/accounts/keys/key-store.ts';
import { PLANS } from '../../src/accounts/plans.ts';
import { readKeyUsage } from '../../src/accounts/usage/rows.ts';
import { monthStartMs } from '../../src/accounts/windows/months.ts';
import type { Take, WindowOwner } from '../../src/accounts/windows/windows.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { onBothDatabases, until } from '../storage/databases.ts';
import { NOON_MS, openSetting, type Setting } from './setting.ts';

const DECEMBER_MS = Date.UTC(2026, 11, 1);

const callerOf = ({ accounts }: Setting, { text }: CreatedKey): WindowOwner => {
  const result = accounts.authenticate(text);
  return result.ok ? result.caller : assert.fail(result.reason);
};

const receiptOf = (take: Take) => (take.allowed ? take.receipt : assert.fail(take.spent));

describe('windows', () => {
  onBothDatabases((fresh) => {
    test('a counted request returns what is left of both windows', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const caller = callerOf(setting, await setting.keyOn('demo'));
      const { states } = setting.accounts.windows.take(caller);
      assert.deepEqual(states.minute, {
        limit: 20,
        used: 1,
        remaining: 19,
        resetsAtMs: NOON_MS + 60_000,
        resetSeconds: 60,
      });
      assert.deepEqual(states.month, {
        limit: 3000,
        used: 1,
        remaining: 2999,
        resetsAtMs: DECEMBER_MS,
        resetSeconds: (DECEMBER_MS - NOON_MS) / 1000,
      });
    });

    test('of 1,000 parallel requests at 20 a minute exactly 20 pass', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const caller = callerOf(setting, await setting.keyOn('demo'));
      const takes = await Promise.all(
        Array.from({ length: 1000 }, async () => {
          await null;
          return setting.accounts.windows.take(caller);
        }),
      );
      assert.equal(takes.filter((take) => take.allowed).length, 20);
      const { month } = setting.accounts.windows.read(caller);
      assert.equal(month.used, 20);
    });

    test('a spent minute is refused until its announced second, and does not count', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const caller = callerOf(setting, await setting.keyOn('demo'));
      for (let count = 0; count < 20; count++) setting.accounts.windows.take(caller);
      setting.clock.advanceMs(1_500);
      const refused = setting.accounts.windows.take(caller);
      assert.ok(!refused.allowed);
      assert.equal(refused.spent, 'minute');
      assert.equal(refused.retryAfterSeconds, 59);
      assert.equal(refused.states.minute.remaining, 0);
      assert.equal(refused.states.month.used, 20);
      setting.clock.advanceMs(59_000);
      assert.equal(setting.accounts.windows.take(caller).allowed, true);
    });

    test('a spent month is refused until the 1st, 00:00 UTC', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const caller = { slotId: 's', keyId: null, plan: { requestsPerMinute: 10, requestsPerMonth: 3 } };
      for (let count = 0; count < 3; count++) setting.accounts.windows.take(caller);
      const refused = setting.accounts.windows.take(caller);
      assert.ok(!refused.allowed);
      assert.equal(refused.spent, 'month');
      assert.equal(refused.retryAfterSeconds, (DECEMBER_MS - NOON_MS) / 1000);
      setting.clock.setMs(DECEMBER_MS - 1);
      assert.equal(setting.accounts.windows.take(caller).allowed, false);
      setting.clock.setMs(DECEMBER_MS);
      const next = setting.accounts.windows.take(caller);
      assert.equal(next.allowed, true);
      assert.equal(next.states.month.used, 1);
    });

    test('the minute is named first when both are spent', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const caller = { slotId: 's', keyId: null, plan: { requestsPerMinute: 2, requestsPerMonth: 2 } };
      setting.accounts.windows.take(caller);
      setting.accounts.windows.take(caller);
      const refused = setting.accounts.windows.take(caller);
      assert.ok(!refused.allowed);
      assert.equal(refused.spent, 'minute');
    });

    test('a refund applies to both windows, and only once', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const caller = callerOf(setting, await setting.keyOn('demo'));
      setting.accounts.windows.take(caller);
      const receipt = receiptOf(setting.accounts.windows.take(caller));
      for (const round of [1, 2]) {
        const states = setting.accounts.windows.refund(receipt);
        assert.deepEqual([round, states.minute.used, states.month.used], [round, 1, 1]);
      }
    });

    test('a refund after the end of the month counts for the old month', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const { windows } = setting.accounts;
      const caller = callerOf(setting, await setting.keyOn('demo'));
      setting.clock.setMs(DECEMBER_MS - 10);
      const receipt = receiptOf(windows.take(caller));
      setting.clock.setMs(DECEMBER_MS + 10);
      windows.take(caller);
      assert.equal(windows.refund(receipt).month.used, 1);
      await setting.accounts.flushUsage();
      const rows = await setting.storage.db
        .selectFrom('slot_months')
        .select(['month_start_ms', 'used'])
        .execute();
      assert.deepEqual(
        rows.map((row) => ({ ...row })),
        [{ month_start_ms: DECEMBER_MS, used: 1 }],
      );
    });

    test('a clock that is set a month ahead and back: each month goes on with what was counted in it', async (t) => {
      const options = await fresh(t);
      const setting = await openSetting(t, options);
      const { windows } = setting.accounts;
      const made = await setting.keyOn('demo');
      const caller = callerOf(setting, made);
      const nowMs = setting.clock.nowMs();
      for (let count = 0; count < 3; count++) windows.take(caller);
      for (const round of [1, 2]) {
        setting.clock.setMs(DECEMBER_MS + DAY_MS);
        assert.equal(windows.take(caller).states.month.used, round);
        setting.clock.setMs(nowMs);
        const { month } = windows.take(caller).states;
        assert.deepEqual([month.used, month.resetsAtMs], [3 + round, DECEMBER_MS]);
      }
      await setting.accounts.flushUsage();
      const second = await openSetting(t, options, { clock: new ManualClock(DECEMBER_MS + DAY_MS) });
      assert.equal(second.accounts.windows.take(callerOf(second, made)).states.month.used, 3);
      second.clock.setMs(nowMs);
      assert.equal(second.accounts.windows.take(callerOf(second, made)).states.month.used, 6);
    });

    test('a month that was spent stays spent when the clock is set ahead and back', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const { windows } = setting.accounts;
      const caller = callerOf(setting, await setting.keyOn('demo'));
      const nowMs = setting.clock.nowMs();
      windows.setStored(caller.slotId, monthStartMs(nowMs), PLANS.demo.requestsPerMonth);
      setting.clock.setMs(DECEMBER_MS);
      assert.equal(windows.take(caller).allowed, true);
      setting.clock.setMs(nowMs);
      const refused = windows.take(caller);
      assert.ok(!refused.allowed);
      assert.equal(refused.spent, 'month');
    });

    test('a key in the slot of a revoked one has the same windows', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const { windows, keys } = setting.accounts;
      const first = await setting.keyOn('demo');
      windows.take(callerOf(setting, first));
      await keys.revoke(first.key.id);
      const second = await keys.create({ accountId: first.key.accountId, name: 'again' });
      const { minute, month } = windows.take(callerOf(setting, second)).states;
      assert.deepEqual([minute.used, month.used], [2, 2]);
    });

    test('a rotated key and the old one share their windows', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const { windows, keys } = setting.accounts;
      const first = await setting.keyOn('demo');
      windows.take(callerOf(setting, first));
      const second = await keys.rotate(first.key.id);
      windows.take(callerOf(setting, second));
      assert.equal(windows.take(callerOf(setting, first)).states.month.used, 3);
    });

    test('a changed plan applies at once', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const { windows, accounts } = setting.accounts;
      const made = await setting.keyOn('demo');
      for (let count = 0; count < 21; count++) windows.take(callerOf(setting, made));
      await accounts.setPlan(made.key.accountId, 'developer');
      assert.equal(windows.take(callerOf(setting, made)).states.minute.remaining, 99);
      await accounts.setPlan(made.key.accountId, 'demo');
      assert.equal(windows.take(callerOf(setting, made)).allowed, false);
    });

    test('the month continues after a restart', async (t) => {
      const options = await fresh(t);
      const first = await openSetting(t, options);
      const made = await first.keyOn('demo');
      for (let count = 0; count < 5; count++) first.accounts.windows.take(callerOf(first, made));
      await first.accounts.flushUsage();
      const second = await openSetting(t, options);
      assert.equal(second.accounts.windows.take(callerOf(second, made)).states.month.used, 6);
    });

    test('closing stores pending counts and the time of last use', async (t) => {
      const options = await fresh(t);
      const first = await openSetting(t, options);
      const made = await first.keyOn('demo');
      first.accounts.windows.take(callerOf(first, made));
      await first.accounts.close();
      const second = await openSetting(t, options);
      assert.equal(second.accounts.windows.read(callerOf(second, made)).month.used, 1);
      assert.equal((await second.accounts.keys.find(made.key.id))?.lastUsedAtMs, NOON_MS);
    });

    test('counts are stored twice a second, the time of last use within a minute', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const made = await setting.keyOn('demo');
      setting.accounts.windows.take(callerOf(setting, made));
      setting.clock.advanceMs(500);
      const stored = () => setting.storage.db.selectFrom('slot_months').select('used').executeTakeFirst();
      await until(async () => (await stored())?.used === 1);
      assert.equal((await setting.accounts.keys.find(made.key.id))?.lastUsedAtMs, null);
      await until(async () => {
        setting.clock.advanceMs(1_000);
        return (await setting.accounts.keys.find(made.key.id))?.lastUsedAtMs === NOON_MS;
      });
    });

    test('the counts of two processes add up, and each reads the total', async (t) => {
      const options = await fresh(t);
      const first = await openSetting(t, options);
      const made = await first.keyOn('developer');
      const second = await openSetting(t, options);
      for (let count = 0; count < 3; count++) first.accounts.windows.take(callerOf(first, made));
      for (let count = 0; count < 4; count++) second.accounts.windows.take(callerOf(second, made));
      await first.accounts.flushUsage();
      await second.accounts.flushUsage();
      assert.equal(second.accounts.windows.read(callerOf(second, made)).month.used, 7);
    });

    test('counts of a failed write are stored by the next', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const made = await setting.keyOn('demo');
      const { db } = setting.storage;
      setting.accounts.windows.take(callerOf(setting, made));
      await db.schema.alterTable('key_usage').renameTo('key_usage_renamed').execute();
      await assert.rejects(setting.accounts.flushUsage(), /key_usage/);
      setting.accounts.windows.take(callerOf(setting, made));
      await db.schema.alterTable('key_usage_renamed').renameTo('key_usage').execute();
      await setting.accounts.flushUsage();
      const rows = await db.selectFrom('slot_months').select('used').execute();
      assert.deepEqual(
        rows.map((row) => row.used),
        [2],
      );
      assert.equal((await readKeyUsage(db, made.key.id, 'day', 0, NOON_MS))[0]?.used, 2);
    });

    test('requests per key are stored by hour and by day, less refunds', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      const made = await setting.keyOn('demo');
      const caller = callerOf(setting, made);
      const { windows } = setting.accounts;
      windows.take(caller);
      windows.take(caller);
      await setting.accounts.flushUsage();
      setting.clock.setMs(NOON_MS + HOUR_MS);
      windows.refund(receiptOf(windows.take(caller)));
      windows.take(caller);
      setting.clock.setMs(NOON_MS + 13 * HOUR_MS);
      windows.take(caller);
      await setting.accounts.flushUsage();
      const { db } = setting.storage;
      const endMs = NOON_MS + 24 * HOUR_MS;
      assert.deepEqual(await readKeyUsage(db, made.key.id, 'hour', NOON_MS, endMs), [
        { startMs: NOON_MS, used: 2 },
        { startMs: NOON_MS + HOUR_MS, used: 1 },
        { startMs: NOON_MS + 13 * HOUR_MS, used: 1 },
      ]);
      assert.deepEqual(await readKeyUsage(db, made.key.id, 'day', 0, endMs), [
        { startMs: NOON_MS - 12 * HOUR_MS, used: 3 },
        { startMs: NOON_MS + 12 * HOUR_MS, used: 1 },
      ]);
    });

    test('many slots at once are stored in batches', async (t) => {
      const setting = await openSetting(t, await fresh(t));
      for (let index = 0; index < 1_234; index++) {
        setting.accounts.windows.take({ slotId: `s${index}`, keyId: `k${index}`, plan: PLANS.demo });
      }
      await setting.accounts.flushUsage();
      const row = await setting.storage.db
        .selectFrom('slot_months')
        .select((select) => select.fn.sum<number>('used').as('sum'))
        .executeTakeFirst();
      assert.equal(row?.sum, 1_234);
    });
  });
});
