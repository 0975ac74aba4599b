import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runTiny } from './run-tiny.ts';

suite('npm run bench', () => {
  // Every case is loaded, two are run: all of them take too long for a test.
  test('measures REST and the parsers beside their baselines', async () => {
    const figures = await runTiny(['rest', 'parsing']);
    const filtered = figures.find(({ name }) => name.includes('another filter each time'));
    assert.match(filtered?.baseline ?? '', /bare node:http/);
    // The load generator knows whole milliseconds, and a fast machine answers sooner.
    const exact = figures.filter(({ name }) => !name.includes('slowest of a hundred'));
    for (const { name, value, baseline_value, ratio } of exact) {
      assert.ok(value > 0 && baseline_value > 0, `${name}: ${value} beside ${baseline_value}`);
      assert.ok(Math.abs(ratio / (value / baseline_value) - 1) < 0.01, `${name}: ratio ${ratio}`);
    }
    const parsed = figures.filter(({ name }) => name.includes('our parser'));
    assert.ok(parsed.length > 20, `${parsed.length} parsers`);
  });
});
