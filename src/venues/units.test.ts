import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linearContract } from './observations.ts';
import { readBook } from './units.ts';

const contract = linearContract({
  venueSymbol: 'BTCUSDT',
  base: 'BTC',
  quote: 'USDT',
  status: 'trading',
  venueStatus: 'TRADING',
});

const GOOD = [
  ['96400.1', '0.5'],
  ['96400.0', '1.25'],
];

function bidsOf(bids: unknown, fields?: { price: string; size: string }) {
  return readBook(contract, { bids, asks: [['96401', '1']] }, 'base', null, fields).bids;
}

suite('a book with a bad level', () => {
  for (const [name, level] of [
    ['null', null],
    ['undefined', undefined],
    ['a number', 7],
    ['an empty list', []],
    ['an object where lists are', { price: '1', size: '1' }],
    ['a level without a size', ['96400.05']],
    ['a level of size 0', ['96400.05', '0']],
    ['a negative price', ['-1', '1']],
    ['a price of 1e300', ['1e300', '1']],
    ['a size of 1e300', ['96400.05', '1e300']],
  ] as const) {
    test(`${name} costs that level, not the book`, () => {
      assert.deepEqual(bidsOf([GOOD[0], level, GOOD[1]]), [
        [96400.1, 0.5],
        [96400, 1.25],
      ]);
    });
  }

  test('null among levels that are objects costs that level, not the book', () => {
    const fields = { price: 'p', size: 's' };
    assert.deepEqual(bidsOf([null, { p: '96400.1', s: '0.5' }], fields), [[96400.1, 0.5]]);
  });

  test('a side that is null is an empty side', () => {
    assert.deepEqual(bidsOf(null), []);
  });
});

suite('a book in any order', () => {
  const levels = (...prices: number[]) => prices.map((price) => [price, 1]);
  const prices = (side: readonly (readonly number[])[]) => side.map(([price]) => price);

  test('has each side best first', () => {
    for (const given of [levels(1, 2, 3, 3), levels(3, 3, 2, 1), levels(2, 3, 1, 3), levels(1, 3, 3, 2)]) {
      const book = readBook(contract, { bids: given, asks: given }, 'base', null);
      assert.deepEqual(prices(book.bids), [3, 3, 2, 1]);
      assert.deepEqual(prices(book.asks), [1, 2, 3, 3]);
    }
  });

  test('may have empty sides', () => {
    const { bids, asks } = readBook(contract, { bids: [], asks: levels(5) }, 'base', null);
    assert.deepEqual([prices(bids), prices(asks)], [[], [5]]);
  });
});
