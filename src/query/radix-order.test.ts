import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { orderBy } from './radix-order.ts';

/** By comparison; Array.prototype.sort is stable. */
function expected(keys: Float64Array, rows: readonly number[]): number[] {
  const key = (row: number) => keys[row] as number;
  return [...rows].sort((a, b) => {
    if (Number.isNaN(key(a)) || Number.isNaN(key(b)))
      return Number(Number.isNaN(key(a))) - Number(Number.isNaN(key(b)));
    return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
  });
}

suite('the order of rows by a number', () => {
  const check = (numbers: readonly number[]) => {
    const keys = Float64Array.from(numbers);
    const rows = numbers.map((_, row) =>
      row % 2 === 0 ? row : numbers.length - 1 - row + (numbers.length % 2),
    );
    const distinct = new Set(rows).size === rows.length ? rows : numbers.map((_, row) => row).reverse();
    assert.deepEqual([...orderBy(keys, Uint32Array.from(distinct))], expected(keys, distinct));
  };

  test('equals a stable sort by comparison, for all kinds of numbers', () => {
    fc.assert(fc.property(fc.array(fc.double(), { maxLength: 200 }), check));
  });

  test('keeps rows with equal numbers in their order', () => {
    fc.assert(fc.property(fc.array(fc.constantFrom(0, -0, 1, -1, Number.NaN), { maxLength: 200 }), check));
  });

  test('orders numbers that differ only in their last bits, such as times', () => {
    const times = fc.integer({ min: 0, max: 500 }).map((ms) => 1_790_000_000_000 + ms);
    fc.assert(fc.property(fc.array(times, { maxLength: 300 }), check));
  });
});
