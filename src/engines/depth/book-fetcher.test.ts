import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeContract, fakeVenue } from '../../../test/venues/fake-venue.ts';
import { ManualClock } from '../../base/clock.ts';
import type { HttpClient } from '../../base/http/http-client.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { ContractState } from '../../market/contract-state.ts';
import { Collector } from '../../venues/collecting/collector.ts';
import { type Depth, emptyBatch } from '../../venues/observations.ts';
import type { Venue } from '../../venues/venue.ts';
import { BookFetcher } from './book-fetcher.ts';

type Sides = Pick<Depth, 'bids' | 'asks'>;
type Levels = Sides['bids'];

const START_MS = Date.UTC(2026, 10, 14, 9);
const GOOD: Sides = { bids: [[99, 5]], asks: [[101, 5]] };
const many = (from: number, step: number): Levels =>
  Array.from({ length: 50_000 }, (_, i) => [from + step * i, 1]);

/** What a venue may send instead of a book, by the name of its contract. */
const BAD_BOOKS: Readonly<Record<string, Sides>> = {
  empty: { bids: [], asks: [] },
  'without asks': { ...GOOD, asks: [] },
  crossed: { bids: [[101, 1]], asks: [[99, 1]] },
  'negative size': { ...GOOD, asks: [[101, -5]] },
  'negative price': { ...GOOD, bids: [[-99, 5]] },
  'not a number': { ...GOOD, bids: [[Number.NaN, 5]] },
  infinite: { ...GOOD, asks: [[101, Number.POSITIVE_INFINITY]] },
  unsorted: {
    ...GOOD,
    asks: [
      [101, 1],
      [103, 1],
      [102, 1],
    ],
  },
  'worth more than the world': { ...GOOD, asks: [[101, 1e200]] },
};
/** Odd, but a book. */
const ODD_BOOKS: Readonly<Record<string, Sides>> = {
  'of 100,000 levels': { bids: many(99, -0.001), asks: many(101, 0.001) },
  'with an ask from another world': {
    ...GOOD,
    asks: [
      [101, 5],
      [1e12, 1],
    ],
  },
};

function made(books: Readonly<Record<string, Sides | null>>, exchange: string): Venue {
  const venue = fakeVenue();
  return {
    ...venue,
    facts: { ...venue.facts, exchange },
    depth: async ({ venueSymbol }) => {
      const book = books[venueSymbol];
      if (!book) throw new Error('truncated');
      return { venueSymbol, ...book, venueTimeMs: null };
    },
  };
}

function setUp(venues: readonly Venue[], symbols: readonly (readonly string[])[]) {
  const clock = new ManualClock(START_MS);
  const [log, metrics] = [createLog('silent'), createMetrics()];
  const http: HttpClient = { json: () => assert.fail('no call'), close: async () => {} };
  const collectors = venues.map(
    (venue) => new Collector({ venue, http, clock, log, metrics, simUrl: null, accept: () => {} }),
  );
  const states = venues.flatMap((venue, i) =>
    (symbols[i] ?? []).map((symbol) => {
      const key = `${venue.facts.exchange}/${symbol}`;
      return { key, venue, contract: fakeContract(symbol), top: null, volume24hUsdt: 1 } as ContractState;
    }),
  );
  const fetcher = new BookFetcher({ collectors, clock, metrics });
  return { clock, states, fetcher };
}

suite('books that a venue should not send', () => {
  const goodSymbols = ['a', 'b', 'c'];
  const good = made({ a: GOOD, b: GOOD, c: GOOD }, 'Good');

  test('bad ones have no curve; other contracts and venues are as usual', async () => {
    const books = { ...BAD_BOOKS, ...ODD_BOOKS, 'a good one': GOOD };
    const { fetcher, states, clock } = setUp([made(books, 'Bad'), good], [Object.keys(books), goodSymbols]);
    await fetcher.fetch(states, START_MS + MINUTE_MS);
    const curves = fetcher.curvesAt(clock.nowMs());
    assert.deepEqual(
      [...curves.keys()].sort(),
      [
        ...['a good one', ...Object.keys(ODD_BOOKS)].map((name) => `Bad/${name}`),
        ...goodSymbols.map((symbol) => `Good/${symbol}`),
      ].sort(),
    );
    for (const key of curves.keys()) {
      const asks = curves.get(key)?.curve.asks;
      assert.ok(Math.abs((asks?.costPct(100) ?? 0) - 1) <= 0.02, key);
    }
  });

  test('the same over a stream', () => {
    const bad = made({}, 'Bad');
    const { fetcher, clock } = setUp([bad], []);
    const depths = Object.entries({ ...BAD_BOOKS, good: GOOD }).map(([venueSymbol, book]) => ({
      ...{ venueSymbol, venueTimeMs: null, ...book },
    }));
    fetcher.take(bad, { ...emptyBatch(), depths }, clock.nowMs());
    assert.deepEqual([...fetcher.curvesAt(clock.nowMs()).keys()], ['Bad/good']);
  });

  test('a venue whose replies cannot be read is given up for this time; the others are fetched', async () => {
    const symbols = Array.from({ length: 50 }, (_, i) => `x${i}`);
    let calls = 0;
    const bad: Venue = {
      ...made({}, 'Bad'),
      depth: async () => {
        calls++;
        throw new Error('truncated');
      },
    };
    const { fetcher, states, clock } = setUp([bad, good], [symbols, goodSymbols]);
    await fetcher.fetch(states, START_MS + MINUTE_MS);
    assert.equal(fetcher.curvesAt(clock.nowMs()).size, 3);
    assert.ok(calls >= 5 && calls < 10, `${calls} calls`);
  });

  test('a book that is not renewed gets older, and is forgotten after an hour', async () => {
    const books: Record<string, Sides | null> = { a: GOOD };
    const { fetcher, states, clock } = setUp([made(books, 'Bad')], [['a']]);
    await fetcher.fetch(states, START_MS + MINUTE_MS);
    books.a = null;
    clock.advanceMs(30 * MINUTE_MS);
    await fetcher.fetch(states, clock.nowMs() + MINUTE_MS);
    assert.equal(fetcher.curvesAt(clock.nowMs()).get('Bad/a')?.atMs, START_MS);
    clock.advanceMs(30 * MINUTE_MS + 1);
    assert.equal(fetcher.curvesAt(clock.nowMs()).size, 0);
  });

  test('a clock that is set takes the times of books with it: they neither age nor come from the future', async () => {
    const { fetcher, states, clock } = setUp([good], [goodSymbols]);
    await fetcher.fetch(states, START_MS + MINUTE_MS);
    for (const byMs of [5 * HOUR_MS, -48 * HOUR_MS]) {
      clock.setMs(clock.nowMs() + byMs);
      fetcher.shiftTimes(byMs);
      const ages = [...fetcher.curvesAt(clock.nowMs()).values()].map(({ atMs }) => clock.nowMs() - atMs);
      assert.deepEqual(ages, [0, 0, 0]);
    }
  });
});
