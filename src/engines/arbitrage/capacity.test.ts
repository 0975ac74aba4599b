import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Depth } from '../../venues/observations.ts';
import { capacities, isLowerBound } from './capacity.ts';

const book = (bids: Depth['bids'], asks: Depth['asks']): Depth => ({
  venueSymbol: 'X',
  bids,
  asks,
  venueTimeMs: null,
});

suite('capacity of a leg', () => {
  test('is the smaller side within 2, 5 and 10 basis points of the best price', () => {
    const depth = book(
      [
        [9_999, 1],
        [9_996, 2],
        [9_990, 100],
      ],
      [
        [10_000, 3],
        [10_004, 4],
        [10_010, 5],
      ],
    );
    // 2 bp of 9,999 reach 9,997.0002: one level. 5 bp reach 9,994.0005: two levels. 10 bp reach 9,989.001.
    assert.deepEqual(capacities(depth, null)?.values, [
      9_999,
      9_999 + 9_996 * 2,
      10_000 * 3 + 10_004 * 4 + 10_010 * 5,
    ]);
  });

  test('a price exactly at the limit counts', () => {
    assert.deepEqual(
      capacities(
        book(
          [[10_000, 1e6]],
          [
            [10_000, 1],
            [10_002, 1],
          ],
        ),
        null,
      )?.values[0],
      20_002,
    );
  });

  test('a crossed or empty book has none', () => {
    assert.equal(capacities(book([[10, 1]], [[9, 1]]), null), null);
    assert.equal(capacities(book([], [[9, 1]]), null), null);
  });

  test('is a lower bound unless the levels of both sides reach beyond the slippage', () => {
    const reach = (bid: number, ask: number) =>
      capacities(
        book(
          [
            [10_000, 1],
            [bid, 1],
          ],
          [
            [10_000, 1],
            [ask, 1],
          ],
        ),
        null,
      )?.reachBp ?? Number.NaN;
    assert.equal(isLowerBound(reach(9_990, 10_010), 5), false);
    assert.equal(isLowerBound(reach(9_990, 10_004), 5), true, 'asks end 4 bp from the best');
    assert.equal(isLowerBound(reach(9_990, 10_005), 5), true, 'more may rest exactly at the limit');
    assert.equal(isLowerBound(0, 2), true, 'the top alone');
  });

  test('without a book the top counts as one level, if it has sizes', () => {
    const top = { venueSymbol: 'X', bidPrice: 9, bidSize: 2, askPrice: 10, askSize: 1, venueTimeMs: null };
    assert.deepEqual(capacities(null, top), { values: [10, 10, 10], reachBp: 0 });
    assert.equal(capacities(null, { ...top, bidSize: null }), null);
    assert.equal(capacities(null, null), null);
  });
});
