import { VENUES } from '../../src/venues/registry.ts';
import { type Child, startChild } from '../collectors/children.ts';
import type { CollectorsMeasured } from '../collectors/process.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { FEWER_VENUES, sized } from '../size.ts';

/** About 7,500 contracts over all venues. */
const COINS = sized(325, 60, 3);
const VENUE_FLAGS = FEWER_VENUES.length === 0 ? [] : ['--venues', FEWER_VENUES.join(',')];
const WARM_SECONDS = sized(20, 2, 1);
const MEASURED_SECONDS = sized(60, 5, 1);
const MAX_CPU_PCT = 25;

/** Runs our collectors and a process that only fetches, at the same time. Repeats the run if a stalled machine made calls time out. */
async function measured(simUrl: string, attempts = 2): Promise<[CollectorsMeasured, CollectorsMeasured]> {
  const args = [
    '--sim-url',
    simUrl,
    '--warm',
    String(WARM_SECONDS),
    '--seconds',
    String(MEASURED_SECONDS),
  ].concat(VENUE_FLAGS);
  const file = 'bench/collectors/process.ts';
  const children = [startChild(file, args), startChild(file, [...args, '--only-fetch'])];
  const [ours, fetched] = await Promise.all(
    children.map(async (child) => JSON.parse(await child.line(/^\{/)) as CollectorsMeasured),
  );
  if (!ours || !fetched) throw new Error('a collectors process printed no result');
  if (ours.failing.length === 0) return [ours, fetched];
  if (attempts > 1) return measured(simUrl, attempts - 1);
  throw new Error(`the measured run had failures: ${ours.failing.slice(0, 5).join('; ')}`);
}

async function collectors(simUrl: string): Promise<BenchResult[]> {
  const [ours, fetched] = await measured(simUrl);
  const name = `collectors of ${FEWER_VENUES.length || VENUES.length} venues, ${ours.contracts} contracts, mean over ${MEASURED_SECONDS} s`;
  return [
    result({
      name,
      value: ours.cpuPct,
      unit: '% of one core',
      baseline: 'allowed',
      baselineValue: MAX_CPU_PCT,
      target: { at: 'most', ratio: 1 },
    }),
    result({
      name,
      value: ours.cpuPct,
      unit: '% of one core',
      baseline: 'the same calls and sockets beside it, only fetched and JSON.parsed',
      baselineValue: fetched.cpuPct,
    }),
    result({
      name: 'memory of that process, peak',
      value: ours.peakRssMb,
      unit: 'MB',
      baseline: 'only fetched and JSON.parsed',
      baselineValue: fetched.peakRssMb,
    }),
  ];
}

async function onSimulator(run: (simUrl: string) => Promise<BenchResult[]>): Promise<BenchResult[]> {
  const sim: Child = startChild('sim/main.ts', ['--coins', String(COINS), ...VENUE_FLAGS]);
  try {
    const { sim_url } = JSON.parse(await sim.line(/^\{/)) as { sim_url: string };
    return await run(sim_url);
  } finally {
    await sim.stop();
  }
}

export const cases: BenchCase[] = [
  { name: 'collectors', isOneCore: true, isMostlyWaiting: true, run: () => onSimulator(collectors) },
];
