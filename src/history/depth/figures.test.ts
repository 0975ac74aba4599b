import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { COSTS, type CostSteps, decodeSteps, encodeCosts } from './cost-codec.ts';
import { type CostFigures, figuresOf } from './figures.ts';

/** Costs of contracts at one time, the same for all sizes. */
const time = (pcts: Readonly<Record<number, number>>): CostSteps =>
  decodeSteps(
    encodeCosts(
      Object.entries(pcts).map(([id, pct]) => ({
        id: Number(id),
        costsPct: new Float64Array(COSTS).fill(pct),
      })),
    ),
  );
const figures = (pcts: readonly number[]): CostFigures | undefined =>
  new Map(figuresOf(pcts.map((pct) => time({ 7: pct })))).get(7);
/** A stored cost is at most 1 % off. */
const isAbout = (got: number | undefined, pct: number) =>
  assert.ok(got !== undefined && Math.abs(got / pct - 1) <= 0.01, `${got}, not ${pct}`);

suite('costs over a time', () => {
  test('the median, and what only a twentieth of the times exceeds', () => {
    const found = figures(Array.from({ length: 40 }, (_, i) => 40 - i));
    isAbout(found?.medianPct[0], 20);
    isAbout(found?.worstPct[COSTS - 1], 38);
  });

  test('a time at which the size was not filled is the most expensive one', () => {
    const found = figures([
      ...Array.from({ length: 30 }, (_, i) => 1 + i),
      ...Array<number>(10).fill(Number.NaN),
    ]);
    isAbout(found?.medianPct[3], 20);
    assert.ok(Number.isNaN(found?.worstPct[3]), 'in more than a twentieth of the times it was not filled');
    assert.ok(Number.isNaN(figures([Number.NaN, Number.NaN, 1])?.medianPct[0]));
  });

  test('contracts come and go: each has the figures of its own times', () => {
    const found = new Map(figuresOf([time({ 1: 1, 5: 50 }), time({ 5: 60 }), time({ 1: 3, 2: 20, 5: 70 })]));
    assert.deepEqual([...found.keys()], [1, 2, 5]);
    isAbout(found.get(1)?.medianPct[0], 1);
    isAbout(found.get(1)?.worstPct[0], 3);
    isAbout(found.get(2)?.medianPct[0], 20);
    isAbout(found.get(5)?.medianPct[0], 60);
  });

  test('nothing is known of no time', () => {
    assert.deepEqual([...figuresOf([])], []);
    assert.deepEqual([...figuresOf([time({})])], []);
  });
});
