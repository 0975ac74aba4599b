import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { LatestMarket } from '../../market/latest.ts';
import { type Contract, emptyBatch } from '../../venues/observations.ts';
import { okx } from '../../venues/okx/venue.ts';
import { parsePastBooks, parsePastContracts } from './past-books.ts';

const contract: Contract = {
  venueSymbol: 'BTC-USDT-SWAP',
  base: 'BTC',
  quote: 'USDT',
  settle: 'USDT',
  isInverse: false,
  contractSize: 0.01,
  status: 'trading',
  venueStatus: 'live',
  assetClass: 'crypto',
  listedAtMs: null,
  delistsAtMs: null,
  maxLeverage: null,
  intervalHours: null,
};

function marketWithBtc(): LatestMarket {
  const market = new LatestMarket(createMetrics(), createLog('silent'));
  const contracts = new Map([[contract.venueSymbol, contract]]);
  const contractList = { part: 'all', contracts: [contract] };
  market.accept(okx, { ...emptyBatch(), contractList }, 1_794_000_000_000, contracts);
  return market;
}

/** Minute, then one book: place of the contract, number of levels, and the levels. */
function minuteOf(place: number, levels: readonly number[][], declared = levels.length): Buffer {
  const bytes = Buffer.alloc(8 + levels.length * 32);
  bytes.writeUInt16LE(place, 4);
  bytes.writeUInt16LE(declared, 6);
  for (const [i, level] of levels.entries())
    for (const [j, value] of level.entries()) bytes.writeDoubleLE(value, 8 + i * 32 + j * 8);
  return bytes;
}

const LEVELS = [
  [100, 2, 101, 3],
  [99, 4, 102, 5],
];

suite("books of a simulator's past", () => {
  const names = JSON.stringify([['okx', 'BTC-USDT-SWAP']]);

  test('a book is read as bids and asks, the first level as top', () => {
    const [book] = parsePastBooks(minuteOf(0, LEVELS), parsePastContracts(names, marketWithBtc()));
    assert.equal(book?.leg.top?.bidPrice, 100);
    assert.equal(book?.leg.top?.askSize, 3);
    assert.deepEqual(book?.leg.depth?.asks, [
      [101, 3],
      [102, 5],
    ]);
  });

  test('contracts that are no list are an error', () => {
    assert.throws(() => parsePastContracts('{}', marketWithBtc()), /no list of contracts/);
  });

  test('a malformed entry and an unknown contract keep their places without a leg', () => {
    const mixed = JSON.stringify([7, ['okx'], ['gate', 'X_USDT'], ['okx', 'BTC-USDT-SWAP']]);
    const legs = parsePastContracts(mixed, marketWithBtc());
    assert.deepEqual(
      legs.map((leg) => leg?.state.contract.venueSymbol ?? null),
      [null, null, null, 'BTC-USDT-SWAP'],
    );
  });

  for (const [name, bytes] of [
    ['an empty minute', Buffer.alloc(0)],
    ['a book of an unknown contract', minuteOf(9, LEVELS)],
    ['a book without levels', minuteOf(0, [])],
    ['a book that is cut off', minuteOf(0, LEVELS, 3)],
    ['a head that is cut off', minuteOf(0, LEVELS).subarray(0, 6)],
  ] as const) {
    test(`${name} gives no book`, () => {
      assert.deepEqual(parsePastBooks(bytes, parsePastContracts(names, marketWithBtc())), []);
    });
  }
});
