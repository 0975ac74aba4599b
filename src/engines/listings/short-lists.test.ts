import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { bulkPoll, fakeContract, fakeVenue } from '../../../test/venues/fake-venue.ts';
import { ManualClock } from '../../base/clock.ts';
import { createHttpClient } from '../../base/http/http-client.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { MarketIntake } from '../../market/intake.ts';
import { LatestMarket } from '../../market/latest.ts';
import { Collector } from '../../venues/collecting/collector.ts';
import { ListingWatch } from './watch.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const ALL = Array.from({ length: 20 }, (_, i) => `C${i}`);

/** A venue whose list is read every five minutes by a collector that feeds the market and the calendar. */
function watched() {
  const clock = new ManualClock(START_MS);
  const [metrics, log, http] = [createMetrics(), createLog('silent'), createHttpClient()];
  const market = new LatestMarket(metrics, log);
  const intake = new MarketIntake(market);
  const watch = new ListingWatch();
  let symbols: readonly string[] = ALL;
  const poll = bulkPoll('list', ['contracts'], 300, () => ({
    contractList: { part: 'all', contracts: symbols.map(fakeContract) },
    fundingQuotes: symbols.map((venueSymbol) => ({
      venueSymbol,
      ratePct: 0.01 + clock.nowMs() / 1e15,
      venueTimeMs: null,
      nextFundingAtMs: null,
      intervalHours: undefined,
    })),
  }));
  const collector = new Collector({
    venue: fakeVenue({ polls: [poll] }),
    http,
    clock,
    log,
    metrics,
    simUrl: null,
    accept: (venue, batch, receivedAtMs) => {
      intake.accept(venue, batch, receivedAtMs);
      if (batch.contractList) watch.takeList(venue.facts.exchange, batch.contractList, receivedAtMs);
    },
  });
  return {
    market,
    close: () => http.close(),
    read: async (listed: readonly string[]) => {
      symbols = listed;
      clock.advanceMs(5 * MINUTE_MS);
      await collector.collectOnce(new AbortController().signal);
      const publication = watch.stage(clock.nowMs());
      if (publication) watch.commit(publication);
      return {
        rows: market.states().length,
        ageMinutes: (symbol: string) => {
          const state = market.states().find(({ contract }) => contract.venueSymbol === symbol);
          return state && (clock.nowMs() - state.rateAtMs) / MINUTE_MS;
        },
        delistings: watch.book.published.filter(({ kind }) => kind === 'delisting').length,
      };
    },
  };
}

suite('a contract list that is 30 % shorter', () => {
  const short = ALL.slice(0, 13);

  test('once or twice: rows stay with their age, and nothing is delisted', async (t) => {
    const { read, close } = watched();
    t.after(close);
    await read(ALL);
    for (const minutes of [5, 10]) {
      const seen = await read(short);
      assert.equal(seen.rows, 20);
      assert.equal(seen.ageMinutes('C19'), minutes, 'the row of a missing contract grows old');
      assert.equal(seen.ageMinutes('C0'), 0, 'the others are updated from the same reply');
    }
    for (let lists = 0; lists < 20; lists++) {
      const { rows, delistings } = await read(ALL);
      assert.deepEqual([rows, delistings], [20, 0]);
    }
  });

  test('a third one confirms it: the rows leave, and after an hour the contracts are delisted', async (t) => {
    const { read, close } = watched();
    t.after(close);
    await read(ALL);
    await read(short);
    await read(short);
    const third = await read(short);
    assert.deepEqual([third.rows, third.delistings], [13, 0]);
    let last = third;
    for (let lists = 0; lists < 13; lists++) last = await read(short);
    assert.equal(last.delistings, 7);
  });

  test('lists that lack other contracts each time delist nothing, however long it lasts', async (t) => {
    const { read, close } = watched();
    t.after(close);
    await read(ALL);
    for (let lists = 0; lists < 40; lists++) {
      const { rows, delistings } = await read(ALL.filter((_, i) => i % 3 !== lists % 3));
      assert.deepEqual([rows, delistings], [20, 0]);
    }
  });
});
