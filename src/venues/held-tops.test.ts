import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeContract } from '../../test/venues/fake-venue.ts';
import { HeldTops } from './held-tops.ts';
import { type Batch, emptyBatch } from './observations.ts';
import { bookTops } from './phemex/stream.ts';
import type { ParseContext, Stream } from './venue.ts';
import { bestOffers } from './woox/stream.ts';

const START_MS = Date.UTC(2026, 8, 23, 3, 14);

const WOOX = {
  stream: bestOffers,
  symbol: 'PERP_PATH_USDT',
  top: {
    topic: 'bbo@PERP_PATH_USDT',
    ts: START_MS,
    data: { s: 'PERP_PATH_USDT', ts: START_MS, bp: '1', bq: '10', ap: '1.01', aq: '10' },
  },
  oneSided: {
    topic: 'bbo@PERP_PATH_USDT',
    ts: START_MS,
    data: { s: 'PERP_PATH_USDT', ts: START_MS, bp: '0', bq: '0', ap: '1.01', aq: '10' },
  },
  pong: { cmd: 'PONG', success: true },
};

const PHEMEX = {
  stream: bookTops,
  symbol: 'PATHUSDT',
  top: {
    type: 'snapshot',
    symbol: 'PATHUSDT',
    orderbook_p: { bids: [['1', '10']], asks: [['1.01', '10']] },
    timestamp: START_MS * 1e6,
  },
  oneSided: {
    type: 'snapshot',
    symbol: 'PATHUSDT',
    orderbook_p: { bids: [], asks: [['1.01', '10']] },
    timestamp: START_MS * 1e6,
  },
  pong: { error: null, id: 0, result: 'pong' },
};

function session(stream: Stream, symbol: string) {
  assert.equal(stream.sendsOnlyChanges, true);
  const contract = { ...fakeContract(symbol), base: 'PATH' };
  const opened = stream.open([contract]);
  const held = new HeldTops();
  return (message: unknown, seconds: number): Batch => {
    const context: ParseContext = {
      receivedAtMs: START_MS + seconds * 1000,
      contracts: new Map([[symbol, contract]]),
    };
    const { batch } = opened.receive(message, context);
    held.follow(batch, context);
    return batch;
  };
}

suite('a quiet book on a live connection', () => {
  for (const [name, { stream, symbol, top, oneSided, pong }] of [
    ['WOOX', WOOX],
    ['Phemex', PHEMEX],
  ] as const) {
    test(`${name}: a top that stays for 125 s is repeated with the pongs, every 15 s`, () => {
      const receive = session(stream, symbol);
      assert.equal(receive(top, 0).bookTops[0]?.bidPrice, 1);
      const repeated: number[] = [];
      for (let second = 10; second <= 125; second += 10)
        if (receive(pong, second).bookTops.some((one) => one.bidPrice === 1)) repeated.push(second);
      assert.deepEqual(repeated, [20, 40, 60, 80, 100, 120]);
    });

    test(`${name}: a book that has lost a side is not repeated`, () => {
      const receive = session(stream, symbol);
      receive(top, 0);
      assert.equal(receive(oneSided, 5).bookTops.length, 0);
      for (const second of [20, 40, 60]) assert.equal(receive(pong, second).bookTops.length, 0);
    });
  }

  test('the top of a contract that no longer trades is not repeated', () => {
    const held = new HeldTops();
    const top = { venueSymbol: 'A', bidPrice: 1, bidSize: 1, askPrice: 2, askSize: 1, venueTimeMs: null };
    const at = (seconds: number, status: 'trading' | 'halted') => ({
      receivedAtMs: START_MS + seconds * 1000,
      contracts: new Map([['A', { ...fakeContract('A'), status }]]),
    });
    held.follow({ ...emptyBatch(), bookTops: [top] }, at(0, 'trading'));
    const batch = emptyBatch();
    held.follow(batch, at(20, 'halted'));
    assert.deepEqual(batch.bookTops, []);
  });
});
