import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { suite, test } from 'node:test';
import { caseNames, NOT_RUN, runTiny, WITH_SERVICE, WITHOUT_SERVICE } from './run-tiny.ts';

suite('npm run bench', () => {
  test('prints its flags, and names a wrong one without a stack', () => {
    const run = (...flags: string[]) =>
      spawnSync(process.execPath, ['bench/run.ts', ...flags], { encoding: 'utf8' });
    const help = run('--help');
    assert.equal(help.status, 0, help.stderr);
    assert.match(help.stdout, /--only NAME/);
    const wrong = run('--fast');
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /^bench: Unknown option '--fast'.*\n.*--help lists the flags\.\n$/);
    const none = run('--exactly', 'no such case');
    assert.equal(none.status, 1);
    assert.match(none.stdout, /^no case matches "no such case"; there are: /);
  });

  test('a test runs every case', async () => {
    const names = await caseNames();
    assert.deepEqual(names.toSorted(), [...WITHOUT_SERVICE, ...WITH_SERVICE.flat(), ...NOT_RUN].sort());
  });

  test('measures what needs no service beside its baselines', async () => {
    const figures = await runTiny(WITHOUT_SERVICE);
    const filtered = figures.find(({ name }) => name.includes('another filter each time'));
    assert.match(filtered?.baseline ?? '', /bare node:http/);
    // The load generator knows whole milliseconds, and a fast machine answers sooner.
    const exact = figures.filter(({ name }) => !name.includes('slowest of a hundred'));
    for (const { name, value, baseline_value, ratio } of exact) {
      assert.ok(value >= 0 && baseline_value > 0, `${name}: ${value} beside ${baseline_value}`);
      assert.ok(Math.abs(ratio - value / baseline_value) <= 0.01 * ratio, `${name}: ratio ${ratio}`);
    }
    const parsed = figures.filter(({ name }) => name.includes('our parser'));
    assert.ok(parsed.length > 20, `${parsed.length} parsers`);
  });
});
