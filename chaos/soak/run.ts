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
import { folderBytes, SERIES, type SoakSample, tableBytes } from './samples.ts';

const HELP = `npm run soak -- [--hours H] [--coins N] [--venues a,b,…] [--tick MINUTES] [--out PREFIX]

Runs the service in one process on a moved clock against the venue simulator, without faults, and measures memory, heap,
descriptors, event-loop delay and database size every 15 simulated minutes.

  --hours H       simulated hours (24)
  --coins N       coins of the simulator (350, about 8,000 contracts with all venues)
  --venues a,b    slugs; all that have not ended if not given
  --tick MINUTES  how far the clock moves at a time; a divisor of 15, below the 10 minutes after which a row without a
                  reply disappears (5). With 1, every minute is sampled as in production
  --out PREFIX    write PREFIX.md (tables) and PREFIX.svg (picture) after every sample, so that a run that was ended has
                  the figures so far; the tables are printed at the end if not given

A tick takes about 6 s of CPU at full size, the simulator included, and the first one 60 s.`;

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
  if (
    !(hours > 0) ||
    !(coins > 0) ||
    !(tickMinutes > 0 && tickMinutes < 10) ||
    SAMPLE_MINUTES % tickMinutes !== 0
  ) {
    console.error('--hours and --coins take a positive number, --tick a divisor of 15 below 10');
    return 2;
  }
  const open = SIM_VENUES.filter(({ profile }) => profile.endedAtMs === undefined);
  const venues = values.venues?.split(',') ?? open.map(({ profile }) => profile.slug);
  const plan: Plan = { seed: 1, hours, hasRoles: false, startMs: START_MS, venues, coins, steps: [] };
  const write = (result: SoakResult) => {
    if (values.out === undefined) return;
    writeFileSync(`${values.out}.md`, `${soakTables(result)}\n`);
    writeFileSync(`${values.out}.svg`, soakPicture(result.samples));
  };
  const result = await soak(plan, tickMinutes, write);
  write(result);
  if (values.out === undefined) console.log(soakTables(result));
  return 0;
}

async function soak(
  plan: Plan,
  tickMinutes: number,
  onSample: (result: SoakResult) => void,
): Promise<SoakResult> {
  const disk = new Disk(DISK_SIZE);
  const folder = join(disk.folder, 'data');
  const database = join(folder, 'perpwire.sqlite');
  const world = await World.start(plan, (its, simUrl) => singleProcess(its, simUrl, disk));
  try {
    const samples: SoakSample[] = [];
    const resultWith = (grownTables: SoakResult['grownTables']): SoakResult => ({
      venues: plan.venues.length,
      contracts: world.contracts,
      tickMinutes,
      samples,
      grownTables,
    });
    const take = async () => {
      const [measured] = await world.measure();
      if (!measured) throw new Error('the service has ended');
      const hour = (world.nowMs - plan.startMs) / HOUR_MS;
      const sample: SoakSample = { ...measured, hour, databaseBytes: folderBytes(folder) };
      samples.push(sample);
      const figures = SERIES.map(({ name, figureOf }) => `${name} ${figureOf(sample).toFixed(0)}`);
      console.error(
        `${hour.toFixed(2)} h: ${figures.join(', ')}; ${(world.cpuMs / 1000).toFixed(0)} s of CPU`,
      );
      onSample(resultWith(new Map()));
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
    return resultWith(grownTables);
  } finally {
    await world.stop();
  }
}
