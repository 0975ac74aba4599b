import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { dayChangePct } from './pair-view.ts';

const DAY = 1440;

/** Two days of mids: 100 on the first, 110 on the second, and 121 in the last minute. */
function mids(): Float32Array {
  const made = new Float32Array(2 * DAY).fill(100, 0, DAY).fill(110, DAY);
  made[made.length - 1] = 121;
  return made;
}

suite('the change of a price within 24 hours', () => {
  test('compares a minute with the same minute of the day before', () => {
    assert.equal(dayChangePct(mids(), 1)?.toFixed(6), '10.000000');
    assert.equal(dayChangePct(mids(), 0)?.toFixed(6), '21.000000');
  });

  test('takes the minute before where the sample of 24 hours ago is missing', () => {
    const gap = mids();
    gap[DAY - 1] = 0;
    gap[DAY - 2] = 80;
    assert.equal(dayChangePct(gap, 0)?.toFixed(2), '51.25');
  });

  test('is unknown if no price is stored within five minutes of 24 hours ago', () => {
    const gap = mids();
    gap.fill(0, DAY - 6, DAY);
    assert.equal(dayChangePct(gap, 0), null);
  });

  test('is unknown without a price now', () => {
    const gap = mids();
    gap[gap.length - 1] = 0;
    assert.equal(dayChangePct(gap, 0), null);
  });

  test('is unknown if the samples began less than 24 hours ago', () => {
    assert.equal(dayChangePct(new Float32Array(DAY).fill(100), 0), null);
  });
});
