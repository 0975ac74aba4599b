import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BookSide } from './book-side.ts';

test('a side of a book is what a map of its levels would be', () => {
  const side = new BookSide();
  const expected = new Map<number, { size: number; order: number }>();
  let state = 7;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  for (let order = 0; order < 5000; order++) {
    // Often among few prices, so that levels are replaced and removed as well.
    const price = next(120) / 8;
    if (next(3) === 0) {
      side.delete(price);
      expected.delete(price);
    } else {
      const size = 1 + next(1000);
      side.set(price, size, order);
      expected.set(price, { size, order });
    }
    const prices = [...expected.keys()].sort((a, b) => a - b);
    const levelAt = (at: number | undefined) =>
      at === undefined ? null : { price: at, ...expected.get(at) };
    assert.deepEqual(side.lowest(), levelAt(prices[0]));
    assert.deepEqual(side.highest(), levelAt(prices.at(-1)));
  }
});

test('a side from which all levels were removed has no best level', () => {
  const side = new BookSide();
  side.set(2, 1, 1);
  side.delete(2);
  side.delete(2);
  assert.equal(side.lowest(), null);
  assert.equal(side.highest(), null);
});
