import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { openAccounts } from '../../src/accounts/accounts.ts';
import { ALLOWED, COUNT } from '../../src/accounts/windows/redis/scripts.ts';
import type { Receipt, WindowOwner } from '../../src/accounts/windows/windows.ts';
import { type Clock, ManualClock, systemClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { type Redis, RedisUnavailableError } from '../../src/storage/redis/redis.ts';
import { freshSqlite, openFor, silentLog } from '../storage/databases.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';

const redis = await startRedis();
if (typeof redis !== 'string') after(() => redis.stop());
const url = typeof redis === 'string' ? '' : redis.url;
const skip = typeof redis === 'string' ? redis : false;

async function opened(
  t: TestContext,
  clock: Clock,
  isShared: boolean,
  changeRedis: (link: Redis) => void = () => undefined,
  metrics = createMetrics(),
) {
  const storage = await openFor(t, await freshSqlite(t));
  const link = isShared ? await openRedis({ url, log: silentLog, timeoutMs: 2_000 }) : null;
  if (link) changeRedis(link);
  const baseUrl = 'http://127.0.0.1';
  const accounts = await openAccounts({
    storage,
    redis: link,
    clock,
    log: silentLog,
    metrics,
    baseUrl,
    tierGrants: new Map(),
  });
  t.after(async () => {
    await accounts.close();
    await link?.close();
  });
  return accounts;
}

const step = fc.record({
  what: fc.constantFrom(
    'take' as const,
    'take' as const,
    'take' as const,
    'refund' as const,
    'read' as const,
    'takes at once' as const,
  ),
  which: fc.nat(20),
  waitMs: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 0, max: 25_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 50_000, max: 70_000 }) },
    // Mostly past the end of the month.
    { weight: 1, arbitrary: fc.integer({ min: 20 * 86_400_000, max: 40 * 86_400_000 }) },
  ),
});

describe('windows in Redis', { skip }, () => {
  test('a month of which Redis has lost counts is raised to the total of the database within a minute', async (t) => {
    const clock = new ManualClock(Date.UTC(2026, 10, 14, 9));
    const { windows, flushUsage } = await opened(t, clock, true);
    const owner: WindowOwner = {
      slotId: 'lost/key/1',
      keyId: null,
      plan: { requestsPerMinute: 900, requestsPerMonth: 1_000 },
    };
    const used = async () => (await windows.read(owner)).month.used;
    for (let count = 0; count < 5; count++) assert.ok((await windows.take(owner)).allowed);
    await flushUsage();
    const link = await openRedis({ url, log: silentLog, timeoutMs: 2_000 });
    t.after(() => link.close());
    const names = (await link.command(['KEYS', '*lost/key/1*'])) as string[];
    const month = names.find((name) => name.includes(':month:')) ?? assert.fail(names.join());
    await link.command(['SET', month, '1']);
    assert.equal(await used(), 1);
    let taken = 5;
    const takeAndStore = async () => {
      assert.ok((await windows.take(owner)).allowed);
      taken++;
      await flushUsage();
    };
    clock.advanceMs(59_000);
    await takeAndStore();
    assert.equal(await used(), 2, 'not with every total');
    clock.advanceMs(1_000);
    await until(async () => {
      await takeAndStore();
      return (await used()) === taken;
    });
  });

  test('time requests to less than a millisecond, or a request could make room before its minute is over', async (t) => {
    const { windows } = await opened(t, systemClock, true);
    const owner: WindowOwner = {
      slotId: 'exact/key/1',
      keyId: null,
      plan: { requestsPerMinute: 50, requestsPerMonth: 1_000 },
    };
    for (let count = 0; count < 30; count++) assert.ok((await windows.take(owner)).allowed);
    const link = await openRedis({ url, log: silentLog, timeoutMs: 2_000 });
    t.after(() => link.close());
    const names = (await link.command(['KEYS', '*exact/key/1*'])) as string[];
    const minute = names.find((name) => name.includes(':minute:')) ?? assert.fail(names.join());
    const members = (await link.command(['ZRANGE', minute, '0', '-1', 'WITHSCORES'])) as string[];
    const times = members.filter((_, place) => place % 2 === 1).map(Number);
    assert.equal(times.length, 30);
    assert.ok(
      times.some((time) => !Number.isInteger(time)),
      times.join(),
    );
  });

  test('give the same results as windows in memory, at any times', async (t) => {
    const clock = new ManualClock(Date.UTC(2026, 10, 15, 12));
    const shared = (await opened(t, clock, true)).windows;
    const alone = (await opened(t, clock, false)).windows;
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const plan = { requestsPerMinute: 4, requestsPerMonth: 12 };
        const owner: WindowOwner = { slotId: `slot ${++run}`, keyId: 'key', plan };
        const receipts: [Receipt, Receipt][] = [];
        for (const { what, which, waitMs } of steps) {
          clock.advanceMs(waitMs);
          const pair = receipts[which % Math.max(1, receipts.length)];
          if (what === 'read' || (what === 'refund' && !pair)) {
            assert.deepEqual(await shared.read(owner), await alone.read(owner));
          } else if (what === 'refund' && pair) {
            assert.deepEqual(await shared.refund(pair[0]), await alone.refund(pair[1]));
          } else if (what === 'takes at once') {
            const owners = [owner, { ...owner, slotId: `other slot ${run}` }];
            // Once Redis has the months, it decides in the order of the requests.
            for (const one of owners) await shared.read(one);
            const order = Array.from({ length: 1 + (which % 8) }, (_, i) => owners[(i * which) % 2] ?? owner);
            const together = await Promise.all(order.map((one) => shared.take(one)));
            for (const [place, one] of order.entries()) {
              const [mine, other] = [together[place] ?? assert.fail(), await alone.take(one)];
              assert.deepEqual({ ...mine, receipt: null }, { ...other, receipt: null });
              if (mine.allowed && other.allowed) receipts.push([mine.receipt, other.receipt]);
            }
          } else {
            const [one, other] = [await shared.take(owner), await alone.take(owner)];
            assert.deepEqual({ ...one, receipt: null }, { ...other, receipt: null });
            if (one.allowed && other.allowed) receipts.push([one.receipt, other.receipt]);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('of requests at once exactly the limit passes, and each knows what is left', async (t) => {
    const clock = new ManualClock(Date.UTC(2026, 10, 15, 12));
    const { windows } = await opened(t, clock, true);
    const owner = { slotId: 'slot', keyId: null, plan: { requestsPerMinute: 5, requestsPerMonth: 50 } };
    const spentMonth = { ...owner, slotId: 'other', plan: { requestsPerMinute: 5, requestsPerMonth: 2 } };
    await windows.take(owner);
    await windows.read(spentMonth);
    clock.advanceMs(20_000);
    const takes = await Promise.all(
      [owner, spentMonth, owner, spentMonth, owner, spentMonth, owner, owner, owner].map((one) =>
        windows.take(one),
      ),
    );
    const told = takes.map((take) => {
      if (!('states' in take)) return take.spent;
      const { minute, month } = take.states;
      return [take.allowed ? 'passed' : take.spent, minute.remaining, minute.resetSeconds, month.remaining];
    });
    assert.deepEqual(told, [
      ['passed', 3, 40, 48],
      ['passed', 4, 60, 1],
      ['passed', 2, 40, 47],
      ['passed', 3, 60, 0],
      ['passed', 1, 40, 46],
      ['month', 3, 60, 0],
      ['passed', 0, 40, 45],
      ['minute', 0, 40, 45],
      ['minute', 0, 40, 45],
    ]);
  });

  for (const [name, fail] of [
    ['is lost', () => Promise.reject(new RedisUnavailableError('no reply'))],
    ['is unreadable', () => Promise.resolve(['unreadable'])],
  ] as const)
    test(`a request whose reply ${name} is decided by the process, and counted once`, async (t) => {
      const clock = new ManualClock(Date.UTC(2026, 10, 15, 12));
      const metrics = createMetrics();
      let lost = 1;
      const loseOne = (link: Redis) => {
        const run = link.run.bind(link);
        link.run = async (script, keys, args) => {
          const reply = await run(script, keys, args);
          const isCounted = Array.isArray(reply) && reply[0] === ALLOWED && script === COUNT;
          return isCounted && lost-- > 0 ? await fail() : reply;
        };
      };
      const { windows, flushUsage } = await opened(t, clock, true, loseOne, metrics);
      const owner = { slotId: 'slot', keyId: null, plan: { requestsPerMinute: 5, requestsPerMonth: 50 } };
      assert.equal((await windows.take(owner)).allowed, true);
      await flushUsage();
      const states = await windows.read(owner);
      assert.deepEqual([states.minute.used, states.month.used], [1, 1]);
      const { values } = await metrics.clusterMessages.get();
      assert.deepEqual(
        values.map(({ labels, value }) => [labels.kind, labels.outcome, value]),
        name === 'is unreadable' ? [['windows', 'unreadable', 1]] : [],
      );
    });
});
