import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Depth } from '../../venues/observations.ts';
import { type BookCurve, curveOf, curveOfTop } from './book-curve.ts';
import { fillPrice } from './fill-price.ts';
import { BANDS_BP, type SideCurve } from './side-curve.ts';

type Sides = Pick<Depth, 'bids' | 'asks'>;

const made = (book: Sides): BookCurve => {
  const curve = curveOf(book);
  assert.ok(curve);
  return curve;
};
const bands = (side: SideCurve) => BANDS_BP.map((bp) => side.valueWithin(bp));

/** BTC on Hyperliquid, `l2Book`, 2025-10-30 01:08:11 UTC: the first five levels. */
const HYPERLIQUID_BTC: Sides = {
  bids: [
    [110427, 4.11882],
    [110426, 0.31694],
    [110425, 1.30796],
    [110424, 0.28581],
    [110423, 3.07847],
  ],
  asks: [
    [110428, 3.72573],
    [110430, 0.03586],
    [110431, 1.35809],
    [110432, 1.35805],
    [110433, 1.27191],
  ],
};
const BOOK: Sides = {
  bids: [
    [9_999, 1],
    [9_996, 2],
    [9_985, 100],
  ],
  asks: [
    [10_001, 3],
    [10_005, 4],
    [10_060, 5],
  ],
};

suite('curve of a book', () => {
  test('has the mid, the spread in percent of it, and what rests within each band of the mid', () => {
    const curve = made(BOOK);
    assert.equal(curve.mid, 10_000);
    assert.equal(curve.spreadPct, 0.02);
    const [first, second] = [10_001 * 3, 10_001 * 3 + 10_005 * 4];
    assert.deepEqual(bands(curve.asks), [first, first, second, second, second, second]);
    // The bids received end 15 bp below the mid.
    const [bid, two] = [9_999, 9_999 + 9_996 * 2];
    assert.deepEqual(bands(curve.bids), [bid, bid, two, two, Number.NaN, Number.NaN]);
    assert.deepEqual([curve.bids.receivedValue, curve.bids.reachBp], [two + 998_500, 15]);
  });

  test('a level exactly at the limit counts, and more may rest there', () => {
    const { asks } = made({
      bids: [[9_999, 1]],
      asks: [
        [10_001, 1],
        [10_005, 1],
      ],
    });
    assert.deepEqual(bands(asks).slice(0, 3), [10_001, 10_001, Number.NaN]);
    assert.equal(asks.receivedValue, 20_006);
  });

  test('buying and selling are told apart: an order walks the side that it takes', () => {
    const { asks, bids } = made(BOOK);
    // Bought: 20,000 at 10,001. Sold: 9,999 at 9,999 and 10,001 at 9,996.
    assert.ok(Math.abs(asks.costPct(20_000) - 0.01) < 1e-6);
    const sold = 20_000 / (1 + 10_001 / 9_996);
    assert.ok(Math.abs(bids.costPct(20_000) - (1 - sold / 10_000) * 100) < 1e-6);
  });

  test('a real book: the cost is that of the exact fill', () => {
    const { mid, bids, asks } = made(HYPERLIQUID_BTC);
    assert.equal(mid, 110427.5);
    for (const value of [100, 20_000, 250_000]) {
      assertClose(asks.costPct(value), exactPct(HYPERLIQUID_BTC.asks, value, true));
      assertClose(bids.costPct(value), exactPct(HYPERLIQUID_BTC.bids, value, false));
    }
    // 0.5 of 110,427.5 is 0.045 bp; 9.1 coins rest on the bid side, all within 0.5 bp.
    assert.ok(bands(bids).every(Number.isNaN));
    assert.ok(Math.abs(bids.reachBp - (4.5 / 110427.5) * 1e4) < 1e-9);
    function exactPct(side: Sides['bids'], value: number, isBuy: boolean): number {
      return Math.abs((fillPrice(side, value, isBuy) as number) / mid - 1) * 100;
    }
  });

  test('beyond the levels received nothing is known', () => {
    const { asks } = made(BOOK);
    assert.ok(asks.costPct(asks.receivedValue - 1) > 0);
    assert.ok(Number.isNaN(asks.costPct(asks.receivedValue + 1)));
  });

  test('a contract of 1,000 coins: values are price times size, whatever the multiplier', () => {
    // 1000PEPE at 0.0098: two million contracts of a thousand coins are 19,601 USD.
    const { asks, mid } = made({
      bids: [[0.0098, 1e6]],
      asks: [
        [0.0098005, 2e6],
        [0.00982, 1e6],
      ],
    });
    assert.equal(mid, 0.00980025);
    assert.ok(Math.abs(asks.valueWithin(1) - 19_601) < 1e-6);
    assertClose(asks.costPct(10_000), (0.00000025 / 0.00980025) * 100);
  });

  test('the top alone is a book of one level; without sizes it has none', () => {
    const top = { venueSymbol: 'X', bidPrice: 99, bidSize: 2, askPrice: 101, askSize: 1, venueTimeMs: null };
    const curve = curveOfTop(top);
    assert.deepEqual([curve?.asks.receivedValue, curve?.bids.receivedValue], [101, 198]);
    assert.equal(curve?.asks.valueWithin(50), 0, 'the best ask is 100 bp from the mid');
    assert.equal(curveOfTop({ ...top, bidSize: null }), null);
  });
});

suite('books without a curve', () => {
  const [bids, asks]: [Sides['bids'], Sides['asks']] = [[[99, 1]], [[101, 1]]];
  const cases: Record<string, Sides> = {
    empty: { bids: [], asks: [] },
    'without bids': { bids: [], asks },
    'without asks': { bids, asks: [] },
    crossed: { bids: [[102, 1]], asks },
    'with a size of zero': { bids, asks: [...asks, [102, 0]] },
    'with levels out of order': {
      bids,
      asks: [
        [101, 1],
        [103, 1],
        [102, 1],
      ],
    },
    'with a price that is not a number': { bids: [[Number.NaN, 1]], asks },
  };
  for (const [name, book] of Object.entries(cases))
    test(`one ${name}`, () => assert.equal(curveOf(book), null));

  test('a locked book has one: bid and ask are equal and cost nothing', () => {
    const curve = made({ bids: [[100, 5]], asks: [[100, 5]] });
    assert.deepEqual([curve.mid, curve.spreadPct, curve.asks.costPct(300)], [100, 0, 0]);
  });
});

/** Within 2 % of itself or 0.1 basis points. */
function assertClose(pct: number, expectedPct: number): void {
  const off = Math.abs(pct - expectedPct);
  assert.ok(off <= 0.02 * expectedPct || off <= 0.001, `${pct}, not ${expectedPct}`);
}
