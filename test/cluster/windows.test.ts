import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readKeyUsage } from '../../src/accounts/usage/rows.ts';
import { monthStartMs } from '../../src/accounts/windows/months.ts';
import type { Take } from '../../src/accounts/windows/windows.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS } from '../../src/base/times.ts';
import { freshPostgres, skipPostgres } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { type ApiProcess, hammer, holderOf, keyOn, openProcess, openThree, passed } from './processes.ts';

const redis = await startRedis();
if (typeof redis !== 'string') after(() => redis.stop());
const url = typeof redis === 'string' ? '' : redis.url;
const skip = typeof redis === 'string' ? redis : skipPostgres;
const DECEMBER_MS = Date.UTC(2026, 11, 1);

const receiptOf = (take: Take) => (take.allowed ? take.receipt : assert.fail(take.spent));
const storedMonths = async ({ storage }: ApiProcess) =>
  await storage.db.selectFrom('slot_months').select(['month_start_ms', 'used']).execute();

describe('windows of several processes', { skip }, () => {
  test('of 900 parallel requests on three processes exactly 120 pass, and each is stored once', async (t) => {
    const three = await openThree(t, await freshPostgres(t), url);
    const { text, key } = await keyOn(three[0], 'developer');
    await until(() => three.every((one) => one.accounts.authenticate(text).ok));
    const takes = await hammer(three, (one) => one.callerOf(text), 900);
    assert.equal(passed(takes), 120);
    assert.ok(takes.every((take) => take.allowed || take.spent === 'minute'));
    await Promise.all(three.map((one) => one.accounts.flushUsage()));
    const months = await storedMonths(three[0]);
    assert.deepEqual(
      months.map((row) => row.used),
      [120],
    );
    const days = await readKeyUsage(three[0].storage.db, key.id, 'day', 0, Number.MAX_SAFE_INTEGER);
    assert.equal(
      days.reduce((sum, day) => sum + day.used, 0),
      120,
    );
  });

  test('the month is a hard cap over all processes', async (t) => {
    const three = await openThree(t, await freshPostgres(t), url);
    const takes = await hammer(three, () => holderOf(1_000, 50), 300);
    assert.equal(passed(takes), 50);
    assert.ok(takes.every((take) => take.allowed || take.spent === 'month'));
  });

  test('a refund at one process makes room at another, once', async (t) => {
    const three = await openThree(t, await freshPostgres(t), url);
    const mine = holderOf(2, 100);
    const [first, second] = three;
    const receipt = receiptOf(await first.accounts.windows.take(mine));
    await second.accounts.windows.take(mine);
    assert.equal((await second.accounts.windows.take(mine)).allowed, false);
    for (const round of [1, 2]) {
      const states = await first.accounts.windows.refund(receipt);
      assert.deepEqual([round, states.minute.used, states.month.used], [round, 1, 1]);
    }
    assert.equal((await second.accounts.windows.take(mine)).allowed, true);
    assert.equal((await second.accounts.windows.take(mine)).allowed, false);
    await Promise.all(three.map((one) => one.accounts.flushUsage()));
    assert.deepEqual(
      (await storedMonths(first)).map((row) => row.used),
      [2],
    );
  });

  test('a refund after the end of the month counts for the old month', async (t) => {
    const clock = new ManualClock(DECEMBER_MS - 10);
    const one = await openProcess(t, await freshPostgres(t), url, clock);
    const { windows } = one.accounts;
    const receipt = receiptOf(await windows.take(holderOf(10, 100)));
    clock.setMs(DECEMBER_MS + 10);
    assert.equal((await windows.read(holderOf(10, 100))).month.used, 0);
    await windows.take(holderOf(10, 100));
    assert.equal((await windows.refund(receipt)).month.used, 1);
    await one.accounts.flushUsage();
    assert.deepEqual(
      (await storedMonths(one)).filter(({ used }) => used !== 0),
      [{ month_start_ms: DECEMBER_MS, used: 1 }],
    );
  });

  test('a clock that is set a month ahead and back: each month goes on with what was counted in it', async (t) => {
    const clock = new ManualClock(DECEMBER_MS - DAY_MS);
    const { accounts } = await openProcess(t, await freshPostgres(t), url, clock);
    const used = async () => {
      const take = await accounts.windows.take(holderOf(10, 100));
      assert.ok(take.allowed);
      return [take.receipt.monthStartMs, take.states.month.used];
    };
    const november = monthStartMs(DECEMBER_MS - DAY_MS);
    assert.deepEqual([await used(), await used()].at(-1), [november, 2]);
    clock.setMs(DECEMBER_MS + DAY_MS);
    assert.deepEqual(await used(), [DECEMBER_MS, 1]);
    clock.setMs(DECEMBER_MS - DAY_MS);
    assert.deepEqual(await used(), [november, 3]);
  });

  test('a clock that is months behind that of Redis keeps its counts', async (t) => {
    const clock = new ManualClock(Date.now() - 200 * DAY_MS);
    const { accounts } = await openProcess(t, await freshPostgres(t), url, clock);
    const takes = [];
    for (let count = 0; count < 3; count++) takes.push(await accounts.windows.take(holderOf(10, 2)));
    assert.deepEqual(
      takes.map(({ allowed }) => allowed),
      [true, true, false],
    );
  });

  test('a changed limit applies at once', async (t) => {
    const { accounts } = await openProcess(t, await freshPostgres(t), url);
    const { windows } = accounts;
    for (let count = 0; count < 10; count++) await windows.take(holderOf(10, 100));
    const refused = await windows.take(holderOf(3, 100));
    assert.ok(!refused.allowed && refused.spent === 'minute');
    assert.equal(refused.states.minute.used, 3);
    assert.equal((await windows.take(holderOf(11, 100))).allowed, true);
    assert.equal((await windows.take(holderOf(11, 100))).allowed, false);
  });

  test('reading counts nothing', async (t) => {
    const { accounts } = await openProcess(t, await freshPostgres(t), url);
    for (let count = 0; count < 3; count++)
      assert.equal((await accounts.windows.read(holderOf(10, 100))).minute.used, 0);
  });

  test('a process starts from the month in the database', async (t) => {
    const options = await freshPostgres(t);
    const { storage, accounts } = await openProcess(t, options, url);
    const row = { month_start_ms: monthStartMs(Date.now()), slot_id: 'slot', used: 98 };
    await storage.db.insertInto('slot_months').values(row).execute();
    const takes = await hammer([await openProcess(t, options, url)], () => holderOf(100, 100), 5);
    assert.equal(passed(takes), 2);
    assert.equal((await accounts.windows.read(holderOf(100, 100))).month.used, 100);
  });

  test('separate processes, one of which is killed, pass exactly the limit', async (t) => {
    const options = await freshPostgres(t);
    const watcher = await openProcess(t, options, url);
    const { text } = await keyOn(watcher, 'developer');
    const program = join(import.meta.dirname, 'take-many.ts');
    const start = (count: number, end: 'close' | 'die') =>
      spawn(process.execPath, [program, options.databaseUrl ?? '', url, text, String(count), end], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    const children = [start(150, 'close'), start(150, 'close'), start(7, 'die')];
    const counts = await Promise.all(
      children.map(async (child) => {
        let printed = '';
        child.stdout.on('data', (chunk) => {
          printed += chunk;
        });
        await once(child, 'close');
        return Number(printed);
      }),
    );
    const sum = counts.reduce((all, count) => all + count, 0);
    assert.equal(sum, 120);
    // The killed process may lose the documented second in the database; Redis has counted it.
    const [month] = await storedMonths(watcher);
    assert.ok(month && month.used <= 120 && month.used >= 120 - (counts[2] ?? 0));
    assert.equal((await watcher.accounts.windows.read(watcher.callerOf(text))).month.used, 120);
  });
});
