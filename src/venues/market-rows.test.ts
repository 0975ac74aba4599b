import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { joinedPoll } from './bulk-poll.ts';
import { type MarketRow, readMarket } from './market-rows.ts';
import { emptyBatch, linearContract } from './observations.ts';
import { columnOf, ignore } from './reading.ts';
import type { VenueRequest } from './venue.ts';

const NOW_MS = Date.UTC(2026, 10, 14);
const contract = linearContract({
  venueSymbol: 'BTC',
  base: 'BTC',
  quote: 'USDT',
  contractSize: 0.01,
  status: 'trading',
  venueStatus: 'live',
});
const context = { receivedAtMs: NOW_MS, contracts: new Map([[contract.venueSymbol, contract]]) };
const read = (row: MarketRow | string) => readMarket([{ symbol: 'BTC' }], 'symbol', context, () => row);

suite('figures of a listed contract', () => {
  test('a rate without interval and time leaves both to another call', () => {
    assert.deepEqual(read({ ratePct: 0 }).fundingQuotes, [
      {
        venueSymbol: 'BTC',
        ratePct: 0,
        nextFundingAtMs: undefined,
        intervalHours: undefined,
        venueTimeMs: null,
      },
    ]);
  });

  test('figures that the row leaves out are no faults', () => {
    const { rejected, ...batch } = read({ markPrice: '100' });
    assert.deepEqual(rejected, []);
    assert.deepEqual(batch.marketFigures, [
      { venueSymbol: 'BTC', markPrice: 100, indexPrice: null, openInterestUsdt: null },
    ]);
    assert.deepEqual([batch.fundingQuotes, batch.dayVolumes, batch.bookTops], [[], [], []]);
  });

  test('a flag that the market is closed is taken as true or false, and nothing else', () => {
    const flagOf = (isMarketClosed: unknown) =>
      read({ markPrice: '100', isMarketClosed }).marketFigures.map((row) => row.isMarketClosed);
    assert.deepEqual([flagOf(true), flagOf(false)], [[true], [false]]);
    for (const other of ['true', 1, null, undefined]) assert.deepEqual(flagOf(other), [undefined]);
    assert.deepEqual(read({ isMarketClosed: true }).marketFigures, [
      ...[
        {
          venueSymbol: 'BTC',
          markPrice: null,
          indexPrice: null,
          openInterestUsdt: null,
          isMarketClosed: true,
        },
      ],
    ]);
  });

  const faults: [string, MarketRow, string][] = [
    ['a rate', { ratePct: null }, 'no rate'],
    ['a next settlement', { ratePct: 0, nextFundingAtMs: null }, 'no next settlement'],
    ['a volume', { volume24hUsdt: undefined }, 'no volume'],
    ['an ask', { top: { bidPrice: 1, bidSize: 1, askPrice: 0, askSize: 1, unit: 'base' } }, 'no bid or ask'],
  ];
  for (const [name, row, reason] of faults)
    test(`a row that lacks ${name} is bad and keeps its mark price`, () => {
      const batch = read({ ...row, markPrice: '100' });
      assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC', reason }]);
      assert.equal(batch.marketFigures[0]?.markPrice, 100);
    });

  test('one fault does not cost the other figures, and the first is reported', () => {
    const top = { bidPrice: 99, bidSize: 1, askPrice: 101, askSize: 1, unit: 'base' } as const;
    const batch = read({ ratePct: null, volume24hUsdt: null, top });
    assert.equal(batch.bookTops.length, 1);
    assert.deepEqual(batch.rejected, [{ venueSymbol: 'BTC', reason: 'no rate' }]);
  });

  test('the last price stands in for a mark price that is missing, never as one', () => {
    const row = { volume24hUsdt: '5', openInterest: { amount: '3', unit: 'contracts' } } as const;
    const withMark = read({ ...row, markPrice: '100', lastPrice: '50' });
    const without = read({ ...row, markPrice: '', lastPrice: '50' });
    assert.equal(withMark.dayVolumes[0]?.referencePrice, 100);
    assert.equal(withMark.marketFigures[0]?.openInterestUsdt, 3);
    assert.equal(without.dayVolumes[0]?.referencePrice, 50);
    assert.deepEqual(
      [without.marketFigures[0]?.markPrice, without.marketFigures[0]?.openInterestUsdt],
      [null, 1.5],
    );
  });

  test('sizes in contracts come out in base units', () => {
    const top = { bidPrice: '99', bidSize: '200', askPrice: '101', askSize: '', unit: 'contracts' } as const;
    const [found] = read({ top, venueTimeMs: NOW_MS }).bookTops;
    assert.deepEqual([found?.bidSize, found?.askSize, found?.venueTimeMs], [2, null, NOW_MS]);
  });

  test('a reason instead of figures ignores the row', () => {
    assert.deepEqual([...read(ignore('not trading')).ignored], [['not trading', 1]]);
  });
});

suite('replies that are read together', () => {
  test('a poll of two calls counts both weights, names both, and passes both payloads with the newer time', async () => {
    const poll = joinedPoll({
      name: 'marks',
      gives: ['mark price'],
      everySeconds: 30,
      requests: {
        marks: { path: '/marks', weight: 2 },
        interest: { path: '/interest', query: { type: 'all' } },
      },
      parse: (payloads, { receivedAtMs }) => {
        assert.deepEqual([payloads, receivedAtMs], [{ marks: '/marks', interest: '/interest' }, NOW_MS + 5]);
        return emptyBatch();
      },
    });
    assert.deepEqual([poll.weight, poll.call], [3, 'GET /marks, GET /interest?type=all']);
    const send = async ({ path }: VenueRequest) => ({
      payload: path,
      receivedAtMs: path === '/marks' ? NOW_MS + 5 : NOW_MS,
    });
    await poll.collect({ send, contracts: new Map() });
  });

  test('a column by another one; what is no row is left out', () => {
    const column = columnOf([{ s: 'A', oi: '1' }, null, 'x', { s: 'B' }], 's', 'oi');
    assert.deepEqual(
      [...column],
      [
        ['A', '1'],
        ['B', undefined],
      ],
    );
  });
});
