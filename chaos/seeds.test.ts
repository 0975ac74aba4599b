import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { NO_RESULT, type RunResult } from './report.ts';
import { runSeeds } from './seeds.ts';

const FAILURE = { step: 3, atMs: 0, violations: ['a row is missing'], log: [] };

suite('runs of many seeds', () => {
  test('a run that continues skips the seeds that passed, and runs the failed ones again', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-seeds-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const common = {
      first: 1,
      hours: 48,
      hasRoles: false,
      jobs: 2,
      reportFile: join(folder, 'report.jsonl'),
    };
    const run = async (last: number, hours: number, failing: readonly number[]) => {
      const started: number[] = [];
      const worker = {
        run: async ({ seed }: { seed: number }): Promise<RunResult> => {
          started.push(seed);
          return { ...NO_RESULT, seed, failure: failing.includes(seed) ? FAILURE : null };
        },
        end: () => undefined,
      };
      const results = await runSeeds({ ...common, last, hours }, () => worker);
      return {
        started: started.sort((a, b) => a - b),
        failed: results.filter(({ failure }) => failure !== null).map(({ seed }) => seed),
        seeds: results.map(({ seed }) => seed),
      };
    };
    t.mock.method(console, 'log', () => undefined);
    assert.deepEqual(await run(3, 48, [2]), { started: [1, 2, 3], failed: [2], seeds: [1, 2, 3] });
    assert.deepEqual(await run(4, 48, []), { started: [2, 4], failed: [], seeds: [1, 2, 3, 4] });
    assert.deepEqual((await run(2, 24, [])).started, [1, 2], 'other hours are other plans');
  });
});
