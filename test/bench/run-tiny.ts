import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BenchResult } from '../../bench/harness.ts';

const RUN = join(import.meta.dirname, '../../bench/run.ts');

/** Runs bench cases at the smallest size and returns their figures; all cases without names. */
export async function runTiny(names: readonly string[]): Promise<BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-test-'));
  try {
    const json = join(folder, 'figures.json');
    const only = names.flatMap((name) => ['--only', name]);
    await promisify(execFile)(process.execPath, [RUN, '--tiny', '--json', json, ...only], {
      maxBuffer: 16 * 1024 * 1024,
    });
    return JSON.parse(readFileSync(json, 'utf8')) as BenchResult[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
