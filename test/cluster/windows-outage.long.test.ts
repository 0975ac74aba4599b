import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Take } from '../../src/accounts/windows/windows.ts';
import { freshPostgres, skipPostgres } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { cutProxy } from './cut-proxy.ts';
import {
  type ApiProcess,
  hammer,
  holderOf,
  keyOn,
  openProcess,
  openThree,
  ownRedis,
  passed,
  untilAll,
} from './processes.ts';

const redis = await startRedis();
if (typeof redis !== 'string') await redis.stop();
const skip = typeof redis === 'string' ? redis : skipPostgres;

const LIMIT = 120;
const mine = holderOf(LIMIT, 100_000);
const receiptOf = (take: Take) => (take.allowed ? take.receipt : assert.fail(take.spent));
/** Long enough that a slow Redis does not count as unavailable. */
const HUNG_AFTER_MS = 500;
const shareOf = (count: number) => new RegExp(`each of ${count} processes`);
const storedMonth = async ({ storage }: ApiProcess) =>
  (await storage.db.selectFrom('slot_months').select('used').executeTakeFirst())?.used;
const flushAll = (processes: readonly ApiProcess[]) =>
  Promise.all(processes.map(({ accounts }) => accounts.flushUsage()));

describe('windows while Redis is unavailable', { skip }, () => {
  test('each process passes its share less what it passed itself; a Redis that comes back empty passes nothing more', async (t) => {
    const server = await ownRedis(t);
    const three = await openThree(t, await freshPostgres(t), server.url);
    const [first, ...others] = three;
    assert.equal(passed(await hammer([first], () => mine, 60)), 60);
    await server.stop();
    await untilAll(three, shareOf(3));
    assert.equal(
      passed(await hammer([first], () => mine, 100)),
      0,
      'it has passed more than its share of 40',
    );
    for (const one of others) {
      const takes = await hammer([one], () => mine, 100);
      assert.equal(passed(takes), 40);
      assert.ok(takes.every((take) => take.allowed || take.spent === 'minute'));
    }
    t.diagnostic(`in the minute of the loss ${60 + 80} of ${LIMIT} passed`);

    await ownRedis(t, server.port);
    await untilAll(three, null);
    assert.equal(passed(await hammer(three, () => mine, 90)), 0, 'the last minute is in Redis again');
    await flushAll(three);
    const { month } = await three[1].accounts.windows.read(mine);
    assert.deepEqual([month.used, await storedMonth(first)], [140, 140]);
  });

  test('under full load at most twice the limit passes in the minute in which Redis is lost and returns empty', async (t) => {
    const server = await ownRedis(t);
    const three = await openThree(t, await freshPostgres(t), server.url);
    // All at one process before the loss, so that the others have their whole share left: the worst case.
    const startedMs = performance.now();
    const counts = { before: passed(await hammer([three[0]], () => mine, 200)), away: 0, after: 0 };
    await server.stop();
    let phase: 'away' | 'after' = 'away';
    let isOver = false;
    const load = three.map(async ({ accounts }) => {
      while (!isOver) {
        const take = await accounts.windows.take(mine);
        if (take.allowed && performance.now() - startedMs < 60_000) counts[phase]++;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    });
    await until(() => counts.away >= 80, 'the shares of two processes');
    await ownRedis(t, server.port);
    await untilAll(three, null);
    phase = 'after';
    assert.equal(passed(await hammer(three, () => mine, 300)), 0);
    isOver = true;
    await Promise.all(load);
    const total = counts.before + counts.away + counts.after;
    t.diagnostic(
      `of ${LIMIT} a minute passed ${counts.before} before the loss, ${counts.away} without Redis, ${counts.after} after it came back empty: ${total}`,
    );
    assert.equal(counts.before, LIMIT);
    assert.ok(total <= 2 * LIMIT, String(total));
  });

  test('a Redis that hung gets what was counted without it, once', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const two = [
      await openProcess(t, options, server.url, undefined, HUNG_AFTER_MS),
      await openProcess(t, options, server.url, undefined, HUNG_AFTER_MS),
    ];
    assert.equal(passed(await hammer(two, () => mine, 20)), 20);
    server.child.kill('SIGSTOP');
    await untilAll(two, shareOf(2));
    assert.equal(passed(await hammer(two, () => mine, 10)), 10);
    server.child.kill('SIGCONT');
    await untilAll(two, null);
    const states = await two[0]?.accounts.windows.read(mine);
    assert.deepEqual([states?.minute.used, states?.month.used], [30, 30]);
    assert.equal(passed(await hammer(two, () => mine, 150)), 90);
  });

  test('the month is judged by the total of the database', async (t) => {
    const server = await ownRedis(t);
    const three = await openThree(t, await freshPostgres(t), server.url);
    const few = holderOf(1_000, 50);
    assert.equal(passed(await hammer(three, () => few, 20)), 20);
    await server.stop();
    await untilAll(three, shareOf(3));
    const without = passed(await hammer(three, () => few, 90));
    t.diagnostic(
      `of 50 a month ${20 + without} passed: each process learns what the others count within a second`,
    );
    assert.ok(without >= 30 && without <= 90, String(without));
    await flushAll(three);
    for (const one of three) {
      const take = await one.accounts.windows.take(few);
      if (take.allowed) assert.fail('each process has seen a total beyond the limit');
      assert.equal(take.spent, 'month');
    }
    await ownRedis(t, server.port);
    await untilAll(three, null);
    assert.equal(
      (await three[0].accounts.windows.read(few)).month.used,
      20 + without,
      'nothing counted is lost',
    );
    assert.equal((await three[1].accounts.windows.take(few)).allowed, false);
  });

  test('a limit smaller than the number of processes refuses nobody', async (t) => {
    const server = await ownRedis(t);
    const three = await openThree(t, await freshPostgres(t), server.url);
    await server.stop();
    await untilAll(three, shareOf(3));
    const small = holderOf(2, 1_000);
    for (const one of three) assert.equal(passed(await hammer([one], () => small, 5)), 1);
  });

  test('refunds during the outage apply to the month at every process afterwards', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const two = [
      await openProcess(t, options, server.url, undefined, HUNG_AFTER_MS),
      await openProcess(t, options, server.url, undefined, HUNG_AFTER_MS),
    ];
    const [first, second] = two as [ApiProcess, ApiProcess];
    const early = receiptOf(await first.accounts.windows.take(mine));
    receiptOf(await first.accounts.windows.take(mine));
    server.child.kill('SIGSTOP');
    await untilAll(two, shareOf(2));
    const late = receiptOf(await first.accounts.windows.take(mine));
    receiptOf(await second.accounts.windows.take(mine));
    await first.accounts.windows.refund(early);
    await first.accounts.windows.refund(late);
    server.child.kill('SIGCONT');
    await untilAll(two, null);
    assert.equal((await second.accounts.windows.read(mine)).month.used, 2);
    await flushAll(two);
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

  test('a process that alone has lost Redis passes its share, the others the limit', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const proxy = await cutProxy(t, server.port);
    const cut = await openProcess(t, options, `redis://127.0.0.1:${proxy.port}`);
    const whole = await openProcess(t, options, server.url);
    assert.equal(passed(await hammer([cut], () => mine, 10)), 10);
    proxy.cut();
    await untilAll([cut], shareOf(2));
    assert.equal(passed(await hammer([cut], () => mine, 200)), 50, 'half of the limit less the 10 before');
    assert.equal(passed(await hammer([whole], () => mine, 200)), 110);
    t.diagnostic(
      `${10 + 50 + 110} of ${LIMIT} passed in the minute in which one of two processes lost Redis`,
    );
    proxy.heal();
    await untilAll([cut], null);
    assert.equal(passed(await hammer([cut, whole], () => mine, 50)), 0);
  });

  test('a process that starts while Redis is unavailable passes its share at once', async (t) => {
    const server = await ownRedis(t);
    await server.stop();
    const one = await openProcess(t, await freshPostgres(t), server.url);
    assert.equal(passed(await hammer([one], () => mine, 200)), LIMIT);
    await ownRedis(t, server.port);
    await untilAll([one], null);
    assert.equal((await one.accounts.windows.take(mine)).allowed, false);
  });

  test('without the database windows keep counting, and the counts are stored later', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const address = new URL(options.databaseUrl ?? '');
    const proxy = await cutProxy(t, Number(address.port));
    address.port = String(proxy.port);
    const one = await openProcess(t, { ...options, databaseUrl: address.href }, server.url);
    const fresh = { ...mine, slotId: 'first used without the database' };
    assert.equal(passed(await hammer([one], () => mine, 10)), 10);
    proxy.cut();
    assert.equal(passed(await hammer([one], () => mine, 200)), 110);
    assert.equal(passed(await hammer([one], () => fresh, 10)), 10);
    await assert.rejects(one.accounts.flushUsage());
    proxy.heal();
    await until(() =>
      one.accounts.flushUsage().then(
        () => true,
        () => false,
      ),
    );
    const rows = await one.storage.db.selectFrom('slot_months').select('used').orderBy('used').execute();
    assert.deepEqual(
      rows.map((row) => row.used),
      [10, 120],
    );
  });

  test('after a process and Redis died together at most twice the limit passes in a minute', async (t) => {
    const server = await ownRedis(t);
    const options = await freshPostgres(t);
    const survivor = await openProcess(t, options, server.url);
    const { text } = await keyOn(survivor, 'developer');
    const before = passed(await hammer([survivor], (one) => one.callerOf(text), 50));
    const program = join(import.meta.dirname, 'take-many.ts');
    const args = [program, options.databaseUrl ?? '', server.url, text, '60', 'die'];
    const { stdout } = await promisify(execFile)(process.execPath, args).catch(
      (error: { stdout: string }) => error,
    );
    assert.equal(before + Number(stdout), 110);
    await server.stop();
    await until(() => survivor.accounts.degraded().length > 0);
    await ownRedis(t, server.port);
    const replaced = await openProcess(t, options, server.url);
    await untilAll([survivor, replaced], null);
    const after = passed(await hammer([survivor, replaced], (one) => one.callerOf(text), 300));
    t.diagnostic(
      `of ${LIMIT} a minute passed 50 at the survivor, 60 at the killed process, and ${after} afterwards`,
    );
    assert.equal(after, LIMIT - 50);
  });

  test('a key that is revoked without Redis fails at every process', async (t) => {
    const server = await ownRedis(t);
    const three = await openThree(t, await freshPostgres(t), server.url);
    const { text, key } = await keyOn(three[0], 'developer');
    await until(() => three.every((one) => one.accounts.authenticate(text).ok));
    await server.stop();
    await untilAll(three, shareOf(3));
    const revokedMs = performance.now();
    await three[0].accounts.keys.revoke(key.id);
    await until(() => three.every((one) => !one.accounts.authenticate(text).ok));
    t.diagnostic(`known to every process after ${Math.round(performance.now() - revokedMs)} ms`);
    assert.deepEqual(three[2].accounts.authenticate(text), { ok: false, reason: 'revoked' });
  });
});
