import assert from 'node:assert/strict';
import { after, describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { AttemptLimit } from '../../src/accounts/attempts/memory.ts';
import { RedisAttempts } from '../../src/accounts/attempts/redis.ts';
import { type BlockChannel, openSharedRejectedKeys } from '../../src/accounts/keys/shared-rejected-keys.ts';
import { redisNames } from '../../src/accounts/redis-names.ts';
import { type Clock, ManualClock, systemClock } from '../../src/base/clock.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import type { Redis } from '../../src/storage/redis/redis.ts';
import { freshSqlite, openFor, silentLog } from '../storage/databases.ts';
import { launchRedis, startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';

const redis = await startRedis();
if (typeof redis !== 'string') after(() => redis.stop());
const url = typeof redis === 'string' ? '' : redis.url;
const skip = typeof redis === 'string' ? redis : false;
const ADDRESS = '203.0.113.7';

/** Carries messages between the processes of a test, as PostgreSQL does between real ones. */
function testChannel(): BlockChannel {
  const listeners = new Set<(message: string) => void>();
  return {
    publish: async (message) => {
      for (const listener of listeners) setImmediate(listener, message);
    },
    listen: async (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Guards and limits of several processes on one Redis, under a separate key prefix. */
async function opened(t: TestContext, clock: Clock = systemClock, redisUrl = url, run?: Redis['run']) {
  const unreadable: string[] = [];
  const reportUnreadable = (kind: string) => void unreadable.push(kind);
  const channel = testChannel();
  const names = await redisNames((await openFor(t, await freshSqlite(t))).db);
  const link = async () => {
    const made = await openRedis({ url: redisUrl, log: silentLog, timeoutMs: 2_000 });
    t.after(() => made.close());
    if (run) made.run = run;
    return made;
  };
  return {
    link,
    names,
    channel,
    unreadable,
    guard: async () => {
      const made = await openSharedRejectedKeys(await link(), channel, names, clock, reportUnreadable);
      t.after(() => made.close());
      return made;
    },
    attempts: async (limit: string, rules: { most: number; withinMs: number }) =>
      new RedisAttempts(await link(), names, limit, rules, clock, reportUnreadable),
  };
}

/** Seconds to wait are exact on a clock that stands still. */
const standingClock = () => new ManualClock(1_800_000_000_000);

describe('the rejected-key guard of several processes', { skip }, () => {
  test('30 wrong keys in total are tolerated, the 31st is refused at every process', async (t) => {
    const { guard } = await opened(t);
    const three = [await guard(), await guard(), await guard()];
    for (let index = 0; index < 30; index++)
      assert.equal(await three[index % 3]?.noteWrong(ADDRESS), null, String(index));
    const block = await three[0]?.noteWrong(ADDRESS);
    assert.ok(block && block.retryAfterSeconds > 0 && block.retryAfterSeconds <= 60);
    assert.notEqual(three[0]?.blockOf(ADDRESS), null);
    // The other processes receive the block, and refuse good keys from the address too.
    await until(() => three.every((one) => one.blockOf(ADDRESS) !== null));
    assert.equal(three[1]?.blockOf('203.0.113.8'), null);
  });

  test('a process that missed the message refuses the address at its next wrong key', async (t) => {
    const { guard } = await opened(t);
    const first = await guard();
    for (let index = 0; index < 31; index++) await first.noteWrong(ADDRESS);
    const late = await guard();
    assert.notEqual(await late.noteWrong(ADDRESS), null);
  });

  test('of many wrong keys at once exactly 30 are tolerated', async (t) => {
    const { guard } = await opened(t);
    const three = [await guard(), await guard(), await guard()];
    const blocks = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => three[index % 3]?.noteWrong(ADDRESS)),
    );
    assert.equal(blocks.filter((block) => block === null).length, 30);
  });

  test('the block ends at the announced time, however often the address tried again', async (t) => {
    const clock = new ManualClock(1_800_000_000_000);
    const { guard } = await opened(t, clock);
    const [first, second] = [await guard(), await guard()];
    for (let index = 0; index < 31; index++) await first.noteWrong(ADDRESS);
    await until(() => second.blockOf(ADDRESS) !== null);
    clock.advanceMs(30_500);
    assert.deepEqual(await second.noteWrong(ADDRESS), { retryAfterSeconds: 30 });
    clock.advanceMs(29_500);
    assert.equal(first.blockOf(ADDRESS), null);
    assert.equal(await second.noteWrong(ADDRESS), null);
  });

  test('a block that has ended does not begin again when the own message about it comes late', async (t) => {
    const clock = new ManualClock(1_800_000_000_000);
    const { link, names } = await opened(t, clock);
    const late: string[] = [];
    let receive = (_message: string) => undefined as unknown;
    const slow: BlockChannel = {
      publish: async (message) => void late.push(message),
      listen: async (listener) => {
        receive = listener;
        return () => undefined;
      },
    };
    const guard = await openSharedRejectedKeys(await link(), slow, names, clock, () => undefined);
    t.after(() => guard.close());
    for (let index = 0; index < 31; index++) await guard.noteWrong(ADDRESS);
    assert.notEqual(guard.blockOf(ADDRESS), null);
    await until(() => late.length > 0, 'the own message');
    clock.advanceMs(60_000);
    assert.equal(guard.blockOf(ADDRESS), null);
    for (const message of late) receive(message);
    assert.equal(guard.blockOf(ADDRESS), null);
  });

  test('without Redis each process uses its own counts', async (t) => {
    const own = await launchRedis();
    if (typeof own === 'string') throw new Error(own);
    t.after(() => own.stop());
    const { guard } = await opened(t, systemClock, own.url);
    const one = await guard();
    for (let index = 0; index < 20; index++) await one.noteWrong(ADDRESS);
    await own.stop();
    for (let index = 0; index < 10; index++) assert.equal(await one.noteWrong(ADDRESS), null);
    assert.notEqual(await one.noteWrong(ADDRESS), null);
    assert.notEqual(one.blockOf(ADDRESS), null);
  });
});

describe('messages and replies that cannot be parsed', { skip }, () => {
  test('a malformed block is counted, and the next good one takes effect', async (t) => {
    const { guard, channel, unreadable } = await opened(t);
    const one = await guard();
    await channel.publish(`999999999 ${ADDRESS}`);
    await channel.publish(`30000 203.0.113.8`);
    await until(() => one.blockOf('203.0.113.8') !== null);
    assert.equal(one.blockOf(ADDRESS), null);
    assert.deepEqual(unreadable, ['block']);
  });

  test('after a malformed reply the process uses its own counts', async (t) => {
    const { attempts, unreadable } = await opened(t, standingClock(), url, async () => ['?']);
    const one = await attempts('malformed', { most: 1, withinMs: 60_000 });
    assert.equal(await one.take('ada'), null);
    assert.equal(await one.take('ada'), 60);
    assert.deepEqual(unreadable, ['attempts', 'attempts']);
  });
});

describe('attempts of several processes', { skip }, () => {
  test('are counted and reset together', async (t) => {
    const { attempts } = await opened(t, standingClock());
    const rules = { most: 3, withinMs: 60_000 };
    const [first, second] = [await attempts('sign-in', rules), await attempts('sign-in', rules)];
    assert.equal(await first.take('ada'), null);
    await second.note('ada');
    assert.equal(await first.take('ada'), null);
    assert.equal(await second.take('ada'), 60);
    assert.equal(await second.take('bob'), null);
    await first.forget('ada');
    assert.equal(await second.waitSeconds('ada'), null);
    const other = await attempts('registrations', rules);
    for (let count = 0; count < 3; count++) assert.equal(await other.take('bob'), null);
    assert.notEqual(await other.take('bob'), null);
    assert.equal(await second.waitSeconds('bob'), null, 'another limit is another count');
  });

  test('that all processes together refuse are not held by one of them', async (t) => {
    const clock = standingClock();
    const { link, names } = await opened(t, clock);
    const rules = { most: 3, withinMs: 60_000 };
    const own = new AttemptLimit(rules, clock);
    const report = () => assert.fail('unreadable');
    const first = new RedisAttempts(await link(), names, 'sign-in', rules, clock, report);
    const second = new RedisAttempts(await link(), names, 'sign-in', rules, clock, report, own);
    for (let count = 0; count < 3; count++) assert.equal(await first.take('ada'), null);
    for (let count = 0; count < 3; count++) assert.equal(await second.take('ada'), 60);
    assert.equal(own.nameCount, 0);
    assert.equal(await second.take('bob'), null);
    assert.equal(own.nameCount, 1);
    await second.refund('bob');
    assert.equal(own.nameCount, 0);
  });

  test('give the same results as attempts in memory, at any times', async (t) => {
    const clock = new ManualClock(1_800_000_000_000);
    const { attempts } = await opened(t, clock);
    const rules = { most: 3, withinMs: 1_000 };
    const shared = await attempts('property', rules);
    const step = fc.record({
      what: fc.constantFrom(
        'take' as const,
        'note' as const,
        'refund' as const,
        'waitSeconds' as const,
        'forget' as const,
      ),
      waitMs: fc.integer({ min: 0, max: 700 }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const name = `name ${++run}`;
        const own = new AttemptLimit(rules, clock);
        for (const { what, waitMs } of steps) {
          clock.advanceMs(waitMs);
          assert.equal(await shared[what](name), own[what](name));
        }
      }),
      { numRuns: 40 },
    );
  });
});
