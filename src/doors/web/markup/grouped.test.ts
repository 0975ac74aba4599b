import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grouped } from './grouped.ts';

test('grouped numbers are those of the locale, whatever their digits', () => {
  for (const value of [
    0,
    -0.004,
    7.25,
    999,
    1000,
    12_345,
    999_999,
    1_000_000,
    1_234_567.8915,
    -12_345.5,
    -4000,
    2 ** 53,
  ]) {
    assert.equal(grouped(value), value.toLocaleString('en-US'));
    for (const [least, most] of [
      [2, 2],
      [1, 3],
      [0, 0],
      [1, 8],
    ] as const)
      assert.equal(
        grouped(value, least, most),
        value.toLocaleString('en-US', { minimumFractionDigits: least, maximumFractionDigits: most }),
      );
  }
});
