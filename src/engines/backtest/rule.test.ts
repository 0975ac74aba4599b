import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cycleStatistics } from './rule.ts';

suite('confidence where a divisor is 0', () => {
  test('no fee and no profit in any cycle: 0, not NaN', () => {
    assert.equal(cycleStatistics([0, 0, 0], 1, 0).confidence, 0);
  });

  test('no fee, most cycles without profit: the dispersion is 0', () => {
    // 100 x 1 x 1/5 x 5/10 x 1/(1 + 0)
    assert.equal(cycleStatistics([0, 0, 0, 0, 3], 1, 0).confidence, 10);
  });

  test('no fee, a median of 0, profits that differ: the dispersion is infinite, so 0', () => {
    assert.equal(cycleStatistics([-1, 0, 1], 1, 0).confidence, 0);
  });
});
