import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { type Clock, ManualClock, systemClock } from '../../src/base/clock.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics, type Metrics } from '../../src/base/metrics.ts';
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

/** Real time: collectors wait as long for the leases of a dead one. */
const TTL_MS = 1_500;
/** For tests that move the clock: a lease must not end in Redis meanwhile. */
const LONG_TTL_MS = 60_000;
const NAMES = Array.from({ length: 20 }, (_, i) => `venue:${i}`);
let deployments = 0;

interface Member {
  leases: Leases;
  events: string[];
  /** The leases it may publish under, with their fencing numbers. */
  held(): Map<string, number>;
}

function member(
  namespace: string,
  owner: string,
  given: {
    clock?: Clock;
    redis?: Redis;
    names?: readonly string[];
    metrics?: Metrics;
    ttlMs?: number;
  } = {},
): Member {
  const events: string[] = [];
  const shared = given.names ?? NAMES;
  const leases = new Leases({
    redis: given.redis ?? (redis as Redis),
    clock: given.clock ?? systemClock,
    log,
    ...(given.metrics ? { metrics: given.metrics } : {}),
    namespace,
    owner,
    shared,
    single: ['engine'],
    ttlMs: given.ttlMs ?? TTL_MS,
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
  test('a single collector takes every lease at once', async () => {
    const alone = member(namespace(), 'a', { ttlMs: LONG_TTL_MS });
    await alone.leases.join();
    assert.equal(venuesOf(alone).length, 20);
    assert.ok(alone.held().has('engine'));
    await alone.leases.leave();
  });

  test('collectors that join get a fair share, and no venue has two owners at any time', async () => {
    const where = namespace();
    const members = [member(where, 'a'), member(where, 'b'), member(where, 'c')];
    const watch = setInterval(() => {
      const all = members.flatMap((one) => [...one.held().keys()]);
      assert.equal(new Set(all).size, all.length, 'each has one owner');
    }, 1);
    for (const one of members) await one.leases.join();
    await until(() => members.every((one) => venuesOf(one).length >= 6), 'a fair share for each');
    assert.deepEqual(
      members.map((one) => venuesOf(one).length).sort(),
      [6, 7, 7],
      'twenty venues on three collectors',
    );
    assert.equal(members.filter((one) => one.held().has('engine')).length, 1);
    await Promise.all(members.map((one) => one.leases.leave()));
    clearInterval(watch);
  });

  test('the leases of a dead collector move to a live one, with higher fencing numbers', async () => {
    const where = namespace();
    const [dead, living] = [member(where, 'dead'), member(where, 'living')];
    // Like a killed collector it never renews: it runs only two rounds.
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

  test('a collector that leaves releases its leases at once', async () => {
    const where = namespace();
    const first = member(where, 'first');
    await first.leases.join();
    await first.leases.leave();
    const second = member(where, 'second');
    await second.leases.join();
    assert.equal(second.held().size, 21);
    await second.leases.leave();
  });

  test('a holder stops by its own clock before another may begin', async () => {
    const clock = new ManualClock(1_000_000);
    const slow = member(namespace(), 'slow', { clock, ttlMs: LONG_TTL_MS });
    await slow.leases.round();
    await slow.leases.round();
    assert.equal(slow.held().size, 21);
    clock.advanceMs(LONG_TTL_MS * 0.75 - 1);
    assert.equal(slow.held().size, 21);
    clock.advanceMs(1);
    assert.equal(slow.held().size, 0, 'a quarter of the TTL before others may take it');
    await slow.leases.leave();
  });

  test('while Redis is unavailable leases become doubtful, and their holder gets them back', async () => {
    const where = namespace();
    const clock = new ManualClock(1_000_000);
    let isUnavailable = false;
    const flaky: Redis = {
      ...(redis as Redis),
      isUp: true,
      run: (script, keys, args) =>
        isUnavailable
          ? Promise.reject(new RedisUnavailableError('cut'))
          : (redis as Redis).run(script, keys, args),
    };
    const given = { clock, names: ['venue:x'], ttlMs: LONG_TTL_MS };
    const one = member(where, 'one', { ...given, redis: flaky });
    await one.leases.round();
    await one.leases.round();
    assert.deepEqual(one.events, ['taken venue:x', 'taken engine']);
    const before = one.held();
    isUnavailable = true;
    await one.leases.round();
    assert.equal(one.held().size, 2, 'still valid by the own clock');
    clock.advanceMs(LONG_TTL_MS);
    await one.leases.round();
    assert.deepEqual(one.events.slice(2), ['doubt venue:x', 'doubt engine']);
    assert.equal(one.held().size, 0);
    isUnavailable = false;
    await one.leases.round();
    assert.deepEqual(one.events.slice(4), ['taken venue:x', 'taken engine']);
    assert.deepEqual(one.held(), before, 'no other collector had them, so the numbers stay');
    await one.leases.leave();
  });

  test('a malformed reply renews nothing and is counted; the next round renews again', async () => {
    const clock = new ManualClock(1_000_000);
    const metrics = createMetrics();
    let isGarbled = false;
    const garbled: Redis = {
      ...(redis as Redis),
      run: async (script, keys, args) => {
        const reply = await (redis as Redis).run(script, keys, args);
        return isGarbled ? ['1', 'one'] : reply;
      },
    };
    const given = { clock, names: ['venue:x'], ttlMs: LONG_TTL_MS };
    const one = member(namespace(), 'one', { ...given, redis: garbled, metrics });
    await one.leases.round();
    await one.leases.round();
    const before = one.held();
    assert.equal(before.size, 2);
    isGarbled = true;
    clock.advanceMs(LONG_TTL_MS);
    await one.leases.round();
    assert.equal(one.held().size, 0);
    const [counted] = (await metrics.clusterMessages.get()).values;
    assert.deepEqual([counted?.labels, counted?.value], [{ kind: 'lease', outcome: 'unreadable' }, 1]);
    isGarbled = false;
    await one.leases.round();
    assert.deepEqual(one.held(), before);
    await one.leases.leave();
  });

  test('a lease that another collector took is gone', async () => {
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

  test('fencing numbers grow even if Redis comes back empty, and every holder keeps its leases', async () => {
    const where = namespace();
    const rounds = [0, 0];
    const counting = (i: number): Redis => ({
      ...(redis as Redis),
      run: (script, keys, args) => {
        rounds[i] = (rounds[i] ?? 0) + 1;
        return (redis as Redis).run(script, keys, args);
      },
    });
    const members = [member(where, 'a', { redis: counting(0) }), member(where, 'b', { redis: counting(1) })];
    for (const one of members) await one.leases.join();
    await until(() => members.every((one) => venuesOf(one).length === 10), 'a fair share');
    const before = members.map((one) => one.held());
    await redis?.command(['FLUSHALL', 'SYNC']);
    const isRenewed = (i: number) =>
      [...(members[i] as Member).held()].every(([name, fence]) => fence > (before[i]?.get(name) ?? 0));
    await until(() => isRenewed(0) && isRenewed(1), 'higher numbers');
    // More rounds than fit into the time for which a collector leaves the leases of others alone.
    const [first, second] = rounds.map((count) => count + 12);
    await until(
      () => (rounds[0] ?? 0) > (first ?? 0) && (rounds[1] ?? 0) > (second ?? 0),
      'twelve rounds of each',
    );
    assert.deepEqual(
      members.map((one) => [...one.held().keys()].sort()),
      before.map((held) => [...held.keys()].sort()),
    );
    await Promise.all(members.map((one) => one.leases.leave()));
  });
});
