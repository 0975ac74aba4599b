import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Demo, inFolder, startDemo } from '../demo.ts';
import { type BenchCase, type Figure, median, valueAtMost } from '../figure.ts';
import {
  childrenOf,
  cpuSecondsOf,
  peakResidentMbOf,
  residentMbOf,
  startPerpwire,
  startScript,
} from '../processes.ts';
import { sized } from '../size.ts';

const MOST_FIRST_SECONDS = 10;
const MOST_SECOND_SECONDS = 3;
const MOST_MB = { demo: 450, simulator: 150, full: 750 };
const MOST_SERVED_AFTER_MS = 300;
/** About 10,600 contracts and 157,000 pairs over all venues. */
const FULL_COINS = sized(350, 350, 3);
const FULL_VENUES = sized(0, 0, 1) === 0 ? [] : ['--venues', 'binance,okx'];
const SNAPSHOTS = sized(30, 3, 1);
const LOOK_MS = 20;
/** The default of SNAPSHOT_SECONDS. */
const SNAPSHOT_MS = 10_000;
const EARLY_MS = 500;
const RETRY_MS = 250;
/** Of a start on a busy machine. */
const LONGEST_START_MS = 15 * 60_000;
const ROOT = join(import.meta.dirname, '../..');

async function run(): Promise<Figure[]> {
  return [...(await inFolder(demo)), ...(await inFolder(fullSize))];
}

/** The demo from an empty folder without a compile cache, as after a fresh clone; the second start finds both. */
async function demo(folder: string): Promise<Figure[]> {
  const data = join(folder, 'data');
  const environment = { NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const startedMs = performance.now();
  const first = await startDemo(data, { environment });
  await answersAll(first);
  const firstSeconds = (performance.now() - startedMs) / 1000;
  const firstCpuSeconds = cpuSecondsOf(first.pid);
  // The heaviest time of the demo is the first: it fetches its past.
  const servedMs = await servedAfter(first.base_url, first.keys.business);
  const sizes = { service: memoryOf(first.pid), simulator: memoryOf(childrenOf(first.pid)[0] ?? 0) };
  await first.stop();
  const againMs = performance.now();
  const second = await startDemo(data, { environment });
  await answersAll(second);
  const secondSeconds = (performance.now() - againMs) / 1000;
  const secondCpuSeconds = cpuSecondsOf(second.pid);
  await second.stop();
  const node = { name: 'node -e 0', value: bareNodeSeconds() };
  return [
    {
      ...{ name: 'first start of the demo, until all lists answer', value: firstSeconds, unit: 's' },
      ...{ baseline: node, target: valueAtMost(MOST_FIRST_SECONDS) },
    },
    {
      ...{ name: 'second start', value: secondSeconds, unit: 's' },
      ...{ baseline: node, target: valueAtMost(MOST_SECOND_SECONDS) },
    },
    {
      name: 'CPU of the second start',
      value: secondCpuSeconds,
      unit: 's',
      baseline: { name: 'of the first', value: firstCpuSeconds },
    },
    ...memoryFigures('service of the demo', sizes.service, MOST_MB.demo),
    ...memoryFigures('simulator of the demo', sizes.simulator, MOST_MB.simulator),
    servedFigure('demo', servedMs),
  ];
}

/** The whole service at full size, from an empty database on: its backfill is the heaviest time. */
async function fullSize(folder: string): Promise<Figure[]> {
  const key = createKey(folder);
  const simulator = startScript('sim/main.ts', ['--coins', String(FULL_COINS), ...FULL_VENUES]);
  try {
    const { sim_url } = JSON.parse(await simulator.line(/^\{/)) as { sim_url: string };
    const startedMs = performance.now();
    const service = startPerpwire([
      ...['serve', '--port', '0', '--admin-port', '0'],
      ...['--venues-url', sim_url, '--data-dir', folder, ...FULL_VENUES],
    ]);
    try {
      const line = await service.line(/operators: /);
      const [, baseUrl = '', adminUrl = ''] = /on (\S+) \(operators: (\S+)\/readyz/.exec(line) ?? [];
      await answered(`${adminUrl}/readyz`, key);
      const readySeconds = (performance.now() - startedMs) / 1000;
      const servedMs = await servedAfter(baseUrl, key);
      return [
        { name: 'full size, first start until ready', value: readySeconds, unit: 's' },
        ...memoryFigures('service at full size', memoryOf(service.pid), MOST_MB.full),
        servedFigure('full size', servedMs),
      ];
    } finally {
      await service.stop();
    }
  } finally {
    await simulator.stop();
  }
}

const IDLE_NODE = {
  name: 'idle Node',
  value: Number(execFileSync(process.execPath, ['-p', 'process.memoryUsage.rss()'])) / 1024 / 1024,
};

interface Memory {
  nowMb: number;
  peakMb: number;
}

const memoryOf = (pid: number): Memory => ({ nowMb: residentMbOf(pid), peakMb: peakResidentMbOf(pid) });

function memoryFigures(name: string, { nowMb, peakMb }: Memory, mostMb: number): Figure[] {
  return [
    { name: `${name}, resident`, value: nowMb, unit: 'MB', baseline: IDLE_NODE, target: valueAtMost(mostMb) },
    { name: `${name}, peak since its start`, value: peakMb, unit: 'MB' },
  ];
}

function servedFigure(size: string, delaysMs: readonly number[]): Figure {
  return {
    name: `${size}: a snapshot is served after it was frozen, median of ${delaysMs.length}`,
    value: median(delaysMs),
    unit: 'ms',
    target: valueAtMost(MOST_SERVED_AFTER_MS),
  };
}

/**
 * For some snapshots, the time from `as_of` until an answer has it. Requests begin shortly before the next one is due, so
 * that they stay within the plan; a snapshot that came before is not counted.
 */
async function servedAfter(baseUrl: string, key: string): Promise<number[]> {
  const newest = async () => {
    const reply = await fetch(`${baseUrl}/api/v1/funding?limit=1`, { headers: { 'x-api-key': key } });
    const { meta } = (await reply.json()) as { meta?: { as_of: string } };
    return Date.parse(meta?.as_of ?? '');
  };
  const delaysMs: number[] = [];
  for (let last = await newest(); delaysMs.length < SNAPSHOTS; ) {
    await pause(Math.max(LOOK_MS, last + SNAPSHOT_MS - EARLY_MS - Date.now()));
    const atFirst = await newest();
    let found = atFirst;
    while (!(found > last)) {
      await pause(LOOK_MS);
      found = await newest();
    }
    if (!(atFirst > last)) delaysMs.push(Date.now() - found);
    last = found;
  }
  return delaysMs;
}

async function answersAll({ base_url, keys }: Demo): Promise<void> {
  for (const path of ['/funding', '/spreads', '/spreads/backtest'])
    for (const key of [keys.demo, keys.pro]) await answered(`${base_url}/api/v1${path}?limit=1`, key);
}

/** Tries again while the service is not ready, or overloaded as on a machine that is busy with other work. */
async function answered(url: string, key: string): Promise<void> {
  const endMs = performance.now() + LONGEST_START_MS;
  for (;;) {
    const reply = await fetch(url, { headers: { 'x-api-key': key } });
    const text = await reply.text();
    if (reply.ok) return;
    if (performance.now() > endMs) throw new Error(`${url} answers ${reply.status}: ${text}`);
    await pause(RETRY_MS);
  }
}

function createKey(folder: string): string {
  const perpwire = (...args: string[]) =>
    execFileSync(process.execPath, ['src/perpwire.js', ...args, '--data-dir', folder], {
      cwd: ROOT,
      encoding: 'utf8',
    });
  const account = /acc_\w+/.exec(
    perpwire('accounts', 'create', '--name', 'bench', '--plan', 'business'),
  )?.[0];
  const key = /\bpw_\w+/.exec(perpwire('keys', 'create', '--account', account ?? ''))?.[0];
  if (key === undefined) throw new Error('no key was created');
  return key;
}

function bareNodeSeconds(): number {
  const seconds = Array.from({ length: 5 }, () => {
    const startedMs = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    return (performance.now() - startedMs) / 1000;
  });
  return median(seconds);
}

export const bench: BenchCase = { run };
