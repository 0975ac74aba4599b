import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
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
const MAX_RSS_MB = 500;

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

/** The whole service on the same venues, as `serve` runs it, measured through its own metrics. */
async function wholeService(simUrl: string): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-bench-'));
  const ports = ['--port', '0', '--admin-port', '0'];
  const service = startChild('src/perpwire.js', [
    'serve',
    ...ports,
    '--venues-url',
    simUrl,
    '--data-dir',
    dataDir,
    ...VENUE_FLAGS,
  ]);
  try {
    const adminUrl = /operators: (\S+)\/readyz/.exec(await service.line(/operators: /))?.[1] ?? '';
    while (!(await fetch(`${adminUrl}/readyz`)).ok) await systemClock.sleep(500);
    await systemClock.sleep(WARM_SECONDS * 1000);
    const first = await usage(adminUrl);
    let peakRssMb = first.rssMb;
    let last = first;
    for (let second = 0; second < MEASURED_SECONDS; second++) {
      await systemClock.sleep(1000);
      last = await usage(adminUrl);
      peakRssMb = Math.max(peakRssMb, last.rssMb);
    }
    const cpuPct = ((last.cpuSeconds - first.cpuSeconds) / ((last.atMs - first.atMs) / 1000)) * 100;
    return [
      result({
        name: 'memory of the whole service, peak',
        value: peakRssMb,
        unit: 'MB',
        baseline: 'allowed',
        baselineValue: MAX_RSS_MB,
        target: { at: 'most', ratio: 1 },
      }),
      result({
        name: 'the whole service, first minutes after a start on an empty database',
        value: cpuPct,
        unit: '% of one core',
        baseline: 'one core',
        baselineValue: 100,
      }),
    ];
  } finally {
    await service.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function usage(adminUrl: string) {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const read = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return {
    atMs: performance.now(),
    cpuSeconds: read('process_cpu_seconds_total'),
    rssMb: read('process_resident_memory_bytes') / 1024 / 1024,
  };
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
  {
    name: 'collectors in the whole service',
    isOneCore: true,
    isMostlyWaiting: true,
    run: () => onSimulator(wholeService),
  },
];
