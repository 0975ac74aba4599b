import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '../../src/base/clock.ts';
import { createHttpClient } from '../../src/base/http/http-client.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { PRIORITY } from '../../src/base/request-budget.ts';
import { BookFetcher } from '../../src/engines/depth/book-fetcher.ts';
import { LatestMarket } from '../../src/market/latest.ts';
import { Collector } from '../../src/venues/collecting/collector.ts';
import { type Depth, emptyBatch } from '../../src/venues/observations.ts';
import type { Venue } from '../../src/venues/venue.ts';
import { until } from '../support/until.ts';
import { type Answering, answering, fakeContract, fakeVenue } from '../venues/fake-venue.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const MINUTE_MS = 60_000;
const http = createHttpClient();
const servers: Answering[] = [];
after(async () => {
  await http.close();
  for (const server of servers) await server.close();
});

interface Made {
  symbol: string;
  volume24hUsdt: number;
  /** Size of both sides of the top in coins, at a price of about 100. */
  topSize: number | null;
}

type Reply = Parameters<typeof answering>[number];
const good: Reply = (response) => response.end('{}');

/** One venue behind a real server, with a real budget, and its contracts in the market. */
async function stage(contracts: readonly Made[], given: { reply?: Reply; capacity?: number } = {}) {
  const { reply = good, capacity = 1000 } = given;
  const server = await answering(reply);
  servers.push(server);
  const clock = new ManualClock(START_MS);
  const venue: Venue = fakeVenue({
    hosts: { rest: server.url },
    budgets: { rest: { capacity, windowSeconds: 60 } },
    depth: async (contract, { send }) => {
      await send({ path: `/book/${contract.venueSymbol}` });
      return bookOf(contract.venueSymbol);
    },
  });
  const [metrics, log] = [createMetrics(), createLog('silent')];
  const collector = new Collector({ venue, http, clock, log, metrics, simUrl: null, accept: () => {} });
  const market = new LatestMarket(metrics, log);
  const batch = emptyBatch();
  for (const { symbol, volume24hUsdt, topSize } of contracts) {
    const size = { bidSize: topSize, askSize: topSize };
    batch.bookTops.push({ venueSymbol: symbol, bidPrice: 99.9, askPrice: 100.1, ...size, venueTimeMs: null });
    batch.dayVolumes.push({ venueSymbol: symbol, volume24hUsdt, referencePrice: null });
  }
  const listed = contracts.map(({ symbol }) => fakeContract(symbol));
  batch.contractList = { part: 'all', contracts: listed };
  market.accept(venue, batch, START_MS, new Map(listed.map((one) => [one.venueSymbol, one])));
  const books = new BookFetcher({ clock, collectors: [collector], metrics });
  return {
    books,
    clock,
    collector,
    requested: () => server.requests.map(({ url }) => url),
    /** The clock moves only when the test moves it. */
    fetch: (forMs = 30_000, kind = {}) => books.fetch(market.states(), clock.nowMs() + forMs, kind),
    fetched: async (outcome: string) =>
      (await metrics.depthBooks.get()).values.find((one) => one.labels.outcome === outcome)?.value ?? 0,
    periodMsOf: (symbol: string) => books.curvesAt(clock.nowMs()).get(`Fake/${symbol}`)?.periodMs ?? 0,
    stream: (symbol: string) =>
      books.take(venue, { ...emptyBatch(), depths: [bookOf(symbol)] }, clock.nowMs()),
  };
}

function bookOf(venueSymbol: string): Depth {
  return { venueSymbol, bids: [[99.9, 10]], asks: [[100.1, 10]], venueTimeMs: null };
}

const thin = (count: number): Made[] =>
  Array.from({ length: count }, (_, i) => ({ symbol: `T${i}`, volume24hUsdt: 1000 * (i + 1), topSize: 1 }));

suite('which books are fetched', () => {
  test('for a sample all whose top is smaller than 500 USD or has no size, and others when they are due', async () => {
    const { fetch, requested, clock } = await stage([
      { symbol: 'DEEP', volume24hUsdt: 1, topSize: 5.1 },
      { symbol: 'THIN', volume24hUsdt: 3, topSize: 4.9 },
      { symbol: 'SIZELESS', volume24hUsdt: 2, topSize: null },
    ]);
    await fetch();
    assert.deepEqual(requested().splice(0).sort(), ['/book/DEEP', '/book/SIZELESS', '/book/THIN']);
    clock.advanceMs(MINUTE_MS);
    await fetch();
    assert.deepEqual(requested().slice(3).sort(), ['/book/SIZELESS', '/book/THIN']);
  });

  test('a third every minute, traded contracts every five, those without trades every thirty', async () => {
    const volumes = [900, 800, 700, 600, 0, 0];
    const made = volumes.map((volume24hUsdt, i) => ({ symbol: `T${i}`, volume24hUsdt, topSize: 10 }));
    const { fetch, requested, clock, periodMsOf } = await stage(made);
    const fetches = new Map<string, number>();
    let seen = 0;
    for (let minute = 0; minute <= 30; minute++) {
      await fetch(30_000, { isForCurves: true });
      for (const url of requested().slice(seen)) fetches.set(url, (fetches.get(url) ?? 0) + 1);
      seen = requested().length;
      clock.advanceMs(MINUTE_MS);
    }
    assert.deepEqual(
      made.map(({ symbol }) => fetches.get(`/book/${symbol}`)),
      [31, 31, 7, 7, 2, 2],
    );
    const minutes = made.map(({ symbol }) => periodMsOf(symbol) / MINUTE_MS);
    assert.deepEqual(minutes, [1, 1, 5, 5, 30, 30]);
  });

  test('books that a sample needs are fetched once, just before it', async () => {
    const { fetch, requested } = await stage([
      { symbol: 'DEEP', volume24hUsdt: 1, topSize: 10 },
      { symbol: 'THIN', volume24hUsdt: 3, topSize: 1 },
    ]);
    await fetch(30_000, { isForCurves: true });
    assert.deepEqual(requested(), ['/book/DEEP']);
    await fetch();
    assert.deepEqual(requested(), ['/book/DEEP', '/book/THIN']);
  });

  test('not where a stream delivers the book, until the stream stops', async () => {
    const { fetch, requested, stream, books, clock } = await stage(thin(2));
    stream('T0');
    await fetch();
    assert.deepEqual(requested(), ['/book/T1']);
    assert.deepEqual(books.bookOf('Fake/T0', clock.nowMs(), MINUTE_MS), bookOf('T0'));
    clock.advanceMs(11_000);
    assert.deepEqual(books.bookOf('Fake/T0', clock.nowMs(), MINUTE_MS), bookOf('T0'), 'still fresh');
    await fetch();
    assert.deepEqual(requested().slice(1).sort(), ['/book/T0', '/book/T1']);
    clock.advanceMs(MINUTE_MS + 1);
    assert.equal(books.bookOf('Fake/T0', clock.nowMs(), MINUTE_MS), null, 'too old');
  });

  test('a book that a cache has held for 40 s is 40 s old', async () => {
    const { fetch, books, clock } = await stage(thin(1), {
      reply: (response) => response.writeHead(200, { age: '40' }).end('{}'),
    });
    await fetch();
    assert.equal(books.bookOf('Fake/T0', clock.nowMs(), 39_000), null);
    assert.deepEqual(books.bookOf('Fake/T0', clock.nowMs(), 41_000), bookOf('T0'));
  });

  test('a book is fetched again for the next minute', async () => {
    const { fetch, requested } = await stage(thin(1));
    await fetch();
    await fetch();
    assert.deepEqual(requested(), ['/book/T0', '/book/T0']);
  });
});

suite('in which order, and within which budget', () => {
  test('the most traded contracts first', async () => {
    const { fetch, requested } = await stage(thin(12));
    await fetch();
    const ranks = requested().map((url) => 11 - Number(url.slice('/book/T'.length)));
    assert.equal(ranks.length, 12);
    // Four requests run concurrently, so at most three can overtake one.
    for (const [place, rank] of ranks.entries())
      assert.ok(ranks.slice(0, place).filter((before) => before > rank).length <= 3, `${ranks}`);
  });

  test('never more than the budget leaves after live calls; the least traded get none', async () => {
    const { fetch, requested, fetched, books, clock } = await stage(thin(30), { capacity: 20 });
    const fetching = fetch();
    // 30 % of the window is for live calls only.
    await until(async () => (await fetched('good')) === 14, '14 books');
    clock.advanceMs(30_000);
    await fetching;
    assert.equal(requested().length, 14);
    for (let i = 0; i < 30; i++)
      assert.equal(books.bookOf(`Fake/T${i}`, clock.nowMs(), MINUTE_MS) !== null, i >= 30 - 14, `T${i}`);
    assert.equal(await fetched('failed'), 0, 'running out of time does not count as a failure');
  });

  test('a venue whose budget cannot carry it gets longer periods, in which every contract has its turn', async () => {
    const made = thin(30).map((one) => ({ ...one, topSize: 10 }));
    // 7 calls a minute, where 10 + 20 / 5 are due.
    const { fetch, fetched, clock, books, periodMsOf } = await stage(made, { capacity: 10 });
    const half = async (kind: object) => {
      let isDone = false;
      const fetching = fetch(29_500, kind).then(() => {
        isDone = true;
      });
      for (let waited = 0; waited < 30; waited++) {
        for (let turn = 0; turn < 20 && !isDone; turn++) await setImmediate();
        clock.advanceMs(1000);
      }
      await fetching;
    };
    for (let minute = 0; minute < 60; minute++) {
      await half({ isForCurves: true });
      await half({});
    }
    assert.ok((await fetched('good')) <= 60 * 7 + 7);
    const periodsMs = made.map(({ symbol }) => periodMsOf(symbol));
    const [longest, shortest] = [Math.max(...periodsMs), Math.min(...periodsMs)];
    assert.ok(Math.abs(longest / shortest - 5) < 1e-9, 'all periods grow alike');
    assert.ok(shortest > 1.5 * MINUTE_MS && shortest < 3.5 * MINUTE_MS, `${shortest} ms`);
    const ages = made.map(
      ({ symbol }) => clock.nowMs() - (books.curvesAt(clock.nowMs()).get(`Fake/${symbol}`)?.atMs ?? 0),
    );
    for (const [i, ageMs] of ages.entries())
      assert.ok(ageMs < 1.6 * (periodsMs[i] as number), `T${i}: ${ageMs} ms`);
  });

  test('spread fetching starts with the venue that has most books, and with the others in the first third of the time', async () => {
    const clock = new ManualClock(START_MS);
    const [metrics, log] = [createMetrics(), createLog('silent')];
    const market = new LatestMarket(metrics, log);
    const calls: { slug: string; afterMs: number }[] = [];
    const collectors = [1, 3, 2].map((count) => {
      const slug = `fake-${count}`;
      const venue: Venue = fakeVenue({
        slug,
        depth: async (contract) => {
          calls.push({ slug, afterMs: clock.nowMs() - START_MS });
          return bookOf(contract.venueSymbol);
        },
      });
      const listed = Array.from({ length: count }, (_, i) => fakeContract(`T${i}`));
      const batch = { ...emptyBatch(), contractList: { part: 'all', contracts: listed } };
      market.accept(venue, batch, START_MS, new Map(listed.map((one) => [one.venueSymbol, one])));
      return new Collector({ venue, http, clock, log, metrics, simUrl: null, accept: () => {} });
    });
    const books = new BookFetcher({ clock, collectors, metrics });
    const fetching = books.fetch(market.states(), START_MS + 27_000, { isSpread: true });
    for (const done of [3, 5]) {
      await until(() => calls.length === done);
      clock.advanceMs(3000);
    }
    await fetching;
    const expected = { 'fake-3': 0, 'fake-2': 3000, 'fake-1': 6000 };
    assert.deepEqual(Object.fromEntries(calls.map(({ slug, afterMs }) => [slug, afterMs])), expected);
  });

  test('no call starts when the time is already up', async () => {
    const { fetch, collector } = await stage(thin(5));
    await fetch(0);
    assert.equal(collector.caller.callsPerMinute, 0);
  });

  test('a live call never waits for books', async () => {
    const { fetch, requested, fetched, collector, clock } = await stage(thin(30), { capacity: 20 });
    const fetching = fetch();
    await until(async () => (await fetched('good')) === 14, '14 books');
    const live = collector.caller.sender(PRIORITY.live);
    for (let i = 0; i < 6; i++) await live({ path: '/live' });
    clock.advanceMs(30_000);
    await fetching;
    assert.deepEqual(requested().slice(14), Array(6).fill('/live'));
  });

  test('after five failures in a row a venue is skipped until the next minute', async () => {
    const { fetch, requested, fetched } = await stage(thin(30), {
      reply: (response) => response.writeHead(400).end('{}'),
    });
    await fetch();
    // Three more requests may have been running when the fifth failed.
    assert.ok(requested().length >= 5 && requested().length <= 8, `${requested().length} calls`);
    assert.equal(await fetched('failed'), requested().length);
    await fetch();
    assert.ok(requested().length >= 10, 'requested again in the next minute');
  });

  test('a 429 with Retry-After stops all further requests to the venue', async () => {
    const { fetch, requested, fetched, clock } = await stage(thin(30), {
      reply: (response) => response.writeHead(429, { 'retry-after': '60' }).end('{}'),
    });
    const fetching = fetch();
    await until(async () => (await fetched('failed')) === 4, 'the refusals');
    clock.advanceMs(30_000);
    await fetching;
    assert.equal(requested().length, 4, 'only those that were already running');
  });
});
