import { startOptions } from '../../scripts/start-options.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { CollectorsMeasured } from '../collecting/collectors-process.ts';
import type { DepthMemory } from '../collecting/depth-memory.ts';
import { measureSnapshots } from '../collecting/snapshot-figures.ts';
import { measureSpreads } from '../collecting/spread-figures.ts';
import { type BenchCase, type Figure, valueAtMost } from '../figure.ts';
import { startScript } from '../processes.ts';
import { sized } from '../size.ts';

/** About 10,600 contracts over all venues. */
const COINS = sized(350, 60, 3);
/** In smaller runs only venues whose first answers come at once: some are polled so slowly that the first takes half a minute. */
const VENUES_OF_RUN = sized(0, 1, 1) === 0 ? [] : ['--venues', 'binance,okx,bybit,gate,kraken,hyperliquid'];
const WARM_SECONDS = sized(20, 5, 1);
const MEASURED_SECONDS = sized(60, 10, 1);
/** The books of all contracts take five minutes for the first time. */
const DEPTH_WARM_SECONDS = sized(300, 20, 1);
const MOST_CPU_PCT = 30;
const MOST_DEPTH_MB = 60;
const MOST_STORED_MB = 25;

async function run(): Promise<Figure[]> {
  return [...(await collectors()), ...(await depth()), ...measureSpreads(), ...measureSnapshots()];
}

/** Our collectors, and beside them a process that makes the same calls and only parses the JSON. */
async function collectors(): Promise<Figure[]> {
  const simulator = startScript('sim/main.ts', ['--coins', String(COINS), ...VENUES_OF_RUN]);
  try {
    const { sim_url } = JSON.parse(await simulator.line(/^\{/)) as { sim_url: string };
    const args = ['--sim-url', sim_url, '--seconds', String(MEASURED_SECONDS), ...VENUES_OF_RUN];
    const measure = async (warmSeconds: number, ...flags: readonly string[]) => {
      const all = [...args, '--warm', String(warmSeconds), ...flags];
      const { flags: v8Flags, variables } = startOptions();
      const started = { flags: v8Flags, environment: variables };
      const program = startScript('bench/collecting/collectors-process.ts', all, started);
      return JSON.parse(await program.line(/^\{/)) as CollectorsMeasured;
    };
    const [ours, fetched] = await Promise.all([measure(WARM_SECONDS), measure(WARM_SECONDS, '--only-fetch')]);
    const [plain, deep] = await Promise.all([
      measure(DEPTH_WARM_SECONDS),
      measure(DEPTH_WARM_SECONDS, '--depth'),
    ]);
    if (ours.failing.length > 0) throw new Error(`calls failed: ${ours.failing.slice(0, 5).join('; ')}`);
    const venues = VENUES_OF_RUN[1]?.split(',').length ?? VENUES.length;
    return [
      {
        name: `collectors of ${venues} venues, ${ours.contracts} contracts`,
        value: ours.cpuPct,
        unit: '% of one core',
        baseline: { name: 'the same calls, only fetched and parsed', value: fetched.cpuPct },
        target: valueAtMost(MOST_CPU_PCT),
      },
      {
        name: 'peak memory of that process',
        value: ours.peakRssMb,
        unit: 'MB',
        baseline: { name: 'only fetched and parsed', value: fetched.peakRssMb },
      },
      {
        name: `the same with depth, ${deep.booksPerSecond.toFixed(0)} books a second`,
        value: deep.cpuPct,
        unit: '% of one core',
        baseline: { name: 'without', value: plain.cpuPct },
        target: valueAtMost(MOST_CPU_PCT),
      },
      {
        name: 'peak memory of that process',
        value: deep.peakRssMb,
        unit: 'MB',
        baseline: { name: 'without', value: plain.peakRssMb },
      },
    ];
  } finally {
    await simulator.stop();
  }
}

/** What depth holds and stores, at the size that its limits are stated for. */
async function depth(): Promise<Figure[]> {
  const contracts = sized(9_000, 9_000, 90);
  const program = startScript('bench/collecting/depth-memory.ts', [String(contracts)], {
    flags: ['--expose-gc'],
  });
  const { collectorMb, tablesMb, storedMbPerDay } = JSON.parse(await program.line(/^\{/)) as DepthMemory;
  return [
    {
      name: `memory in use for depth, ${contracts} books of 100 levels`,
      value: collectorMb + tablesMb,
      unit: 'MB',
      target: valueAtMost(MOST_DEPTH_MB),
    },
    {
      name: 'what its costs take on disk in a day',
      value: storedMbPerDay,
      unit: 'MB',
      target: valueAtMost(MOST_STORED_MB),
    },
  ];
}

export const bench: BenchCase = { run };
