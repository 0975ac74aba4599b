import { spawn, spawnSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { systemClock } from '../../src/base/clock.ts';
import { type BenchCase, type BenchResult, result } from '../harness.ts';

const ROOT = join(import.meta.dirname, '../..');
const MOST_INSTALLED_MB = 250;
const MOST_FIRST_START_SECONDS = 10;
const MOST_SECOND_START_SECONDS = 3;
const RETRY_MS = 250;
const MOST_TRIES = 240;
/** What `scripts/ensure-install.cjs` reads. */
const INSTALL_FILES = ['package.json', 'package-lock.json', '.npmrc', 'scripts/ensure-install.cjs'];

interface Installed {
  seconds: number;
  megabytes: number;
}

/** Installs as an npm script of that name would, into an empty folder and with an empty cache. */
function install(lifecycleEvent: string): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-install-'));
  try {
    mkdirSync(join(folder, 'scripts'));
    for (const file of INSTALL_FILES) cpSync(join(ROOT, file), join(folder, file));
    const startedMs = performance.now();
    const { status } = spawnSync('node', [join(folder, 'scripts/ensure-install.cjs')], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        npm_lifecycle_event: lifecycleEvent,
        npm_config_cache: join(folder, 'npm-cache'),
      },
    });
    if (status !== 0) throw new Error('the packages could not be installed');
    const seconds = (performance.now() - startedMs) / 1000;
    return { seconds, megabytes: bytesIn(join(folder, 'node_modules')) / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Files with several names, such as the binary of Node, count once. */
function bytesIn(folder: string, seen = new Set<number>()): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      bytes += bytesIn(path, seen);
      continue;
    }
    const { ino, size } = lstatSync(path);
    if (!seen.has(ino)) bytes += size;
    seen.add(ino);
  }
  return bytes;
}

interface Ready {
  base_url: string;
  keys: Record<'pro' | 'demo', string>;
}

interface Started {
  seconds: number;
  /** Of the service's process, all threads, without its simulator. */
  cpuSeconds: number;
}

/** Until the demo answers with spreads and a backtest, live and delayed. */
async function start(data: string, environment: Record<string, string> = {}): Promise<Started> {
  const startedMs = performance.now();
  const child = spawn(
    process.execPath,
    [join(ROOT, 'src/perpwire.js'), 'demo', '--port', '0', '--data', data],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'fatal', ...environment },
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    const ready = await new Promise<Ready>((resolve, reject) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.startsWith('{"ready"')) resolve(JSON.parse(line) as Ready);
      });
      void ended.then(() => reject(new Error('the demo ended before it was ready')));
    });
    for (const path of ['/funding', '/spreads', '/spreads/backtest']) {
      for (const key of Object.values(ready.keys)) {
        await answered(`${ready.base_url}/api/v1${path}?limit=1`, key);
      }
    }
    const seconds = (performance.now() - startedMs) / 1000;
    return { seconds, cpuSeconds: cpuSecondsOf(child.pid ?? 0) };
  } finally {
    child.kill('SIGINT');
    await ended;
  }
}

/** Linux counts in hundredths of a second. */
function cpuSecondsOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Seconds of a command that does nothing itself; the median of five. */
function idle(command: string, args: readonly string[]): number {
  const seconds = Array.from({ length: 5 }, () => {
    const startedMs = performance.now();
    spawnSync(command, args, { cwd: ROOT, stdio: 'ignore' });
    return (performance.now() - startedMs) / 1000;
  });
  return seconds.sort((a, b) => a - b)[2] ?? 0;
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
  try {
    const data = join(folder, 'data');
    const first = await start(data, { NODE_DISABLE_COMPILE_CACHE: '1' });
    // Fills the compile cache, as the first start of a fresh clone does.
    await start(data);
    const second = await start(data);
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
      beside(
        'CPU time of the service in the second start',
        second.cpuSeconds,
        'in the first',
        first.cpuSeconds,
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function installs(): BenchResult[] {
  const runtime = install('predemo');
  const full = install('pretest');
  return [
    result({
      name: 'install of the packages that the service needs, empty npm cache',
      value: runtime.seconds,
      unit: 's',
      baseline: 'of all packages',
      baselineValue: full.seconds,
      target: { at: 'most', ratio: 1 / 3 },
    }),
    result({
      name: 'size of that install',
      value: runtime.megabytes,
      unit: 'MB',
      baseline: 'of all packages',
      baselineValue: full.megabytes,
    }),
    result({
      name: 'size of that install',
      value: runtime.megabytes,
      unit: 'MB',
      baseline: 'allowed',
      baselineValue: MOST_INSTALLED_MB,
      target: { at: 'most', ratio: 1 },
    }),
  ];
}

export const cases: BenchCase[] = [
  { name: 'start', run: starts },
  // Needs the npm registry.
  { name: 'start-install', isFullOnly: true, run: async () => installs() },
];
