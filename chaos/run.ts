import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isoTime } from '../src/base/times.ts';
import { runKills } from '../test/cluster/kills.ts';
import { faultName, type Plan, planOf, SLOTS_PER_HOUR } from './plan.ts';
import { failureText, summaryText, sumOf } from './report.ts';
import { runSeeds } from './seeds.ts';
import { simulate } from './simulate.ts';

const HELP = `npm run chaos -- [--seed N | --seeds A-B] [--hours H] [--roles] [--plan]
npm run chaos -- --seeds A-B [--hours H] [--roles] [--jobs J] [--report FILE]
npm run chaos -- --cluster-kills N [--seed N]

Runs the whole service on a moved clock against the venue simulator with seeded faults, and checks invariants after
every 10 simulated minutes, in quiet stretches after every hour. The faults are a function of seed, hours and roles: a
failure replays with the same ones.

  --seed N       one seed (1)
  --seeds A-B    every seed from A to B, in other processes; one that fails does not end the others
  --hours H      simulated hours of each seed (24); the last three are without faults
  --roles        two collectors and two API processes with PostgreSQL and Redis, instead of one process with SQLite
  --jobs J       how many of --seeds run at a time (1)
  --report FILE  append the result of each seed to this file as a line of JSON, and skip the seeds that passed in it:
                 a run that was stopped continues, and failed seeds run again
  --json FILE    write the result of --seed to this file
  --plan         print the faults without running them
  --cluster-kills N  instead: N kills of collectors, API processes, Redis and PostgreSQL, alone and in pairs, in real time and
                 under load; then every print, listing row and count must be there

Exit code 1 if an invariant was violated. docs/chaos.md describes the faults and the invariants.`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string' },
    hours: { type: 'string', default: '24' },
    roles: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '1' },
    report: { type: 'string' },
    json: { type: 'string' },
    plan: { type: 'boolean', default: false },
    'cluster-kills': { type: 'string' },
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
  const [first = '', last = first] = (values.seeds ?? values.seed).split('-');
  const hours = Number(values.hours);
  const whole = { first: Number(first), last: Number(last), jobs: Number(values.jobs) };
  if (!Object.values(whole).every((number) => Number.isInteger(number) && number > 0) || !(hours > 0)) {
    console.error('--seed, --jobs and --hours take a positive number, --seeds two of them: 1-100');
    return 2;
  }
  if (values['cluster-kills'] !== undefined) {
    const kills = Number(values['cluster-kills']);
    if (!Number.isInteger(kills) || kills < 1) {
      console.error('--cluster-kills takes a positive number');
      return 2;
    }
    await runKills({ kills, seed: whole.first, withServers: true, say: console.log });
    console.log(`${kills} kills, no violation`);
    return 0;
  }
  const options = { hours, hasRoles: values.roles };
  if (values.plan) {
    for (let seed = whole.first; seed <= whole.last; seed++) printPlan(planOf({ seed, ...options }));
    return 0;
  }
  if (values.seeds === undefined) return await runOne(planOf({ seed: whole.first, ...options }));
  const results = await runSeeds({ ...whole, ...options, reportFile: values.report ?? null });
  console.log(`\n${summaryText(results)}`);
  return results.some(({ failure }) => failure !== null) ? 1 : 0;
}

function printPlan({ seed, venues, startMs, steps }: Plan): void {
  console.log(`seed ${seed}: from ${isoTime(startMs)}, ${venues.join(', ')}`);
  for (const { number, faults } of steps)
    for (const { tick, fault } of faults)
      console.log(`step ${number}, tick ${tick}: ${faultName(fault)} ${JSON.stringify(fault)}`);
}

async function runOne(plan: Plan): Promise<number> {
  const { seed } = plan;
  console.log(`seed ${seed}: from ${isoTime(plan.startMs)}, ${plan.venues.join(', ')}`);
  const result = await simulate(plan, {
    onStep: (world, { slot, slots }) => {
      if ((slot + slots) % (24 * SLOTS_PER_HOUR) === 0)
        console.log(`seed ${seed}: ${isoTime(world.nowMs)}, ${sumOf(world.met.values())} faults so far`);
    },
  });
  console.log(
    result.failure
      ? failureText(plan, result.failure)
      : `seed ${seed}: ${result.simulatedHours} h in ${result.cpuSeconds.toFixed(1)} s of CPU, ${sumOf(Object.values(result.faults))} faults, no violation`,
  );
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
  console.log(`\n${summaryText([result])}`);
  return result.failure ? 1 : 0;
}
