import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { faultName, planOf, QUIET_END_HOURS, STEPS_PER_HOUR } from './plan.ts';

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
      const quietFrom = steps.length - QUIET_END_HOURS * STEPS_PER_HOUR;
      for (const { number, faults } of steps)
        for (const { fault } of faults)
          assert.ok(number + ('steps' in fault ? fault.steps : 1) <= quietFrom, `${seed}: ${number}`);
    }
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
