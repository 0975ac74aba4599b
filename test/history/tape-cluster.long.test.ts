import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Fault, type Plan, planOf } from '../../chaos/plan.ts';
import { clusterOf } from '../../chaos/world/cluster.ts';
import { World } from '../../chaos/world/world.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { missingServers } from '../cluster/deployment.ts';

const skip = await missingServers();

/** The numbers of the processes of `clusterOf`. */
const [FIRST_API, FIRST_COLLECTOR, SECOND_COLLECTOR] = [0, 1, 3];
const kill = (member: number, delayMs: number): Fault => ({ kind: 'kill', member, delayMs, downTicks: 1 });
const [NOTHING, SOME] = [null, [null, null, null]];
/** What happens in each two minutes. A collector that is killed or hangs is active, or the one before was. */
const FAULTS: readonly (Fault | null)[] = [
  ...[...SOME, ...SOME],
  ...[kill(FIRST_COLLECTOR, 0), ...SOME],
  ...[kill(SECOND_COLLECTOR, 20), ...SOME],
  ...[kill(FIRST_COLLECTOR, 40), ...SOME],
  ...[{ kind: 'pause', member: FIRST_COLLECTOR, ticks: 4 } as const, ...SOME, ...SOME],
  ...[{ kind: 'pause', member: SECOND_COLLECTOR, ticks: 4 } as const, ...SOME, ...SOME],
  ...[kill(FIRST_API, 0), NOTHING],
  // An hour forward for six minutes, with a kill before and after it is set back.
  ...[{ kind: 'clock', byMs: HOUR_MS, slots: 3 } as const, kill(FIRST_COLLECTOR, 10), NOTHING],
  ...[NOTHING, kill(SECOND_COLLECTOR, 10), ...SOME],
];
const TWO_MINUTES = [MINUTE_MS, MINUTE_MS];
/** Until the time has come that the clock was set to. */
const AN_HOUR = Array.from({ length: 6 }, () => 12 * MINUTE_MS);

/** A step is one slot, so that faults last as many steps. */
function plan(): Plan {
  const script = [
    ...FAULTS.map((fault) => ({ fault, ticksMs: TWO_MINUTES })),
    { fault: null, ticksMs: AN_HOUR },
    ...SOME.map((fault) => ({ fault, ticksMs: TWO_MINUTES })),
  ];
  const steps = script.map(({ fault, ticksMs }, number) => ({
    ...{ number, slot: number, slots: 1, ticksMs, keyChange: null, burstTick: null },
    faults: fault ? [{ tick: 0, fault }] : [],
  }));
  return { ...planOf({ seed: 3, hours: 1, hasRoles: true }), venues: ['binance', 'okx'], coins: 4, steps };
}

suite('the tape of several processes says what /funding answered', { skip }, () => {
  test('through kills and hanging of the collectors, and a clock that is set forward and back', async (t) => {
    const world = await World.start(plan(), clusterOf);
    t.after(() => world.stop());
    for (const step of world.plan.steps) assert.deepEqual(await world.step(step), [], `step ${step.number}`);
    const met = ['kill', 'pause', 'clock an hour forward'].map((name) => world.met.get(name));
    assert.deepEqual(met, [6, 2, 1]);
    const minutes = world.counts['tape minutes'] ?? 0;
    assert.ok(minutes > 1000, `${minutes} minutes compared`);
  });
});
