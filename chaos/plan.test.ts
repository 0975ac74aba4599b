import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SIM_VENUES } from '../sim/venues/registry.ts';
import { faultName, planOf, QUIET_END_HOURS, SLOTS_PER_HOUR } from './plan.ts';

const namesOf = (seed: number, hasRoles: boolean) =>
  planOf({ seed, hours: 24, hasRoles }).steps.flatMap(({ faults }) =>
    faults.map(({ fault }) => faultName(fault)),
  );

suite('the plan of a run', () => {
  test('is the same for the same seed, and another for another seed', () => {
    const options = { hours: 48, hasRoles: false };
    assert.deepEqual(planOf({ seed: 7, ...options }), planOf({ seed: 7, ...options }));
    assert.notDeepEqual(planOf({ seed: 7, ...options }).steps, planOf({ seed: 8, ...options }).steps);
  });

  test('the last hours have no fault, and none lasts into them', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const { steps } = planOf({ seed, hours: 24, hasRoles: false });
      const quietFrom = (24 - QUIET_END_HOURS) * SLOTS_PER_HOUR;
      for (const { slot, faults } of steps)
        for (const { fault } of faults)
          assert.ok(slot + ('slots' in fault ? fault.slots : 1) <= quietFrom, `${seed}: ${slot}`);
    }
  });

  test('its steps cover every slot once, and begin where a fault begins or ends', () => {
    for (let seed = 1; seed <= 50; seed++) {
      const { steps } = planOf({ seed, hours: 48, hasRoles: false });
      const begins = new Set(steps.map(({ slot }) => slot));
      let next = 0;
      for (const { slot, slots, faults } of steps) {
        assert.equal(slot, next);
        next += slots;
        for (const { fault } of faults)
          if ('slots' in fault) assert.ok(begins.has(slot + fault.slots), `${seed}: ${slot}`);
      }
      assert.equal(next, 48 * SLOTS_PER_HOUR);
    }
  });

  test('a hundred seeds have every venue that has not ended', () => {
    const met = new Set<string>();
    for (let seed = 1; seed <= 100; seed++)
      for (const slug of planOf({ seed, hours: 1, hasRoles: false }).venues) met.add(slug);
    const open = SIM_VENUES.filter(({ profile }) => profile.endedAtMs === undefined);
    assert.deepEqual([...met].sort(), open.map(({ profile }) => profile.slug).sort());
  });

  test('forty seeds have every fault of one process, and of several', () => {
    const seeds = Array.from({ length: 40 }, (_, seed) => seed);
    const alone = new Set(seeds.flatMap((seed) => namesOf(seed, false)));
    const roles = new Set(seeds.flatMap((seed) => namesOf(seed, true)));
    for (const name of ['kill', 'pause', 'clock an hour forward', 'clock an hour back', 'slow database']) {
      assert.ok(alone.has(name), name);
      assert.ok(roles.has(name), name);
    }
    assert.deepEqual(
      ['full disk', 'Redis emptied'].map((name) => [alone.has(name), roles.has(name)]),
      [
        [true, false],
        [false, true],
      ],
    );
    assert.equal([...alone].filter((name) => name.startsWith('venue: ')).length, 19);
  });
});
