import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, ManualClock, systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { Leases } from '../../src/cluster/leases.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import { type Redis, RedisUnavailableError } from '../../src/storage/redis/redis.ts';
import { startRedis } from '../support/servers.ts';
import { until } from '../support/until.ts';

const server = await startRedis();
const skip = typeof server === 'string' ? server : false;
const log = createLog('silent');
const redis = typeof server === 'string' ? null : await openRedis({ url: server.url, log });
after(async () => {
  await redis?.close();
  if (typeof server !== 'string') await server.stop();
});

const TTL_MS = 600;
const NAMES = Array.from({ length: 20 }, (_, i) => `venue:${i}`);
let deployments = 0;

interface Member {
  leases: Leases;
  events: string[];
  /** What it may publish for now, with the number. */
  held(): Map<string, number>;
}

function member(
  namespace: string,
  owner: string,
  given: { clock?: Clock; redis?: Redis; names?: readonly string[] } = {},
): Member {
  const events: string[] = [];
  const shared = given.names ?? NAMES;
  const leases = new Leases({
    redis: given.redis ?? (redis as Redis),
    clock: given.clock ?? systemClock,
    log,
    namespace,
    owner,
    shared,
    single: ['engine'],
    ttlMs: TTL_MS,
    events: {
      onTaken: (name) => events.push(`taken ${name}`),
      onDoubt: (name) => events.push(`doubt ${name}`),
      onGone: async (name) => void events.push(`gone ${name}`),
    },
  });
  const held = () =>
    new Map(
      [...shared, 'engine'].flatMap((name): [string, number][] => {
        const fence = leases.fenceOf(name);
        return fence === null ? [] : [[name, fence]];
      }),
    );
  return { leases, events, held };
}

const venuesOf = ({ held }: Member) => [...held().keys()].filter((name) => name !== 'engine');
const namespace = () => `leases-test-${++deployments}`;

suite('leases', { skip }, () => {
  test('one collector takes everything at once', async () => {
    const alone = member(namespace(), 'a');
    await alone.leases.join();
    assert.equal(venuesOf(alone).length, 20);
    assert.ok(alone.held().has('engine'));
    await alone.leases.leave();
  });

  test('collectors that join get a fair share, and no venue ever has two owners', async () => {
    const where = namespace();
    const members = [member(where, 'a'), member(where, 'b'), member(where, 'c')];
    const watch = setInterval(() => {
      const all = members.flatMap((one) => [...one.held().keys()]);
      assert.equal(new Set(all).size, all.length, 'each has one owner');
    }, 1);
    for (const one of members) await one.leases.join();
    await until(() => members.every((one) => venuesOf(one).length >= 6), 'a fair share for everybody');
    assert.deepEqual(
      members.map((one) => venuesOf(one).length).sort(),
      [6, 7, 7],
      'twenty venues on three collectors',
    );
    assert.equal(members.filter((one) => one.held().has('engine')).length, 1);
    await Promise.all(members.map((one) => one.leases.leave()));
    clearInterval(watch);
  });

  test('what a dead collector held goes to the living, under higher numbers', async () => {
    const where = namespace();
    const [dead, living] = [member(where, 'dead'), member(where, 'living')];
    // It never renews, as one that was killed: only its first rounds take place.
    await dead.leases.round();
    await dead.leases.round();
    const before = dead.held();
    assert.equal(before.size, 21);
    await living.leases.join();
    assert.equal(living.held().size, 0);
    await until(() => living.held().size === 21, 'everything moved');
    for (const [name, fence] of living.held()) assert.ok(fence > (before.get(name) ?? 0), name);
    await living.leases.leave();
  });

  test('a collector that leaves gives back at once', async () => {
    const where = namespace();
    const first = member(where, 'first');
    await first.leases.join();
    await first.leases.leave();
    const second = member(where, 'second');
    await second.leases.join();
    assert.equal(second.held().size, 21);
    await second.leases.leave();
  });

  test('by its own clock it stops before anybody else may begin', async () => {
    const clock = new ManualClock(1_000_000);
    const slow = member(namespace(), 'slow', { clock });
    await slow.leases.round();
    await slow.leases.round();
    assert.equal(slow.held().size, 21);
    clock.advanceMs(TTL_MS * 0.75 - 1);
    assert.equal(slow.held().size, 21);
    clock.advanceMs(1);
    assert.equal(slow.held().size, 0, 'a quarter of the time before the others');
    await slow.leases.leave();
  });

  test('while Redis is away leases become doubtful, and come back to who had them', async () => {
    const where = namespace();
    const clock = new ManualClock(1_000_000);
    let isAway = false;
    const flaky: Redis = {
      ...(redis as Redis),
      isUp: true,
      run: (script, keys, args) =>
        isAway ? Promise.reject(new RedisUnavailableError('cut')) : (redis as Redis).run(script, keys, args),
    };
    const one = member(where, 'one', { clock, redis: flaky, names: ['venue:x'] });
    await one.leases.round();
    await one.leases.round();
    assert.deepEqual(one.events, ['taken venue:x', 'taken engine']);
    const before = one.held();
    isAway = true;
    await one.leases.round();
    assert.equal(one.held().size, 2, 'still good for a while');
    clock.advanceMs(TTL_MS);
    await one.leases.round();
    assert.deepEqual(one.events.slice(2), ['doubt venue:x', 'doubt engine']);
    assert.equal(one.held().size, 0);
    isAway = false;
    await one.leases.round();
    assert.deepEqual(one.events.slice(4), ['taken venue:x', 'taken engine']);
    assert.deepEqual(one.held(), before, 'nobody else had them: the numbers stay');
    await one.leases.leave();
  });

  test('what another took meanwhile is gone', async () => {
    const where = namespace();
    const clock = new ManualClock(1_000_000);
    const asleep = member(where, 'asleep', { clock });
    await asleep.leases.round();
    await asleep.leases.round();
    const awake = member(where, 'awake');
    await awake.leases.join();
    await until(() => awake.held().size === 21, 'everything moved');
    await asleep.leases.round();
    assert.equal(asleep.held().size, 0);
    assert.equal(asleep.events.filter((event) => event.startsWith('gone')).length, 21);
    await awake.leases.leave();
  });

  test('numbers grow even when Redis comes back empty, and every owner keeps its own', async () => {
    const where = namespace();
    const members = [member(where, 'a'), member(where, 'b')];
    for (const one of members) await one.leases.join();
    await until(() => members.every((one) => venuesOf(one).length === 10), 'a fair share');
    const before = members.map((one) => one.held());
    await redis?.command(['FLUSHALL']);
    const isRenewed = (i: number) =>
      [...(members[i] as Member).held()].every(([name, fence]) => fence > (before[i]?.get(name) ?? 0));
    await until(() => isRenewed(0) && isRenewed(1), 'higher numbers');
    await wait(TTL_MS);
    assert.deepEqual(
      members.map((one) => [...one.held().keys()].sort()),
      before.map((held) => [...held.keys()].sort()),
    );
    await Promise.all(members.map((one) => one.leases.leave()));
  });
});
