import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SIM_VENUES } from '../../sim/venues/registry.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import type { Plan } from '../plan.ts';
import { singleProcess } from '../world/deployment.ts';
import { Disk } from '../world/disk.ts';
import { World } from '../world/world.ts';
import { type SoakResult, soakPicture, soakTables } from './document.ts';
import { folderBytes, type SoakSample, tableBytes } from './samples.ts';

const HELP = `npm run soak -- [--hours H] [--coins N] [--venues a,b,…] [--tick MINUTES] [--out PREFIX]

Runs the service in one process on a moved clock against the venue simulator, without faults, and measures memory, heap,
descriptors, event-loop delay and database size every 15 simulated minutes.

  --hours H       simulated hours (24)
  --coins N       coins of the simulator (350, about 8,000 contracts with all venues)
  --venues a,b    slugs; all that have not ended if not given
  --tick MINUTES  how far the clock moves at a time; a divisor of 15 (5). With 1, every minute is sampled as in production
  --out PREFIX    write PREFIX.md (tables) and PREFIX.svg (picture); the tables are printed if not given

A tick of 5 minutes takes about 3 s of CPU at full size, the simulator included.`;

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '24' },
    coins: { type: 'string', default: '350' },
    venues: { type: 'string' },
    tick: { type: 'string', default: '5' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const SAMPLE_MINUTES = 15;
/** Near the present: a simulated venue that returns whole histories has one since 2021. */
const START_MS = Date.UTC(2026, 10, 15, 0, 1);
/** In memory, so that the figures do not depend on a disk. */
const DISK_SIZE = '6g';

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
process.exit(await main());

async function main(): Promise<number> {
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const [hours, coins, tickMinutes] = [Number(values.hours), Number(values.coins), Number(values.tick)];
  if (!(hours > 0) || !(coins > 0) || !(tickMinutes > 0) || SAMPLE_MINUTES % tickMinutes !== 0) {
    console.error('--hours and --coins take a positive number, --tick a divisor of 15');
    return 2;
  }
  const open = SIM_VENUES.filter(({ profile }) => profile.endedAtMs === undefined);
  const venues = values.venues?.split(',') ?? open.map(({ profile }) => profile.slug);
  const plan: Plan = { seed: 1, hours, hasRoles: false, startMs: START_MS, venues, coins, steps: [] };
  const result = await soak(plan, tickMinutes);
  const tables = soakTables(result);
  if (values.out === undefined) console.log(tables);
  else {
    writeFileSync(`${values.out}.md`, `${tables}\n`);
    writeFileSync(`${values.out}.svg`, soakPicture(result.samples));
  }
  return 0;
}

async function soak(plan: Plan, tickMinutes: number): Promise<SoakResult> {
  const disk = new Disk(DISK_SIZE);
  const folder = join(disk.folder, 'data');
  const database = join(folder, 'perpwire.sqlite');
  const world = await World.start(plan, (its, simUrl) => singleProcess(its, simUrl, disk));
  try {
    const samples: SoakSample[] = [];
    const take = async () => {
      const [measured] = await world.measure();
      if (!measured) throw new Error('the service has ended');
      const hour = (world.nowMs - plan.startMs) / HOUR_MS;
      samples.push({ ...measured, hour, databaseBytes: folderBytes(folder) });
      const { residentBytes, heapBytes } = measured;
      const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
      console.error(
        `${hour.toFixed(2)} h: ${megabytes(residentBytes)} MB resident, ${megabytes(heapBytes)} MB heap, ${(world.cpuMs / 1000).toFixed(0)} s of CPU`,
      );
    };
    await take();
    const ticksMs = Array.from({ length: SAMPLE_MINUTES / tickMinutes }, () => tickMinutes * MINUTE_MS);
    const count = Math.ceil((plan.hours * 60) / SAMPLE_MINUTES);
    let middle = new Map<string, number>();
    for (let i = 1; i <= count; i++) {
      await world.pass(ticksMs);
      await take();
      if (i === Math.floor(count / 2)) middle = tableBytes(database);
    }
    const grownTables = new Map(
      [...tableBytes(database)].map(([name, bytes]) => [name, bytes - (middle.get(name) ?? 0)]),
    );
    return { venues: plan.venues.length, contracts: world.contracts, tickMinutes, samples, grownTables };
  } finally {
    await world.stop();
  }
}
