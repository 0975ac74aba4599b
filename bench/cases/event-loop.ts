import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Child, startPerpwire } from '../collectors/children.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import type { LoopMeasured } from '../loop/probe.ts';
import { longTurnsText } from '../loop/report.ts';
import { SIZE, sized } from '../size.ts';
import { demoDataLeft } from '../support/demo-data.ts';

/** The longest wait for the demo to have its past: it computes days of it after a start, which no service does later. */
const WARM_SECONDS = secondsOf('BENCH_LOOP_WARM_SECONDS', sized(1200, 2, 0));
const MEASURED_SECONDS = secondsOf('BENCH_LOOP_SECONDS', sized(600, 4, 1));
/** `--profile` also prints the longest turns with what ran in them. The profiler itself costs about a tenth of the CPU time. */
const IS_PROFILED = process.argv.includes('--profile');
const WARM_STEP_SECONDS = 10;
const MAX_P99_MS = 5;
const MAX_MS = 20;
/** Requests of the key in a second: nine tenths of what its plan allows. */
const REQUESTS_PER_SECOND = 9;
const SMALL = ['--coins', '4', '--venues', 'binance,okx'];

/** Lists with and without another filter each time, other orders, pages and a tool. */
const PATHS: readonly ((count: number) => string)[] = [
  () => '/api/v1/funding',
  (count) => `/api/v1/funding?min_volume_usdt=${count}`,
  () => '/api/v1/spreads',
  (count) => `/api/v1/spreads?min_volume_usdt=${count}&sort=volume_desc`,
  () => '/api/v1/arbitrage',
  (count) => `/api/v1/arbitrage?min_volume_usdt=${count}`,
  (count) => `/api/v1/arbitrage?fees=Binance:0.0${count}`,
  () => '/api/v1/funding/BTC',
  () => '/api/v1/spreads/backtest',
  () => '/funding',
  () => '/spreads',
  () => '/arbitrage',
];

function secondsOf(variable: string, otherwise: number): number {
  return Number(process.env[variable] ?? otherwise);
}

async function sendFor(seconds: number, baseUrl: string, key: string): Promise<number> {
  const endMs = performance.now() + seconds * 1000;
  const headers = { authorization: `Bearer ${key}` };
  let good = 0;
  for (let count = 0; performance.now() < endMs; count++) {
    const path = PATHS[count % PATHS.length]?.(count) ?? '/';
    // Not awaited: the load does not slow down with the service.
    fetch(baseUrl + path, { headers }).then(
      async (reply) => {
        await reply.arrayBuffer();
        if (reply.ok) good++;
      },
      () => undefined,
    );
    await pause(1000 / REQUESTS_PER_SECOND);
  }
  return good;
}

/** The demo has a parent that only starts it; of both the busier one is the service. */
async function measuredIn(folder: string, pids: readonly number[]): Promise<LoopMeasured> {
  for (const pid of pids) process.kill(pid, 'SIGUSR2');
  const files = pids.map((pid) => join(folder, `${pid}.json`));
  while (files.some((file) => !readdirSync(folder).includes(file.slice(folder.length + 1)))) await pause(20);
  const all = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as LoopMeasured);
  return all.reduce((busier, one) => (one.workMaxMs > busier.workMaxMs ? one : busier));
}

/** Sends requests until the demo has its past: the days before its start, and the histories that venues still return. */
async function warmUp(demo: Child, { base_url, admin_url, keys }: Ready): Promise<void> {
  const endMs = performance.now() + WARM_SECONDS * 1000;
  let isPastComplete = false;
  void demo.line(/^The older past is complete/).then(
    () => {
      isPastComplete = true;
    },
    () => undefined,
  );
  while (performance.now() < endMs) {
    await sendFor(Math.min(WARM_STEP_SECONDS, (endMs - performance.now()) / 1000), base_url, keys.business);
    if (isPastComplete && (await daysLeftToFetch(admin_url)) === 0) return;
  }
}

/** Infinite until the service has looked how much there is. */
async function daysLeftToFetch(adminUrl: string): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text();
  const sumOf = (name: string) =>
    [...text.matchAll(new RegExp(`^perpwire_${name}\\{.*\\} (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
  return sumOf('backfill_contracts') === 0 ? Number.POSITIVE_INFINITY : sumOf('backfill_days_left');
}

interface Ready {
  base_url: string;
  admin_url: string;
  keys: { business: string };
}

function probeEnvironment(folder: string): Record<string, string> {
  const probe = join(import.meta.dirname, '../loop/probe.ts');
  return {
    NODE_OPTIONS: `--import ${probe}`,
    LOOP_PROBE_FOLDER: folder,
    ...(IS_PROFILED ? { LOOP_PROBE_PROFILE: '1' } : {}),
  };
}

async function measure(folder: string, pids: readonly number[], load: () => Promise<number>, what: string) {
  console.log(`  measuring for ${MEASURED_SECONDS} s`);
  for (const pid of pids) process.kill(pid, 'SIGUSR2');
  if ((await load()) === 0) throw new Error('no request was answered');
  const measured = await measuredIn(folder, pids);
  if (IS_PROFILED) console.log(longTurnsText(measured.longest));
  return resultsOf(measured, `${what} for ${Math.round(measured.seconds)} s`);
}

async function apiEventLoop(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-loop-'));
  // Only here: it loads the simulator and what starts servers, which no other case needs.
  const { startApiProcess } = await import('../loop/api-process.ts');
  const api = await startApiProcess(probeEnvironment(folder));
  const load = (seconds: number) => sendFor(seconds, api.baseUrl, api.key);
  try {
    await load(WARM_SECONDS);
    return await measure(folder, [api.pid], () => load(MEASURED_SECONDS), 'API process under mixed load');
  } finally {
    await api.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function demoEventLoop(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-loop-'));
  // A folder that a demo has filled saves computing its past.
  const data = process.env.BENCH_LOOP_DATA ?? demoDataLeft() ?? join(folder, 'data');
  const demo = startPerpwire(
    ['demo', '--port', '0', '--data', data, ...(SIZE === 'tiny' ? SMALL : [])],
    probeEnvironment(folder),
  );
  try {
    const ready = JSON.parse(await demo.line(/^\{"ready"/)) as Ready;
    const { base_url, keys } = ready;
    await warmUp(demo, ready);
    const pids = readdirSync(folder)
      .filter((name) => name.endsWith('.started'))
      .map((name) => Number.parseInt(name, 10));
    const load = () => sendFor(MEASURED_SECONDS, base_url, keys.business);
    return await measure(folder, pids, load, 'demo under mixed load');
  } finally {
    await demo.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The targets are on CPU time, which is the delay of a machine that has a core for the service. */
function resultsOf(measured: LoopMeasured, what: string): BenchResult[] {
  const row = (name: string, value: number, baselineValue: number, isRequired: boolean) =>
    result({
      name: `${what}: ${name}`,
      value,
      unit: 'ms',
      baseline: 'allowed',
      baselineValue,
      ...(isRequired ? { target: { at: 'most', ratio: 1 } as const } : {}),
    });
  return [
    row('CPU time between two turns of the event loop, p99', measured.workP99Ms, MAX_P99_MS, true),
    row('the same, slowest of a thousand', measured.workP999Ms, MAX_MS, false),
    row('the same, longest', measured.workMaxMs, MAX_MS, true),
    row('delay of the event loop by the clock, p99', measured.delayP99Ms, MAX_P99_MS, false),
    row('the same, longest', measured.delayMaxMs, MAX_MS, false),
  ];
}

/** BENCH_LOOP_ROLE=api: a process with --role api instead of the demo. */
const eventLoop = process.env.BENCH_LOOP_ROLE === 'api' ? apiEventLoop : demoEventLoop;

export const cases: BenchCase[] = [{ name: 'event-loop', hasRoom: true, run: eventLoop }];
