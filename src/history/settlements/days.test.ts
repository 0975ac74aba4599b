import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { coveredMinutesOf } from './days.ts';
import { DAY_MINUTES, intervalsOf } from './times.ts';

const DAY = 20_000;
/** Minutes of a UTC day that prints at these hours after its start are for. */
function covered(hours: readonly number[]): number {
  const minutes = hours.map((hour) => DAY * DAY_MINUTES + hour * 60);
  return coveredMinutesOf(minutes, intervalsOf(minutes).minutes, DAY);
}
const hourly = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

suite('how much of a day its prints are for', () => {
  test('a regular day is covered whole, with the first print of the next day or before it has settled', () => {
    assert.equal(covered([-8, 0, 8, 16, 24]), DAY_MINUTES);
    assert.equal(covered([-8, 0, 8, 16]), DAY_MINUTES);
    assert.equal(covered(hourly(-2, 23)), DAY_MINUTES);
  });

  test('a day on which 1 h becomes 8 h is covered whole, though its own prints are for 17 hours', () => {
    assert.equal(covered([...hourly(-2, 8), 16, 24, 32]), DAY_MINUTES);
  });

  test('a day on which 8 h becomes 1 h is not covered whole if hourly prints are missing, though the rest are for 24 hours', () => {
    assert.equal(covered([-8, 0, 8, ...hourly(9, 24)]), DAY_MINUTES);
    assert.equal(covered([-8, 0, 8, ...hourly(9, 16), ...hourly(23, 26)]), 18 * 60);
  });

  test('what is missing at the end of the day is not covered', () => {
    assert.equal(covered(hourly(-2, 20)), 21 * 60);
    assert.equal(covered(hourly(-5, -1)), 0);
  });
});
