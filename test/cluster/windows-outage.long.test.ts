import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Take } from '../../src/accounts/windows/windows.ts';
import { freshPostgres, skipPostgres } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import {
  type ApiProcess,
  hammer,
  holderOf,
  knowEachOther,
  openProcess,
  openThree,
  ownRedis,
  passed,
  untilAll,
} from './processes.ts';

const redis = await startRedis();
if (typeof redis !== 'string') await redis.stop();
const skip = typeof redis === 'string' ? redis : skipPostgres;

const mine = holderOf(120, 100_000);
const receiptOf = (take: Take) => (take.allowed ? take.receipt : assert.fail(take.spent));
const LOCAL = /an equal share/;
/** Long enough that a slow Redis does not count as unavailable. */
const HUNG_AFTER_MS = 500;
const storedMonth = async ({ storage }: ApiProcess) =>
  (await storage.db.selectFrom('slot_months').select('used').executeTakeFirst())?.used;

describe('shared windows during a Redis outage', { skip }, () => {
  test('each process gets an equal share of what is left, also after Redis comes back empty', async (t) => {
    const server = await ownRedis(t);
    const three = await openThree(t, await freshPostgres(t), server.url);
    await knowEachOther(three);
    assert.equal(passed(await hammer(three, () => mine, 60)), 60);
    await server.stop();
    await untilAll(three, LOCAL);
    // 60 are left: 20 for each.
    for (const one of three) {
      const takes = await hammer([one], () => mine, 100);
      assert.equal(passed(takes), 20);
      assert.ok(takes.every((take) => take.allowed || take.spent === 'minute'));
    }

    await ownRedis(t, server.port);
    await untilAll(three, null);
    assert.equal(passed(await hammer(three, () => mine, 90)), 0);
    const states = await three[1].accounts.windows.read(mine);
    assert.deepEqual([states.minute.used, states.month.used], [120, 120]);
    await Promise.all(three.map((one) => one.accounts.flushUsage()));
    assert.equal(await storedMonth(three[0]), 120);
  });

  test('a Redis that hung gets what was counted without it, once', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const two = [
      await openProcess(t, options, server.url, undefined, HUNG_AFTER_MS),
      await openProcess(t, options, server.url, undefined, HUNG_AFTER_MS),
    ];
    await knowEachOther(two);
    assert.equal(passed(await hammer(two, () => mine, 20)), 20);
    server.child.kill('SIGSTOP');
    await untilAll(two, LOCAL);
    assert.equal(passed(await hammer(two, () => mine, 10)), 10);
    server.child.kill('SIGCONT');
    await untilAll(two, null);
    const states = await two[0]?.accounts.windows.read(mine);
    assert.deepEqual([states?.minute.used, states?.month.used], [30, 30]);
    assert.equal(passed(await hammer(two, () => mine, 150)), 90);
  });

  test('under load before, during and after an outage exactly the limit passes', async (t) => {
    const server = await ownRedis(t);
    const three = await openThree(t, await freshPostgres(t), server.url);
    await knowEachOther(three);
    let isOver = false;
    let [before, during] = [0, 0];
    const load = three.map(async (one) => {
      while (!isOver) {
        const take = await one.accounts.windows.take(mine);
        if (take.allowed && one.redis.isUp) before++;
        else if (take.allowed) during++;
        await new Promise((resolve) => setTimeout(resolve, take.allowed ? 15 : 5));
      }
    });
    await until(() => before >= 40);
    await server.stop();
    await until(() => during >= 20);
    await ownRedis(t, server.port);
    await untilAll(three, null);
    await until(async () => (await three[0].accounts.windows.read(mine)).minute.used >= 120);
    isOver = true;
    await Promise.all(load);
    assert.equal(before + during, 120);
  });

  test('the month is shared equally too', async (t) => {
    const server = await ownRedis(t);
    const three = await openThree(t, await freshPostgres(t), server.url);
    await knowEachOther(three);
    const few = holderOf(1_000, 50);
    assert.equal(passed(await hammer(three, () => few, 20)), 20);
    await server.stop();
    await untilAll(three, LOCAL);
    const takes = await hammer(three, () => few, 90);
    // 10 for each; less for a process that computes its share after another has stored some of its requests.
    assert.ok(passed(takes) >= 10 && passed(takes) <= 30, String(passed(takes)));
    assert.ok(takes.every((take) => take.allowed || take.spent === 'month'));
  });

  test('refunds during the outage apply at every process afterwards', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const two = [
      await openProcess(t, options, server.url, undefined, HUNG_AFTER_MS),
      await openProcess(t, options, server.url, undefined, HUNG_AFTER_MS),
    ];
    const [first, second] = two as [ApiProcess, ApiProcess];
    await knowEachOther(two);
    const early = receiptOf(await first.accounts.windows.take(mine));
    receiptOf(await first.accounts.windows.take(mine));
    server.child.kill('SIGSTOP');
    await untilAll(two, LOCAL);
    const late = receiptOf(await first.accounts.windows.take(mine));
    receiptOf(await second.accounts.windows.take(mine));
    await first.accounts.windows.refund(early);
    await first.accounts.windows.refund(late);
    server.child.kill('SIGCONT');
    await untilAll(two, null);
    const states = await second.accounts.windows.read(mine);
    assert.deepEqual([states.minute.used, states.month.used], [2, 2]);
    await Promise.all(two.map((one) => one.accounts.flushUsage()));
    assert.equal(await storedMonth(first), 2);
  });

  test('a single process may use all that is left, even without the database', async (t) => {
    const server = await ownRedis(t);
    const one = await openProcess(t, await freshPostgres(t), server.url);
    assert.equal(passed(await hammer([one], () => mine, 50)), 50);
    await server.stop();
    await one.storage.db.destroy();
    assert.equal(passed(await hammer([one], () => mine, 100)), 70);
  });
});
