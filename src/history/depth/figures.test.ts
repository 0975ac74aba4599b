import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { COSTS } from './cost-codec.ts';
import { figuresOf } from './figures.ts';

const all = (pct: number) => new Float64Array(COSTS).fill(pct);

suite('costs over a time', () => {
  test('the median, and what only a twentieth of the times exceeds', () => {
    const { medianPct, worstPct } = figuresOf(Array.from({ length: 40 }, (_, i) => all(40 - i)));
    assert.deepEqual([medianPct[0], worstPct[COSTS - 1]], [20, 38]);
  });

  test('a time at which the size was not filled is the most expensive one', () => {
    const points = [...Array.from({ length: 30 }, (_, i) => all(1 + i)), ...Array(10).fill(all(Number.NaN))];
    const { medianPct, worstPct } = figuresOf(points);
    assert.equal(medianPct[3], 20);
    assert.ok(Number.isNaN(worstPct[3]), 'in more than a twentieth of the times it was not filled');
    assert.ok(Number.isNaN(figuresOf([all(Number.NaN), all(Number.NaN), all(1)]).medianPct[0]));
  });

  test('nothing is known of no time', () => {
    assert.ok(figuresOf([]).medianPct.every(Number.isNaN));
  });
});
