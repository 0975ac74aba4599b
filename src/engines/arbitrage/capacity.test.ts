import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MINUTE_MS } from '../../base/times.ts';
import { type BookCurve, curveOf } from '../../market/depth/book-curve.ts';
import type { Depth } from '../../venues/observations.ts';
import { capacities, capacityOf, isLowerBound } from './capacity.ts';

const curve = (bids: Depth['bids'], asks: Depth['asks']): BookCurve => {
  const made = curveOf({ bids, asks });
  assert.ok(made);
  return made;
};
const NOW_MS = Date.UTC(2026, 10, 14, 9);
const TOP = {
  venueSymbol: 'X',
  bidPrice: 9_999,
  bidSize: 2,
  askPrice: 10_001,
  askSize: 1,
  venueTimeMs: null,
};

suite('capacity of a leg', () => {
  test('is the smaller side within 2, 5 and 10 basis points of the mid', () => {
    const book = curve(
      [
        [9_999, 1],
        [9_996, 2],
        [9_990, 100],
      ],
      [
        [10_001, 3],
        [10_004, 4],
        [10_010, 5],
      ],
    );
    assert.deepEqual(capacities(book).values, [
      9_999,
      9_999 + 9_996 * 2,
      10_001 * 3 + 10_004 * 4 + 10_010 * 5,
    ]);
  });

  test('nothing fits where the best prices are further from the mid', () => {
    assert.deepEqual(capacities(curve([[9_994, 100]], [[10_006, 100]])).values, [0, 0, 999_400]);
  });

  test('is a lower bound unless the levels of both sides reach beyond the slippage', () => {
    const reach = (bid: number, ask: number) =>
      capacities(
        curve(
          [
            [10_000, 1],
            [bid, 1],
          ],
          [
            [10_000, 1],
            [ask, 1],
          ],
        ),
      ).reachBp;
    assert.equal(isLowerBound(reach(9_990, 10_010), 5), false);
    assert.equal(isLowerBound(reach(9_990, 10_004), 5), true, 'asks end 4 bp from the mid');
    assert.equal(isLowerBound(reach(9_990, 10_005), 5), true, 'more may rest exactly at the limit');
  });

  test('without a book of the last ten minutes the top counts as one level, if it has sizes and is not older', () => {
    const atMs = NOW_MS - 10 * MINUTE_MS;
    const book = { curve: curve([[9_999, 50]], [[10_001, 50]]), atMs, periodMs: MINUTE_MS };
    const state = { top: TOP, topAtMs: NOW_MS };
    assert.equal(capacityOf(book, state, NOW_MS)?.values[1], 9_999 * 50);
    assert.deepEqual(capacityOf(book, state, NOW_MS + 1), { values: [10_001, 10_001, 10_001], reachBp: 1 });
    assert.deepEqual(capacityOf(undefined, state, NOW_MS)?.values, [10_001, 10_001, 10_001]);
    assert.equal(capacityOf(undefined, { ...state, topAtMs: NOW_MS - 10 * MINUTE_MS - 1 }, NOW_MS), null);
    assert.equal(capacityOf(undefined, { ...state, top: { ...TOP, bidSize: null } }, NOW_MS), null);
    assert.equal(capacityOf(undefined, { ...state, top: null }, NOW_MS), null);
  });
});
