import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { NumberIndex, type Range } from './number-index.ts';
import { countRows, hasRow, setAllRows, setRow, wordsFor } from './row-bits.ts';

/** Many distinct values, many equal ones, both infinities and nulls. */
const value = fc.oneof(
  { weight: 6, arbitrary: fc.double({ noNaN: true, min: -1e6, max: 1e6 }) },
  { weight: 3, arbitrary: fc.constantFrom(0, -0, 0.01, 8) },
  { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY) },
);
const column = fc.array(value, { maxLength: 700, size: 'max' }).map((values) => Float64Array.from(values));
const bound = fc.oneof(
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  fc.constantFrom(0, 0.01, 8, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
);
const range = fc.record({ low: bound, high: bound });

const isIn = (ranges: readonly Range[], one: number) =>
  ranges.some(({ low, high }) => one >= low && one <= high);

suite('the index of a number column', () => {
  test('keeps exactly what comparing every row does, crossed and overlapping ranges too', () => {
    fc.assert(
      fc.property(column, fc.array(range, { minLength: 1, maxLength: 4 }), (data, ranges) => {
        const bits = new Uint32Array(wordsFor(data.length));
        for (let row = 0; row < data.length; row += 3) setRow(bits, row);
        new NumberIndex(data).keep(ranges, bits);
        for (let row = 0; row < data.length; row++)
          assert.equal(hasRow(bits, row), row % 3 === 0 && isIn(ranges, data[row] ?? Number.NaN));
      }),
      { numRuns: 400 },
    );
  });

  test('keeps nothing of an empty column and of one of nulls', () => {
    for (const data of [new Float64Array(0), new Float64Array(5).fill(Number.NaN)]) {
      const bits = new Uint32Array(wordsFor(data.length));
      setAllRows(bits, data.length);
      new NumberIndex(data).keep([{ low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY }], bits);
      assert.equal(countRows(bits), 0);
    }
  });
});

suite('sets of rows', () => {
  for (const rowCount of [0, 1, 31, 32, 33, 64, 1000]) {
    test(`all of ${rowCount} rows are ${rowCount}`, () => {
      const bits = new Uint32Array(wordsFor(rowCount));
      setAllRows(bits, rowCount);
      assert.equal(countRows(bits), rowCount);
    });
  }

  test('are counted one by one', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(499), { maxLength: 500 }), (rows) => {
        const bits = new Uint32Array(wordsFor(500));
        for (const row of rows) setRow(bits, row);
        assert.equal(countRows(bits), rows.length);
      }),
    );
  });
});
