import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { SIZE, sized } from '../size.ts';
import type { LoadResult } from '../support/load.ts';
import { IS_PINNED, PinnedProcess } from '../support/pinned.ts';
import {
  headersFor,
  type Measure,
  measure,
  measureNaive,
  record,
  type Scenario,
  type SendLoad,
} from '../support/rest-measure.ts';
import { startTarget, stop, type Target } from '../support/rest-servers.ts';
import { FUNDING_ROWS, SPREAD_ROWS } from '../support/rest-tables.ts';
import type { FromTarget } from '../support/rest-target.ts';
import { findWrk, loadByWrk } from '../support/wrk.ts';

/**
 * Our server beside a bare node:http server that sends the same bytes and headers, and beside a naive server that
 * answers the same queries. They run one after the other on one core, the load generator on the other. wrk makes the
 * load, because a generator on Node is slower than the bare server, and a server pays for waking up an idle generator.
 */
const ROUNDS = sized(5, 2, 1);
/** Enough requests for both compilers of V8 to finish. */
const WARM_UP_ROUNDS = sized(4, 1, 0);
/** CPU time of the server in one round: on a busy machine a second of wall time is too few requests to warm up on. */
const CPU_SECONDS = sized(2.5, 0.25, 0.1);
/** Of a round that warms up. New filters run through more code than cached answers, and the bare server through little. */
const WARM_UP_CPU_SECONDS = {
  same: { ours: sized(2.5, 0.4, 0), bare: sized(2.5, 0.2, 0) },
  filtered: { ours: sized(2.5, 1.5, 0), bare: sized(2.5, 0.2, 0) },
};
/** Requests of one round without wrk. */
const REQUESTS = {
  same: sized(16_000, 8_000, 200),
  filtered: sized(6_000, 3_000, 200),
};
const SCENARIOS: readonly Scenario[] = [
  {
    name: `/funding at ${FUNDING_ROWS} rows, the same URL`,
    path: '/api/v1/funding',
    endpoint: null,
    target: 0.9,
  },
  { name: '/funding, 304', path: '/api/v1/funding', endpoint: null, isKnown: true, target: 0.92 },
  {
    name: `/funding at ${FUNDING_ROWS} rows, another filter each time`,
    path: '/api/v1/funding',
    endpoint: 'funding',
    target: 0.6,
    hasNaive: true,
  },
  {
    name: `/spreads at ${SPREAD_ROWS} rows, the same URL`,
    path: '/api/v1/spreads',
    endpoint: null,
    target: 0.9,
  },
  {
    name: `/spreads at ${SPREAD_ROWS} rows, another filter each time`,
    path: '/api/v1/spreads',
    endpoint: 'spreads',
    target: 0.5,
    hasNaive: true,
  },
];
const FASTER_THAN_NAIVE = 10;
/** The slowest of a hundred answers to new filters, beside the slowest of a hundred of the bare server. */
const SLOWEST_RATIO = 3;

/** Of two, their mean. */
function median(measures: readonly Measure[], pick: (one: Measure) => number): number {
  const sorted = measures.map(pick).sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

interface Servers {
  ours: Target;
  bare: Target;
}

const startServers = async (): Promise<Servers> => ({
  ours: await startTarget('ours'),
  bare: await startTarget('bare'),
});

type Measures = Record<'ours' | 'bare' | 'naive', Measure[]>;
/** Bare servers that a scenario has warmed up: they run the same code for every scenario, ours does not. */
const warmBare = new WeakSet<Target>();

/** Our server and the bare one in turns. */
async function measureBoth(scenario: Scenario, load: SendLoad, servers: Servers): Promise<Measures> {
  const { ours, bare } = servers;
  const headers = await headersFor(ours, scenario);
  await bare.process.ask<FromTarget>({ answers: await record(ours, scenario, headers) });
  const measures: Measures = { ours: [], bare: [], naive: [] };
  const kind = scenario.endpoint ? 'filtered' : 'same';
  const isBareWarm = warmBare.has(bare);
  warmBare.add(bare);
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const isWarmUp = round < WARM_UP_ROUNDS;
    for (const name of ['ours', 'bare'] as const) {
      if (isWarmUp && name === 'bare' && isBareWarm) continue;
      const cpuSeconds = isWarmUp ? WARM_UP_CPU_SECONDS[kind][name] : CPU_SECONDS;
      const one = await measure(servers[name], load, scenario, headers, REQUESTS[kind], round, cpuSeconds);
      if (!isWarmUp) measures[name].push(one);
    }
  }
  return measures;
}

/** Servers of its own for each scenario, so that the code of one is not compiled for the others. */
async function measuredApart(scenario: Scenario, load: SendLoad): Promise<BenchResult[]> {
  const servers = await startServers();
  let naive: Target | null = null;
  try {
    const measures = await measureBoth(scenario, load, servers);
    if (scenario.hasNaive && scenario.endpoint) {
      // Last: after its turn it keeps collecting garbage on the core that all servers share.
      naive = await startTarget('naive');
      measures.naive.push(await measureNaive(naive, scenario.endpoint));
    }
    return resultsFrom(scenario, measures);
  } finally {
    stop([servers.ours, servers.bare, naive]);
  }
}

/** Of a quick run, until it ends: starting them takes longer than the rounds of a scenario. */
let lastingServers: Promise<Servers> | null = null;
let lastingNaive: Promise<Target> | null = null;

async function measuredTogether(scenarios: readonly Scenario[], load: SendLoad): Promise<BenchResult[]> {
  // On the other core, while those of this core start.
  lastingNaive ??= startTarget('naive', 'load');
  lastingServers ??= startServers();
  const [servers, naive] = await Promise.all([lastingServers, lastingNaive]);
  // Between two cases it waits for minutes, and V8 forgets code that does not run.
  warmBare.delete(servers.bare);
  const measured: { scenario: Scenario; measures: Measures }[] = [];
  for (const scenario of scenarios) {
    console.error(`  measuring ${scenario.name}`);
    measured.push({ scenario, measures: await measureBoth(scenario, load, servers) });
  }
  for (const { scenario, measures } of measured) {
    if (!scenario.hasNaive || !scenario.endpoint) continue;
    measures.naive.push(await measureNaive(naive, scenario.endpoint));
  }
  return measured.flatMap(({ scenario, measures }) => resultsFrom(scenario, measures));
}

function resultsFrom(scenario: Scenario, { ours, bare, naive }: Measures): BenchResult[] {
  const unit = IS_PINNED ? 'requests per second of one core' : 'requests per second of processor time';
  const pace = median(ours, (one) => one.perCoreSecond);
  const results = [
    result({
      name: scenario.name,
      value: pace,
      unit,
      baseline: 'bare node:http with the same bytes and headers',
      baselineValue: median(bare, (one) => one.perCoreSecond),
      target: { at: 'least', ratio: scenario.target },
    }),
    result({
      name: `${scenario.name}, through one load generator`,
      value: median(ours, (one) => one.perSecond),
      unit: 'requests per second',
      baseline: 'bare node:http',
      baselineValue: median(bare, (one) => one.perSecond),
    }),
    result({
      name: `${scenario.name}, slowest of a hundred`,
      value: median(ours, (one) => one.p99Ms),
      unit: 'ms',
      baseline: 'bare node:http',
      baselineValue: median(bare, (one) => one.p99Ms),
      ...(scenario.endpoint ? { target: { at: 'most', ratio: SLOWEST_RATIO } as const } : {}),
    }),
  ];
  if (naive.length > 0)
    results.push(
      result({
        name: `${scenario.name}, beside naive`,
        value: pace,
        unit,
        baseline: 'filter, sort and JSON.stringify for each request',
        baselineValue: median(naive, (one) => one.perCoreSecond),
        target: { at: 'least', ratio: FASTER_THAN_NAIVE },
      }),
    );
  return results;
}

export const cases: BenchCase[] = [
  {
    name: 'rest',
    run: () => measureScenarios(SCENARIOS),
  },
];

export async function measureScenarios(all: readonly Scenario[]): Promise<BenchResult[]> {
  // Each starts servers of its own, so the smallest run has only one.
  const scenarios = SIZE === 'tiny' ? all.filter(({ hasNaive }) => hasNaive).slice(0, 1) : all;
  // Only a measurement is worth an installation.
  const wrk = SIZE === 'tiny' ? null : await findWrk();
  const other = wrk === null ? new PinnedProcess('load', 'load.ts') : null;
  if (other && SIZE !== 'tiny')
    console.error('  wrk is not installed; with autocannon the ratios are up to 10 % lower');
  const load: SendLoad = (wanted, isEnough) =>
    other ? other.ask<LoadResult>(wanted) : loadByWrk(wrk ?? '', wanted, isEnough);
  const results: BenchResult[] = [];
  try {
    if (SIZE === 'quick') return await measuredTogether(scenarios, load);
    for (const scenario of scenarios) {
      console.error(`  measuring ${scenario.name}`);
      results.push(...(await measuredApart(scenario, load)));
    }
  } finally {
    other?.stop();
  }
  return results;
}
