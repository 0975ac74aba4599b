import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../base/times.ts';
import { type CostAt, dayFigures, extremeHours, halfHours, hourMedians, meanOfHours } from './hours.ts';

const START_MS = Date.UTC(2026, 10, 10);
const at = (minutes: number, pct: number | null): CostAt => ({ atMs: START_MS + minutes * MINUTE_MS, pct });

suite('costs by the hour', () => {
  test('a half hour has the median of its times; one without any is a gap', () => {
    const costs = [at(0, 0.03), at(5, 0.01), at(10, 0.02), at(65, 0.05)];
    assert.deepEqual(halfHours(costs, START_MS, START_MS + 90 * MINUTE_MS), [
      [START_MS + 15 * MINUTE_MS, 0.02],
      [START_MS + 45 * MINUTE_MS, null],
      [START_MS + 75 * MINUTE_MS, 0.05],
    ]);
  });

  test('a size that was not filled counts as the dearest, so a half hour of which most is unknown is a gap', () => {
    const [mostly] = halfHours([at(0, 0.01), at(5, null), at(10, null)], START_MS, START_MS + MINUTE_MS);
    assert.equal(mostly?.[1], null);
    const [hardly] = halfHours([at(0, 0.01), at(5, 0.02), at(10, null)], START_MS, START_MS + MINUTE_MS);
    assert.equal(hardly?.[1], 0.02);
  });

  test('an hour of the day has the median of all days', () => {
    const costs = [0, 1, 2].map((day) => ({
      atMs: START_MS + day * DAY_MS + 7 * HOUR_MS,
      pct: 0.01 * (day + 1),
    }));
    const medians = hourMedians(costs);
    assert.equal(medians[7], 0.02);
    assert.deepEqual(
      medians.filter((pct) => pct !== null),
      [0.02],
    );
  });

  test('the cheapest and dearest three hours may pass midnight, and need every hour', () => {
    const medians = Array.from(
      { length: 24 },
      (_, hour) => 0.02 + 0.01 * Math.cos((hour / 24) * 2 * Math.PI),
    );
    const extremes = extremeHours(medians);
    assert.deepEqual([extremes?.dearest.fromHour, extremes?.dearest.toHour], [23, 2]);
    assert.deepEqual([extremes?.cheapest.fromHour, extremes?.cheapest.toHour], [11, 14]);
    assert.equal(extremeHours([...medians.slice(0, 23), null]), null);
  });

  test('the mean of two lines is unknown where one is', () => {
    const first = Array.from({ length: 24 }, () => 0.01);
    const second = first.map((_, hour) => (hour === 5 ? null : 0.03));
    const mean = meanOfHours([first, second]);
    assert.equal(mean[4], 0.02);
    assert.equal(mean[5], null);
  });

  test('the last day: the median and what 5 % of the times exceeded; older times do not count', () => {
    const day = Array.from({ length: 100 }, (_, i) => at(i + 1, (i + 1) / 1000));
    const old = { atMs: START_MS - 2 * DAY_MS, pct: 9 };
    const figures = dayFigures([old, ...day], START_MS + 100 * MINUTE_MS);
    assert.deepEqual(figures, { medianPct: 0.05, worstPct: 0.095 });
    const unfilled = day.map((one, i) => (i < 90 ? one : { ...one, pct: null }));
    assert.equal(dayFigures(unfilled, START_MS + 100 * MINUTE_MS).worstPct, null);
  });
});
