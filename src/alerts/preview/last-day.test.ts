import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { crossings } from './last-day.ts';

suite('crossings of a bound', () => {
  const above = { direction: 'above', bound: 0.3, hysteresis: 0 } as const;
  for (const [what, values, bounds, count] of [
    ['none', [0.1, 0.3, 0.2], above, 0],
    ['once up', [0.1, 0.4, 0.5], above, 1],
    ['a start beyond the bound is none', [0.4, 0.5], above, 0],
    ['twice', [0.1, 0.4, 0.2, 0.4], above, 2],
    ['within the reset distance', [0.1, 0.4, 0.25, 0.4], { ...above, hysteresis: 0.1 }, 1],
    ['past the reset distance', [0.1, 0.4, 0.15, 0.4], { ...above, hysteresis: 0.1 }, 2],
    ['below', [0.1, -0.4, 0, -0.5], { direction: 'below', bound: -0.3, hysteresis: 0.2 }, 2],
    ['no values', [], above, 0],
  ] as const)
    test(what, () => assert.equal(crossings(values, bounds), count));
});
