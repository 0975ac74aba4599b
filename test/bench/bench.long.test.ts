import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runTiny, WITH_SERVICE } from './run-tiny.ts';

suite('npm run bench, the cases that start a service', () => {
  for (const names of WITH_SERVICE)
    test(`measures ${names.join(', ')} beside their baselines`, async () => {
      const figures = await runTiny(names);
      assert.ok(figures.length >= names.length);
      for (const { name: figure, baseline_value } of figures)
        assert.ok(baseline_value > 0, `${figure}: beside ${baseline_value}`);
    });
});
