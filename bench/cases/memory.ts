import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { startChild, startPerpwire } from '../collectors/children.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import type { MeasuredPart } from '../memory/parts.ts';
import { childrenOf, type Resident, residentOver } from '../memory/resident.ts';
import { FEWER_VENUES, SIZE, sized } from '../size.ts';

/** BENCH_MEMORY_MINUTES=30 is the time for which the limits are stated. */
const MINUTES = process.env.BENCH_MEMORY_MINUTES;
const SECONDS = MINUTES === undefined ? sized(180, 4, 2) : Number(MINUTES) * 60;
/** Of a start on a machine that is busy with other work; it takes ten seconds alone. */
const LONGEST_START_MS = 15 * MINUTE_MS;
const MOST_MB = { demo: 450, simulator: 150, full: 600 };
/** About 8,000 contracts and 70,000 pairs over all venues. */
const FULL_COINS = sized(350, 60, 3);
const DEMO_COINS = sized(120, 20, 3);
const FULL_VENUES = FEWER_VENUES.length === 0 ? [] : ['--venues', FEWER_VENUES.join(',')];
const FEW_VENUES = SIZE === 'tiny' ? ['--venues', 'binance,okx'] : FULL_VENUES;
const PATHS = ['/funding?limit=100', '/spreads?limit=100', '/spreads/backtest', '/arbitrage', '/listings'];

/** What one of each kind takes. There is nothing to compare it with, so it stands beside a kilobyte. */
async function parts(): Promise<BenchResult[]> {
  const child = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, '../memory/parts.ts'), `--${SIZE}`],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the measured process ended with ${code}`)));
  });
  return (JSON.parse(line) as MeasuredPart[]).map(({ name, bytes, count }) =>
    result({
      name: `one ${name}, of ${count}`,
      value: bytes / count,
      unit: 'bytes',
      baseline: 'one kilobyte',
      baselineValue: 1024,
    }),
  );
}

function figures(
  name: string,
  { endMb, peakMb, grownMb, cpuSeconds }: Resident,
  mostMb: number,
  { isPeakLimited = false } = {},
): BenchResult[] {
  const allowed = { unit: 'MB', baseline: 'allowed', baselineValue: mostMb };
  const atMost = { target: { at: 'most', ratio: 1 } as const };
  return [
    result({
      ...allowed,
      name: `${name}: resident after ${SECONDS} s, of which it had ${Math.round(cpuSeconds)} s of CPU time`,
      value: endMb,
      ...atMost,
    }),
    result({
      ...allowed,
      name: `${name}: peak since its start`,
      value: peakMb,
      ...(isPeakLimited ? atMost : {}),
    }),
    result({
      ...allowed,
      name: `${name}: growth in the second half of the time, 0 if it shrank`,
      value: Math.max(0, grownMb),
    }),
  ];
}

/** One request after the other, over the lists. */
function asking(baseUrl: string, key: string): (signal: AbortSignal) => Promise<unknown> {
  let asked = 0;
  return async (signal) => {
    const reply = await fetch(`${baseUrl}/api/v1${PATHS[asked++ % PATHS.length]}`, {
      headers: { 'x-api-key': key },
      signal,
    });
    await reply.arrayBuffer();
  };
}

/** Rejects if it takes longer than any start, and names what did not start. */
async function inTime<T>(starting: Promise<T>, what: string): Promise<T> {
  console.error(`  starting ${what}`);
  const waiting = new AbortController();
  const late = systemClock.sleep(LONGEST_START_MS, waiting.signal).then(() => {
    if (!waiting.signal.aborted)
      throw new Error(`${what} was not ready after ${LONGEST_START_MS / MINUTE_MS} minutes`);
    return starting;
  });
  try {
    return await Promise.race([starting, late]);
  } finally {
    waiting.abort();
  }
}

/** The demo as users start it, under light load. */
async function demo(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-memory-'));
  const where = ['--port', '0', '--data', join(folder, 'data')];
  const size = ['--coins', String(DEMO_COINS), ...FEW_VENUES];
  const child = startPerpwire(['demo', ...where, ...size]);
  try {
    const line = await inTime(child.line(/^\{"ready"/), `the demo with ${DEMO_COINS} coins`);
    const ready = JSON.parse(line) as { base_url: string; keys: { pro: string } };
    const pid = child.process.pid ?? 0;
    const [simulatorPid = 0] = childrenOf(pid);
    const ask = asking(ready.base_url, ready.keys.pro);
    const [service, simulator] = await residentOver([pid, simulatorPid], SECONDS, ask);
    if (!service || !simulator) throw new Error('nothing was measured');
    return [
      ...figures('the service of the demo', service, MOST_MB.demo),
      ...figures('the simulator of the demo', simulator, MOST_MB.simulator, { isPeakLimited: true }),
    ];
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The whole service at full size, from an empty database on: its backfill is the heaviest time. */
async function fullSize(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-memory-'));
  const simulator = startChild('sim/main.ts', ['--coins', String(FULL_COINS), ...FULL_VENUES]);
  try {
    const { sim_url } = JSON.parse(await simulator.line(/^\{/)) as { sim_url: string };
    const ports = ['--port', '0', '--admin-port', '0'];
    const where = ['--venues-url', sim_url, '--data-dir', folder];
    const service = startPerpwire(['serve', ...ports, ...where, ...FULL_VENUES]);
    try {
      const adminUrl = /operators: (\S+)\/readyz/.exec(await service.line(/operators: /))?.[1] ?? '';
      const ask = async (signal?: AbortSignal) => {
        const reply = await fetch(`${adminUrl}/readyz`, { signal: signal ?? null });
        await reply.arrayBuffer();
        return reply;
      };
      const ready = async () => {
        while (!(await ask()).ok) await systemClock.sleep(500);
      };
      await inTime(ready(), `the service with ${FULL_COINS} coins`);
      const [resident] = await residentOver([service.process.pid ?? 0], SECONDS, ask);
      if (!resident) throw new Error('nothing was measured');
      const size =
        SIZE === 'full' ? 'at full size' : `with ${FULL_COINS} coins on ${FEWER_VENUES.length} venues`;
      const name = `the service ${size}, filling an empty database`;
      return [
        ...figures(name, resident, MOST_MB.full, { isPeakLimited: true }),
        result({
          name: `${name}: CPU time`,
          value: (resident.cpuSeconds / resident.seconds) * 100,
          unit: '% of one core',
          baseline: 'one core',
          baselineValue: 100,
        }),
      ];
    } finally {
      await service.stop();
    }
  } finally {
    await simulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const cases: BenchCase[] = [
  { name: 'memory', isOneCore: true, quickSeconds: 12, run: parts },
  { name: 'memory-demo', isOneCore: true, isMostlyWaiting: true, run: demo },
  { name: 'memory-full-size', isOneCore: true, isMostlyWaiting: true, run: fullSize },
];
