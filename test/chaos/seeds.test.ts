import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { planOf } from '../../chaos/plan.ts';
import { failureText } from '../../chaos/report.ts';
import { simulate } from '../../chaos/simulate.ts';

/** Chosen for the faults that its short plan has: a kill, a full disk, a set clock, a failing venue. */
const SEEDS = [2849];
const HOURS = 2;

suite('simulation with seeded faults', () => {
  for (const seed of SEEDS)
    test(`seed ${seed}: no invariant is violated in ${HOURS} simulated hours`, async () => {
      const plan = planOf({ seed, hours: HOURS, hasRoles: false });
      const { failure, checked } = await simulate(plan);
      assert.equal(failure === null ? '' : failureText(plan, failure), '');
      for (const what of ['rows', 'prints', 'calendar rows', 'keys tried', 'tape minutes'])
        assert.ok((checked[what] ?? 0) > 0, `${what} were compared`);
    });
});
