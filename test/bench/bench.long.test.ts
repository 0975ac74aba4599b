import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runTiny } from './run-tiny.ts';

suite('npm run bench, the cases that start a service', () => {
  for (const name of ['mcp', 'pages', 'history on SQLite', 'backtest while serving'])
    test(`measures ${name} beside its baselines`, async () => {
      const figures = await runTiny([name]);
      assert.ok(figures.length > 0);
      for (const { name: figure, baseline_value } of figures)
        assert.ok(baseline_value > 0, `${figure}: beside ${baseline_value}`);
    });
});
