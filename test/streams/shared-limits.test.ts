import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { monthStartMs } from '../../src/accounts/windows/months.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { holderOf, openProcess, openThree, untilAll } from '../cluster/processes.ts';
import { freshPostgres, skipPostgres } from '../storage/databases.ts';
import { launchRedis, startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';

const redis = await startRedis();
if (typeof redis !== 'string') after(() => redis.stop());
const url = typeof redis === 'string' ? '' : redis.url;
const skip = typeof redis === 'string' ? redis : skipPostgres;

suite('limits of streams over several processes', { skip }, () => {
  test('of 30 parallel openings on three processes exactly as many as the plan allows pass', async (t) => {
    const three = await openThree(t, await freshPostgres(t), url);
    const openings = await Promise.all(
      Array.from({ length: 30 }, (_, i) => three[i % 3]?.accounts.openStreams.open('slot', 10)),
    );
    assert.equal(openings.filter(Boolean).length, 10);
    const place = openings.indexOf(true);
    three[place % 3]?.accounts.openStreams.close('slot');
    await until(async () => await three[2].accounts.openStreams.open('slot', 10), 'the free place');
    assert.equal(await three[0].accounts.openStreams.open('slot', 10), false);
    assert.equal(await three[0].accounts.openStreams.open('other slot', 1), true);
  });

  test('the streams of a process that has gone are free again', async (t) => {
    const database = await freshPostgres(t);
    const gone = await openProcess(t, database, url);
    const other = await openProcess(t, database, url);
    assert.equal(await gone.accounts.openStreams.open('slot', 1), true);
    assert.equal(await other.accounts.openStreams.open('slot', 1), false);
    await gone.close();
    await until(async () => await other.accounts.openStreams.open('slot', 1), 'the place of the other');
  });

  test('a minute is counted on the month over all processes, is stored, and is refused beyond it', async (t) => {
    const three = await openThree(t, await freshPostgres(t), url);
    const owner = holderOf(1, 50);
    const takes = await Promise.all(
      Array.from({ length: 90 }, (_, i) => three[i % 3]?.accounts.windows.takeMonth(owner)),
    );
    assert.equal(takes.filter((take) => take?.allowed).length, 50);
    assert.ok(takes.every((take) => take?.allowed || take?.spent === 'month'));
    const { minute, month } = await three[0].accounts.windows.read(owner);
    assert.deepEqual([minute.used, month.used], [0, 50]);
    await Promise.all(three.map((one) => one.accounts.flushUsage()));
    const months = await three[0].storage.db.selectFrom('slot_months').select('used').execute();
    assert.deepEqual(months, [{ used: 50 }]);
  });

  test('without Redis a process counts its streams and minutes alone, and Redis learns of them later', async (t) => {
    const own = await launchRedis();
    if (typeof own === 'string') throw new Error(own);
    t.after(() => own.stop());
    const clock = new ManualClock(Date.UTC(2026, 10, 14));
    const process = await openProcess(t, await freshPostgres(t), own.url, clock);
    const { openStreams, windows } = process.accounts;
    const owner = holderOf(10, 4);
    assert.equal((await windows.takeMonth(owner)).allowed, true);
    await own.stop();
    await untilAll([process], /are not shared/);
    assert.equal(await openStreams.open('slot', 1), true);
    assert.equal(await openStreams.open('slot', 1), false);
    for (let i = 0; i < 3; i++)
      assert.deepEqual(await windows.takeMonth(owner), { allowed: true, spent: null });
    assert.equal((await windows.takeMonth(owner)).spent, 'month');
    const again = await launchRedis(own.port);
    if (typeof again === 'string') throw new Error(again);
    t.after(() => again.stop());
    await untilAll([process], null);
    assert.equal((await windows.read(owner)).month.used, 4);
    assert.equal((await windows.takeMonth(owner)).spent, 'month');
    await process.accounts.flushUsage();
    const stored = await process.storage.db.selectFrom('slot_months').selectAll().execute();
    assert.deepEqual(
      stored.map(({ month_start_ms, used }) => [month_start_ms, used]),
      [[monthStartMs(clock.nowMs()), 4]],
    );
  });
});
