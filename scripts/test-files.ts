import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const root = join(import.meta.dirname, '..');

/**
 * Files that take long, the longest first, so that none of them is left alone at the end. Those that mostly wait stand
 * beside those that compute.
 */
const LONG = [
  'test/cluster/kills.test.ts',
  'test/web/pages.test.ts',
  'test/cluster/outages-redis.test.ts',
  'test/web/reference.test.ts',
  'test/cluster/outages-postgres.test.ts',
  'test/web/account.test.ts',
  'test/history/files.test.ts',
  'test/history/demo.test.ts',
  'test/history/collecting.test.ts',
  'test/cluster/roles.test.ts',
  'test/history/differential.test.ts',
  'test/service/demo.test.ts',
  'test/web/behaviour.test.ts',
  'test/web/sign-up.test.ts',
  'test/web/charts.test.ts',
  'test/venues/live.test.ts',
  'test/web/weight.test.ts',
  'test/web/injection.test.ts',
  'test/commands/backup.test.ts',
  'test/service/commands.test.ts',
  'test/backtest/demo.test.ts',
  'test/backtest/service.test.ts',
  'test/venues/recording.test.ts',
  'test/cluster/windows-cut.test.ts',
  'test/listings/schedule.test.ts',
  'test/listings/polling.test.ts',
];

/** The files of the patterns in the order in which they should run. */
export function filesOf(patterns: readonly string[]): string[] {
  const found = new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).sort());
  const long = LONG.filter((file) => found.has(file));
  return [...new Set([...long, ...found])];
}

/** Every test file is a process, and many start others: what one has compiled the next need not. */
const COMPILED = { NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') };
/** Only a hang takes so long, even on a machine that has much else to do. */
const TIMEOUT_MS = 600_000;
const SLOWEST_TOLD = 12;

export interface Tests {
  name: string;
  files: readonly string[];
  /** How many files run at a time. */
  concurrency: number;
  environment: Readonly<Record<string, string>>;
  /** Takes what is printed about the tests. */
  print: (text: string) => void;
}

/**
 * Runs test files one after the other in one process, and says whether all have passed. For files that leave nothing
 * behind: loading the service anew for each of them takes longer than their tests.
 */
export async function runTogether({ name, files, environment, print }: Omit<Tests, 'concurrency'>) {
  const startedMs = Date.now();
  const args = ['--test', '--test-isolation=none', '--test-reporter=spec', ...files];
  const child = spawn(process.execPath, args, {
    cwd: root,
    timeout: TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...COMPILED, ...environment },
  });
  const ended = once(child, 'close');
  for await (const text of child.stdout) print(String(text));
  const [code] = await ended;
  const total = ((Date.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name}: ${code === 0 ? '' : 'failed, '}${total} s`);
  return code === 0;
}

/** Runs test files, each in a process of its own, and says whether all have passed. */
export async function runTests({ name, files, concurrency, environment, print }: Tests): Promise<boolean> {
  const startedMs = Date.now();
  const events = run({
    files: files.map((file) => join(root, file)),
    cwd: root,
    concurrency,
    timeout: TIMEOUT_MS,
    env: { ...process.env, ...COMPILED, ...environment },
  });
  let isGood = false;
  const seconds: [file: string, seconds: number][] = [];
  events.on('test:summary', ({ file, success, duration_ms }) => {
    if (file === undefined) isGood = success;
    else seconds.push([file.slice(root.length + 1), duration_ms / 1000]);
  });
  for await (const text of events.compose(new spec())) print(String(text));
  const slowest = seconds.sort(([, a], [, b]) => b - a).slice(0, SLOWEST_TOLD);
  console.log(`longest: ${slowest.map(([file, length]) => `${file} ${length.toFixed(0)} s`).join(', ')}`);
  const total = ((Date.now() - startedMs) / 1000).toFixed(1);
  console.log(`${name}: ${isGood ? '' : 'failed, '}${total} s`);
  return isGood;
}
