import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { startPerpwire } from '../collectors/children.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';
import { childrenOf, cpuSecondsOf } from '../memory/resident.ts';
import { SIZE, sized } from '../size.ts';
import { demoDataLeft, leaveDemoData } from '../support/demo-data.ts';

const ROOT = join(import.meta.dirname, '../..');
const MOST_FIRST_START_SECONDS = 10;
const MOST_SECOND_START_SECONDS = 3;
const RETRY_MS = 250;
const MOST_TRIES = 240;
const SMALL = ['--coins', '4', '--venues', 'binance,okx'];
/** Of commands that do nothing themselves. */
const IDLE_RUNS = sized(5, 3, 1);

interface Ready {
  base_url: string;
  keys: Record<'pro' | 'demo', string>;
}

interface Started {
  seconds: number;
  /** Of all threads of the service. */
  cpuSeconds: number;
  simulatorCpuSeconds: number;
}

/** Until the demo answers with spreads and a backtest, live and delayed. */
async function start(data: string, compileCache: string): Promise<Started> {
  const startedMs = performance.now();
  const child = startPerpwire(['demo', '--port', '0', '--data', data, ...(SIZE === 'tiny' ? SMALL : [])], {
    NODE_COMPILE_CACHE: compileCache,
  });
  try {
    const { base_url, keys } = JSON.parse(await child.line(/^\{"ready"/)) as Ready;
    for (const path of ['/funding', '/spreads', '/spreads/backtest'])
      for (const key of Object.values(keys)) await answered(`${base_url}/api/v1${path}?limit=1`, key);
    const pid = child.process.pid ?? 0;
    return {
      seconds: (performance.now() - startedMs) / 1000,
      cpuSeconds: cpuSecondsOf(pid),
      simulatorCpuSeconds: cpuSecondsOf(childrenOf(pid)[0] ?? pid),
    };
  } finally {
    await child.stop();
  }
}

/** Seconds of a command that does nothing itself; the median. */
function idle(command: string, args: readonly string[]): number {
  const seconds = Array.from({ length: IDLE_RUNS }, () => {
    const startedMs = performance.now();
    spawnSync(command, args, { cwd: ROOT, stdio: 'ignore' });
    return (performance.now() - startedMs) / 1000;
  });
  return seconds.sort((a, b) => a - b)[IDLE_RUNS >> 1] ?? 0;
}

/** Tries again while the service is overloaded, as it is on a machine that is busy with other work. */
async function answered(url: string, key: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const reply = await fetch(url, { headers: { 'x-api-key': key } });
    const text = await reply.text();
    if (reply.status === 200) return;
    if (tries >= MOST_TRIES) throw new Error(`${url} answers ${reply.status}: ${text}`);
    await systemClock.sleep(RETRY_MS);
  }
}

async function starts(): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-start-'));
  const data = mkdtempSync(join(tmpdir(), 'perpwire-start-data-'));
  try {
    // With no data and no compile cache, as after a fresh clone; the second start finds both.
    const compileCache = join(folder, 'compiled');
    const first = await start(data, compileCache);
    const second = await start(data, compileCache);
    if (SIZE === 'quick') leaveDemoData(data);
    const bareNode = idle(process.execPath, ['-e', '0']);
    const bareNpm = idle('npm', ['run', 'ensure']);
    const allowed = (name: string, value: number, most: number) =>
      result({
        name,
        value,
        unit: 's',
        baseline: 'allowed',
        baselineValue: most,
        target: { at: 'most', ratio: 1 },
      });
    const beside = (name: string, value: number, baseline: string, baselineValue: number) =>
      result({ name, value, unit: 's', baseline, baselineValue });
    return [
      allowed(
        'first start with npm, until funding, spreads and backtest answer',
        bareNpm + first.seconds,
        MOST_FIRST_START_SECONDS,
      ),
      allowed('second start with npm', bareNpm + second.seconds, MOST_SECOND_START_SECONDS),
      beside('second start', second.seconds, 'npm run of a script that only checks the packages', bareNpm),
      beside('second start', second.seconds, 'node -e 0', bareNode),
      beside('CPU of the service, second start', second.cpuSeconds, 'in the first', first.cpuSeconds),
      beside(
        'CPU of the simulator, second start',
        second.simulatorCpuSeconds,
        'in the first',
        first.simulatorCpuSeconds,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    if (demoDataLeft() !== data) rmSync(data, { recursive: true, force: true });
  }
}

export const cases: BenchCase[] = [{ name: 'start', leavesData: true, run: starts }];
