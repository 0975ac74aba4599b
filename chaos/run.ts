import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isoTime } from '../src/base/times.ts';
import { faultName, planOf, STEPS_PER_HOUR } from './plan.ts';
import { failureText, type RunResult, summaryText } from './report.ts';
import { simulate } from './simulate.ts';

const HELP = `npm run chaos -- [--seed N] [--seeds COUNT] [--hours H] [--roles] [--json FILE] [--plan]

Runs the whole service on a moved clock against the venue simulator with seeded faults, and checks invariants after
every ten simulated minutes. The faults are a function of the seed: a failure replays with the same seed and hours.

  --seed N       the first seed (1)
  --seeds COUNT  how many seeds, counted from the first (1)
  --hours H      simulated hours of each seed (24); the last three are without faults
  --roles        two collectors and two API processes with PostgreSQL and Redis, instead of one process with SQLite
  --json FILE    write the results of every seed to this file
  --plan         print the faults of the seed without running it

Exit code 1 if an invariant was violated. docs/chaos.md describes the faults and the invariants.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    hours: { type: 'string', default: '24' },
    roles: { type: 'boolean', default: false },
    json: { type: 'string' },
    plan: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exit(await main());

async function main(): Promise<number> {
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const numbers = { seed: Number(values.seed), seeds: Number(values.seeds), hours: Number(values.hours) };
  for (const [name, number] of Object.entries(numbers))
    if (!(number > 0) || (name !== 'hours' && !Number.isInteger(number))) {
      console.error(`--${name} takes a positive number`);
      return 2;
    }
  const { seed: firstSeed, seeds, hours } = numbers;
  const results: RunResult[] = [];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const plan = planOf({ seed, hours, hasRoles: values.roles });
    if (values.plan) {
      for (const { number, faults } of plan.steps)
        for (const { tick, fault } of faults)
          console.log(`step ${number}, tick ${tick}: ${faultName(fault)} ${JSON.stringify(fault)}`);
      continue;
    }
    console.log(`seed ${seed}: from ${isoTime(plan.startMs)}, ${plan.venues.join(', ')}`);
    const result = await simulate(plan, {
      onStep: (world, step) => {
        if ((step + 1) % (24 * STEPS_PER_HOUR) === 0)
          console.log(`seed ${seed}: ${isoTime(world.nowMs)}, ${sum(world.met.values())} faults so far`);
      },
    });
    results.push(result);
    if (result.failure) console.log(failureText(plan, result.failure));
    else
      console.log(
        `seed ${seed}: ${result.simulatedHours} h in ${result.cpuSeconds.toFixed(1)} s of CPU, ${sum(Object.values(result.faults))} faults, no violation`,
      );
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
  }
  if (results.length > 0) console.log(`\n${summaryText(results)}`);
  return results.some(({ failure }) => failure !== null) ? 1 : 0;
}

function sum(numbers: Iterable<number>): number {
  return Iterator.from(numbers).reduce((total, number) => total + number, 0);
}
