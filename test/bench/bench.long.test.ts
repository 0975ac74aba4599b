import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { promisify } from 'node:util';
import { CASES } from '../../bench/cases.ts';
import type { Figure } from '../../bench/figure.ts';

const RUN = 'bench/run.ts';

suite('npm run bench', () => {
  test('prints its flags and cases, and names a wrong one without a stack', () => {
    const run = (...flags: string[]) => spawnSync(process.execPath, [RUN, ...flags], { encoding: 'utf8' });
    const help = run('--help');
    assert.equal(help.status, 0, help.stderr);
    assert.match(help.stdout, /--only NAME/);
    for (const { name } of CASES) assert.ok(help.stdout.includes(`\n  ${name} `), name);
    const wrong = run('--fast');
    assert.equal(wrong.status, 2);
    assert.match(
      wrong.stderr,
      /^bench: Unknown option '--fast'.*\n.*--help lists the flags and the cases\.\n$/,
    );
    const none = run('--only', 'no such case');
    assert.equal(none.status, 2);
    assert.match(none.stderr, /^bench: there is no case "no such case"\n/);
  });

  for (const { name } of CASES)
    test(`${name} measures figures beside their baselines`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'perpwire-bench-test-'));
      try {
        const json = join(folder, 'figures.json');
        const flags = ['--tiny', '--only', name, '--json', json];
        const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...flags]);
        const figures = JSON.parse(readFileSync(json, 'utf8')) as Figure[];
        assert.ok(figures.length >= 4, `${figures.length} figures`);
        assert.ok(figures.some(({ baseline }) => baseline));
        assert.ok(figures.some(({ target }) => target));
        for (const { name: figure, value, baseline } of figures) {
          assert.ok(stdout.includes(figure), figure);
          assert.ok(value >= 0, `${figure}: ${value}`);
          assert.ok(!baseline || baseline.value > 0, `${figure}: beside ${baseline?.value}`);
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
});
