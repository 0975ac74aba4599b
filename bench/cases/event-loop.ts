import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Demo, inFolder, startDemo } from '../demo.ts';
import { type BenchCase, type Figure, valueAtMost } from '../figure.ts';
import type { LoopMeasured } from '../loop/probe.ts';
import { type Program, startScript } from '../processes.ts';
import type { Bare } from '../servers/bare.ts';
import { sized } from '../size.ts';

const PROBE = ['--import', join(import.meta.dirname, '../loop/probe.ts')];
const MEASURED_SECONDS = sized(600, 30, 1);
/** The longest wait for the past that the demo fetches after its start, which no service does later. */
const WARM_SECONDS = sized(1200, 10, 0);
const WARM_STEP_SECONDS = 5;
const MOST_P99_MS = 5;
const MOST_MS = 25;
/** Nine tenths of what the plan of the key allows. */
const REQUESTS_PER_SECOND = 9;

/** Lists with and without another filter each time, other orders, pages. */
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

/** The main thread of the demo, which serves, beside a bare node:http server under the same load. */
async function run(): Promise<Figure[]> {
  return await inFolder(async (folder) => {
    const demo = await startDemo(join(folder, 'data'), { flags: PROBE });
    const bare = startScript('bench/servers/bare.ts', [], { flags: PROBE });
    try {
      const { url } = JSON.parse(await bare.line(/^\{/)) as Bare;
      const body = await (await fetch(`${demo.base_url}/funding`)).arrayBuffer();
      const answer = { status: 200, headers: [], bodyBase64: Buffer.from(body).toString('base64') };
      await fetch(url, { method: 'PUT', body: JSON.stringify([answer]) });
      await warmUp(demo);
      const ours = await measured(demo, () => sendFor(MEASURED_SECONDS, demo.base_url, demo.keys.business));
      const baseline = await measured(bare, () => sendFor(sized(60, 5, 1), url, demo.keys.business));
      return figuresOf(ours, baseline);
    } finally {
      await Promise.all([demo.stop(), bare.stop()]);
    }
  });
}

async function measured({ pid, line }: Program, load: () => Promise<number>): Promise<LoopMeasured> {
  process.kill(pid, 'SIGUSR2');
  if ((await load()) === 0) throw new Error('no request was answered');
  process.kill(pid, 'SIGUSR2');
  return JSON.parse(await line(/^\{"loop"/)) as LoopMeasured;
}

/** On a machine that has a core for the service, the CPU time of a turn is the delay; the targets are on that. */
function figuresOf(ours: LoopMeasured, bare: LoopMeasured): Figure[] {
  const figure = (name: string, of: keyof LoopMeasured, unit: string): Figure => ({
    name,
    value: Number(ours[of]),
    unit,
    baseline: { name: 'bare node:http', value: Number(bare[of]) },
  });
  return [
    { ...figure('CPU time of a turn, p99', 'workP99Ms', 'ms'), target: valueAtMost(MOST_P99_MS) },
    { ...figure('CPU time of the longest turn', 'workMaxMs', 'ms'), target: valueAtMost(MOST_MS) },
    figure('delay of a timer by the clock, p99', 'delayP99Ms', 'ms'),
    figure('the longest', 'delayMaxMs', 'ms'),
    figure('the serving thread', 'workPct', '% of one core'),
  ];
}

/** Returns the count of good answers. */
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

/** Sends requests until the demo has its past: the days before its start, and the histories that venues still return. */
async function warmUp(demo: Demo): Promise<void> {
  const endMs = performance.now() + WARM_SECONDS * 1000;
  let isPastComplete = false;
  demo.line(/^The older past is complete/).then(
    () => {
      isPastComplete = true;
    },
    () => undefined,
  );
  while (performance.now() < endMs) {
    await sendFor(WARM_STEP_SECONDS, demo.base_url, demo.keys.business);
    if (isPastComplete && (await daysLeftToFetch(demo.admin_url)) === 0) return;
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

export const bench: BenchCase = { run };
