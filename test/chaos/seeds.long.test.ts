import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { planOf } from '../../chaos/plan.ts';
import { failureText } from '../../chaos/report.ts';
import { simulate } from '../../chaos/simulate.ts';
import { missingServers } from '../cluster/deployment.ts';

const missing = await missingServers();

async function checkSeed(seed: number, hours: number, hasRoles: boolean): Promise<void> {
  const plan = planOf({ seed, hours, hasRoles });
  const { failure } = await simulate(plan);
  assert.equal(failure === null ? '' : failureText(plan, failure), '');
}

suite('longer simulations with seeded faults', () => {
  /** Chosen for pauses, kills, full disks and slow databases. */
  for (const seed of [2341, 5146])
    test(`one process, seed ${seed}: no invariant is violated in 8 simulated hours`, () =>
      checkSeed(seed, 8, false));

  test(
    'roles with PostgreSQL and Redis, seed 141: no invariant is violated in 3 simulated hours',
    {
      skip: missing,
    },
    () => checkSeed(141, 3, true),
  );
});
