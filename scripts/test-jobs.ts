import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestJob } from './test-files.ts';

const root = join(import.meta.dirname, '..');
/** Only a hang takes this long, even on a busy machine. */
const TIMEOUT_MS = 600_000;
const SLOWEST_SHOWN = 8;
const MEMORY_FOLDER = '/dev/shm';
const MEMORY_NEEDED_BYTES = 4e9;

export interface Job {
  name: string;
  command: string;
  args: readonly string[];
  environment: Readonly<Record<string, string>>;
}

/** The lines with which Node's test runner ends, added up over all jobs. */
const SUMMARY = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const;
type Summary = Record<(typeof SUMMARY)[number], number>;

interface Result {
  name: string;
  isGood: boolean;
  seconds: number;
  summary: Summary;
}

export function program(name: string, command: string, args: readonly string[]): Job {
  return { name, command: join(root, 'node_modules', '.bin', command), args, environment: {} };
}

/** Temporary files in memory where there is room: on a disk SQLite waits several milliseconds for each commit. */
function temporaryFolder(): Record<string, string> {
  if (!existsSync(MEMORY_FOLDER)) return {};
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
  return bavail * bsize >= MEMORY_NEEDED_BYTES ? { TMPDIR: MEMORY_FOLDER } : {};
}

export function tests({ name, files }: TestJob, environment: Readonly<Record<string, string>>): Job {
  const args = ['--import', './test/support/place-rule.ts', '--test', '--test-isolation=none'];
  return {
    name,
    command: process.execPath,
    args: [...args, '--test-reporter=spec', ...files],
    // Processes that start one after the other need not compile the same code again.
    environment: {
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
      ...temporaryFolder(),
      ...environment,
    },
  };
}

/** Runs jobs in their order, some at a time, prints what failed and the totals, and returns whether all were good. */
export async function runJobs(jobs: readonly Job[], concurrency: number): Promise<boolean> {
  const startedMs = Date.now();
  const queue = [...jobs];
  const results: Result[] = [];
  const worker = async () => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) results.push(await runJob(job));
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  printTotals(results, Date.now() - startedMs);
  return results.every(({ isGood }) => isGood);
}

/** The output comes in one piece, because other jobs run at the same time. */
async function runJob({ name, command, args, environment }: Job): Promise<Result> {
  const startedMs = Date.now();
  const child = spawn(command, args, {
    cwd: root,
    timeout: TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  const summary = summaryOf(output);
  const seconds = (Date.now() - startedMs) / 1000;
  const count = summary.tests > 0 ? `${summary.tests} tests, ` : '';
  console.log(`${code === 0 ? '✔' : '✖'} ${name}: ${count}${seconds.toFixed(1)} s`);
  const shown = code === 0 ? skippedIn(output) : failuresIn(output);
  if (shown !== '') console.log(shown);
  return { name, isGood: code === 0, seconds, summary };
}

function summaryOf(output: string): Summary {
  const count = (name: string) => Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(output)?.[1] ?? 0);
  return Object.fromEntries(SUMMARY.map((name) => [name, count(name)])) as Summary;
}

const skippedIn = (output: string) =>
  output
    .split('\n')
    .filter((line) => line.trimStart().startsWith('﹣'))
    .join('\n');

/** Node repeats the failures at the end; a job that died before, or is no test, is shown whole. */
function failuresIn(output: string): string {
  const at = output.indexOf('✖ failing tests:');
  return at === -1 ? output : output.slice(at);
}

function printTotals(results: readonly Result[], durationMs: number): void {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN);
  console.log(
    `\nlongest: ${slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`).join(', ')}`,
  );
  const failed = results.filter(({ isGood }) => !isGood).map(({ name }) => name);
  if (failed.length > 0) console.log(`failed: ${failed.join(', ')}`);
  for (const key of SUMMARY)
    console.log(`ℹ ${key} ${results.reduce((sum, { summary }) => sum + summary[key], 0)}`);
  console.log(`ℹ duration_ms ${durationMs}`);
}
