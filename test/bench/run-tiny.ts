import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchResult } from '../../bench/harness.ts';

const RUN = join(import.meta.dirname, '../../bench/run.ts');

/** Cases that start no service: run with the other tests. */
export const WITHOUT_SERVICE: readonly string[] = [
  'rest',
  'parsing',
  'parsing beside ccxt',
  'arbitrage',
  'arbitrage over REST',
  'alerts',
  'spreads',
  'clients',
  'depth samples',
];
/** Those that do, or whose smallest size takes seconds: run with the long tests, each group in one process. */
export const WITH_SERVICE: readonly (readonly string[])[] = [
  ['mcp'],
  ['pages'],
  ['backtest', 'backtest while serving'],
  ['history on SQLite', 'history on PostgreSQL', 'history-large', 'scale'],
  ['streams', 'memory', 'memory-demo', 'memory-full-size'],
  ['collectors'],
  ['cluster-windows', 'API processes', 'frames between processes'],
  ['event-loop', 'start'],
];
/** Needs the npm registry or a filled npm cache. */
export const NOT_RUN: readonly string[] = ['start-install'];

const run = promisify(execFile);

export async function caseNames(): Promise<string[]> {
  const { stdout } = await run(process.execPath, [RUN, '--list']);
  return stdout.trim().replace('cases: ', '').split(', ');
}

/** Runs bench cases at the smallest size and returns their figures. */
export async function runTiny(names: readonly string[]): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-test-'));
  try {
    const json = join(folder, 'figures.json');
    const exactly = names.flatMap((name) => ['--exactly', name]);
    await run(process.execPath, [RUN, '--tiny', '--json', json, ...exactly], {
      maxBuffer: 16 * 1024 * 1024,
    });
    return JSON.parse(readFileSync(json, 'utf8')) as BenchResult[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
