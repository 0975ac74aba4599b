import assert from 'node:assert/strict';
import { afterEach, suite, test } from 'node:test';
import { setImmediate as loopTurn } from 'node:timers/promises';
import { until } from '../../../test/support/until.ts';
import { bulkPoll, fakeContract, fakeVenue } from '../../../test/venues/fake-venue.ts';
import { ManualClock } from '../../base/clock.ts';
import { createHttpClient } from '../../base/http/http-client.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { hasSpoken } from '../health.ts';
import { type Batch, emptyBatch } from '../observations.ts';
import { ignore, NOT_LISTED } from '../reading.ts';
import type { CollectContext, EachPoll, Poll } from '../venue.ts';
import { Collector } from './collector.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const NOT_LISTED_REASON = NOT_LISTED.slice(ignore('').length);
const contractsOf = (...symbols: string[]): Partial<Batch> => ({
  contractList: { part: 'all', contracts: symbols.map(fakeContract) },
});

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

function stage(polls: readonly Poll[], volumes: Record<string, number> = {}) {
  const clock = new ManualClock(START_MS);
  const http = createHttpClient();
  const metrics = createMetrics();
  const accepted: Batch[] = [];
  const collector = new Collector({
    venue: fakeVenue({ polls }),
    http,
    clock,
    log: createLog('silent'),
    metrics,
    simUrl: null,
    accept: (_venue, batch) => accepted.push(batch),
    volumeOf: (_venue, symbol) => volumes[symbol] ?? 0,
  });
  stops.push(async () => {
    const stopped = collector.stop();
    clock.advanceMs(600_000);
    await stopped;
    await http.close();
  });
  const once = () => collector.collectOnce(new AbortController().signal);
  return { clock, collector, accepted, metrics, once };
}

suite('the first round of a venue with two contract lists', () => {
  const listOf = (part: string, symbol: string): Partial<Batch> => ({
    contractList: { part, contracts: [fakeContract(symbol)] },
  });
  const twoLists = (second: () => Partial<Batch> | Promise<Partial<Batch>>) => {
    const seen: string[][] = [];
    const rates = bulkPoll('rates', ['rate'], 15, () => ({}));
    const staged = stage([
      bulkPoll('linear list', ['contracts'], 300, () => listOf('linear', 'A')),
      bulkPoll('inverse list', ['contracts'], 300, second),
      {
        ...rates,
        collect: async (context: CollectContext) => {
          seen.push([...context.contracts.keys()]);
          return await rates.collect(context);
        },
      },
    ]);
    return { ...staged, seen };
  };

  test('rates are read when every list has come, so that no row is dropped', async () => {
    const late = Promise.withResolvers<Partial<Batch>>();
    const { collector, clock, seen } = twoLists(() => late.promise);
    collector.start();
    await until(() => collector.contracts.size === 1);
    for (let i = 0; i < 5; i++) {
      clock.advanceMs(500);
      await loopTurn();
    }
    assert.deepEqual(seen, []);
    assert.ok(!hasSpoken(collector.health()));
    late.resolve(listOf('inverse', 'B'));
    await until(() => {
      clock.advanceMs(500);
      return seen.length > 0;
    });
    assert.deepEqual(seen[0], ['A', 'B']);
    await until(() => hasSpoken(collector.health()));
  });

  test('a list that fails does not hold up the rates of the others, and is tried again soon', async () => {
    let tries = 0;
    const { collector, clock, seen } = twoLists(() => {
      tries++;
      throw new Error('unavailable');
    });
    collector.start();
    await until(() => {
      clock.advanceMs(500);
      return seen.length > 0;
    });
    assert.deepEqual(seen[0], ['A']);
    const failedAtMs = clock.nowMs();
    await until(() => {
      if (tries < 2) clock.advanceMs(500);
      return tries >= 2;
    });
    assert.ok(clock.nowMs() - failedAtMs <= 20_000, 'long before the five minutes of a list');
  });

  test('lists that were stored before a restart serve until the own ones come', async () => {
    const late = Promise.withResolvers<Partial<Batch>>();
    const { collector, clock, seen } = twoLists(() => late.promise);
    collector.remember([
      { part: 'linear', contracts: [fakeContract('A')] },
      { part: 'inverse', contracts: [fakeContract('B')] },
    ]);
    collector.start();
    await until(() => {
      clock.advanceMs(500);
      return seen.length > 0;
    });
    assert.deepEqual(seen[0]?.toSorted(), ['A', 'B']);
    late.resolve(listOf('inverse', 'B'));
  });
});

suite('a symbol that no list has', () => {
  function watching(unknown = 1) {
    const counts = { lists: 0, rates: 0, unknown };
    const staged = stage([
      bulkPoll('list', ['contracts'], 300, () => {
        counts.lists++;
        return contractsOf('A', 'B');
      }),
      bulkPoll('rates', ['rate'], 15, () => {
        counts.rates++;
        return counts.unknown === 0 ? {} : { ignored: new Map([[NOT_LISTED_REASON, counts.unknown]]) };
      }),
    ]);
    staged.collector.start();
    /** Advances the clock to the next run of the rates. */
    const nextRates = async () => {
      const before = counts.rates;
      await until(() => {
        if (counts.rates === before) staged.clock.advanceMs(1000);
        return counts.rates > before;
      });
    };
    return { ...staged, counts, nextRates };
  }

  test('the first one where a reply usually has none (BingX, Bybit, OKX): the list is read again at once', async () => {
    const { counts, nextRates } = watching(0);
    await until(() => counts.lists === 1);
    await nextRates();
    counts.unknown = 1;
    await nextRates();
    await until(() => counts.lists === 2);
  });

  test('a count that went back to none and grows again hurries the list again', async () => {
    const { counts, nextRates, clock } = watching(0);
    await until(() => counts.lists === 1);
    await nextRates();
    counts.unknown = 1;
    await nextRates();
    await until(() => counts.lists === 2);
    counts.unknown = 0;
    clock.advanceMs(60_000);
    await nextRates();
    const listsBefore = counts.lists;
    counts.unknown = 1;
    await nextRates();
    await until(() => counts.lists > listsBefore);
  });

  test('more of them than before: the list is read again at once, not after five minutes', async () => {
    const { counts, nextRates, clock } = watching();
    await until(() => counts.lists === 1);
    await nextRates();
    await nextRates();
    assert.equal(counts.lists, 1, 'dated futures are always there and hurry nothing');
    counts.unknown = 2;
    await nextRates();
    await until(() => counts.lists === 2);
    assert.ok(clock.nowMs() - START_MS < 290_000, 'long before its turn');
  });

  test('at most once a minute, however many symbols come', async () => {
    const { counts, nextRates } = watching();
    await until(() => counts.lists === 1);
    await nextRates();
    for (let more = 2; more <= 4; more++) {
      counts.unknown = more;
      await nextRates();
    }
    await until(() => counts.lists === 2);
    assert.equal(counts.lists, 2);
  });

  test('what came in the minute after a list was read again is not forgotten: the list is read once more', async () => {
    const { counts, nextRates, clock } = watching(0);
    await until(() => counts.lists === 1);
    await nextRates();
    counts.unknown = 1;
    await nextRates();
    await until(() => counts.lists === 2);
    counts.unknown = 2;
    while (clock.nowMs() - START_MS < 150_000) await nextRates();
    await until(() => counts.lists === 3);
  });
});

suite('a failure affects only its own source', () => {
  test('one poll fails: its cause is reported, the others continue', async () => {
    const { once, collector, accepted } = stage([
      bulkPoll('list', ['contracts'], 300, () => contractsOf('A')),
      bulkPoll('rates', ['rate'], 15, () => {
        throw new Error('HTTP 500: oops');
      }),
      bulkPoll('tickers', ['volume'], 15, () => ({
        dayVolumes: [{ venueSymbol: 'A', volume24hUsdt: 5, referencePrice: null }],
      })),
    ]);
    await once();
    const [list, rates, tickers] = collector.health().sources;
    assert.equal(list?.lastGoodAtMs, START_MS);
    assert.deepEqual([rates?.failuresInARow, rates?.lastFailure], [1, 'HTTP 500: oops']);
    assert.equal(tickers?.lastGoodAtMs, START_MS);
    assert.equal(accepted.filter((batch) => batch.dayVolumes.length === 1).length, 1);
  });

  test('a poll that keeps failing runs less often, and metrics report its open circuit', async () => {
    let calls = 0;
    const { collector, clock, metrics } = stage([
      bulkPoll('list', ['contracts'], 5, () => {
        calls++;
        throw new Error('down');
      }),
    ]);
    collector.start();
    for (let second = 0; second < 600; second++) {
      clock.advanceMs(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(calls >= 5 && calls < 20, `${calls} calls in ten minutes instead of 120`);
    assert.match(await metrics.registry.metrics(), /venue_circuit_open\{venue="fake",poll="list"\} 1/);
  });

  test('a list that is suddenly short is a failure and loses no contract', async () => {
    let symbols = ['A', 'B', 'C', 'D', 'E'];
    const { once, collector, accepted } = stage([
      bulkPoll('list', ['contracts'], 300, () => contractsOf(...symbols)),
    ]);
    await once();
    symbols = ['A'];
    await once();
    assert.equal(collector.contracts.size, 5);
    assert.match(collector.health().sources[0]?.lastFailure ?? '', /has 1 contracts, it had 5/);
    assert.equal(accepted.length, 1, 'the short list is passed on to no one');
  });

  test('bad rows and out-of-scope rows are counted by reason, in health and metrics', async () => {
    const { once, collector, metrics } = stage([
      bulkPoll('list', ['contracts'], 300, () => ({
        ...contractsOf('A'),
        rejected: [
          { venueSymbol: 'X', reason: 'no price' },
          { venueSymbol: 'Y', reason: 'no price' },
        ],
        ignored: new Map([['dated future', 3]]),
      })),
    ]);
    await once();
    assert.deepEqual(collector.health().rejected, { 'no price': 2 });
    assert.deepEqual(collector.health().ignored, { 'dated future': 3 });
    const text = await metrics.registry.metrics();
    assert.match(text, /venue_rows_rejected_total\{venue="fake",reason="no price"\} 2/);
    assert.match(text, /venue_rows_ignored_total\{venue="fake",reason="dated future"\} 3/);
  });
});

suite('contract by contract', () => {
  const symbols = Array.from({ length: 30 }, (_, i) => `C${i}`);
  function each(collect: (symbol: string) => void): EachPoll {
    return {
      kind: 'each',
      name: 'one by one',
      gives: ['rate'],
      everySeconds: 60,
      weight: 1,
      call: 'GET /one',
      applies: () => true,
      collect: async (contract) => {
        collect(contract.venueSymbol);
        return emptyBatch();
      },
    };
  }
  const list = bulkPoll('list', ['contracts'], 300, () => contractsOf(...symbols));

  test('the most traded contracts come first, and none is left out', async () => {
    const requested: string[] = [];
    const volumes = Object.fromEntries(symbols.map((symbol, i) => [symbol, i]));
    const { once } = stage([list, each((symbol) => requested.push(symbol))], volumes);
    await once();
    assert.deepEqual(requested.slice(0, 4), ['C29', 'C28', 'C27', 'C26']);
    assert.equal(new Set(requested).size, 30);
  });

  test('one that fails does not stop the others', async () => {
    const requested: string[] = [];
    const { once, collector } = stage([
      list,
      each((symbol) => {
        requested.push(symbol);
        if (symbol === 'C3') throw new Error('delisted meanwhile');
      }),
    ]);
    await once();
    assert.equal(requested.length, 30);
    assert.equal(collector.health().sources[1]?.failuresInARow, 0);
  });

  test('ten failures in a row are the venue’s, not the contracts’: the run ends', async () => {
    let calls = 0;
    const { once, collector } = stage([
      list,
      each(() => {
        calls++;
        throw new Error('HTTP 503');
      }),
    ]);
    await once();
    assert.ok(calls < 20, `${calls} calls`);
    assert.equal(collector.health().sources[1]?.lastFailure, 'HTTP 503');
  });

  test('a run that gives up stops every worker and ends after the last of them', async () => {
    const started: string[] = [];
    const slow = Promise.withResolvers<void>();
    const poll: EachPoll = {
      ...each(() => undefined),
      collect: async ({ venueSymbol }) => {
        started.push(venueSymbol);
        if (venueSymbol !== 'C0') throw new Error('HTTP 503');
        await slow.promise;
        return emptyBatch();
      },
    };
    const { once } = stage([list, poll]);
    let hasEnded = false;
    const run = once().then(() => {
      hasEnded = true;
    });
    await until(() => started.length >= 11);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(hasEnded, false, 'the worker of C0 is still busy');
    const startedBefore = started.length;
    slow.resolve();
    await run;
    assert.equal(started.length, startedBefore, 'no worker starts another contract');
  });
});

suite('a poll that follows settlements', () => {
  const SETTLES_MS = START_MS + 30 * 60_000;
  const HOUR_MS = 3_600_000;
  const follow = (nextAt: (nowMs: number) => number) => {
    const readAt: number[] = [];
    const staged = stage([
      {
        ...bulkPoll('list', ['contracts'], 240, () => {
          readAt.push(staged.clock.nowMs());
          const nextFundingAtMs = nextAt(staged.clock.nowMs());
          return {
            ...contractsOf('A'),
            fundingSchedules: [{ venueSymbol: 'A', intervalHours: 1, nextFundingAtMs }],
          };
        }),
        followsSettlements: true,
      },
    ]);
    const run = async (untilMs: number) => {
      staged.collector.start();
      while (staged.clock.nowMs() < untilMs) {
        await new Promise((resolve) => setImmediate(resolve));
        staged.clock.advanceMs(1000);
      }
      return readAt;
    };
    return { run };
  };

  test('is read every 240 s, and within five seconds after the settlement that it announced', async () => {
    const { run } = follow((nowMs) => (nowMs < SETTLES_MS ? SETTLES_MS : SETTLES_MS + HOUR_MS));
    const readAt = await run(SETTLES_MS + 60_000);
    assert.equal(readAt.filter((atMs) => atMs < SETTLES_MS).length, 8, 'half an hour, every four minutes');
    const after = readAt.filter((atMs) => atMs >= SETTLES_MS);
    assert.equal(after.length, 1);
    assert.ok((after[0] as number) - SETTLES_MS <= 5000);
  });

  test('is read again until the venue shows the next settlement, but not for a time that is stuck', async () => {
    const late = follow((nowMs) => (nowMs < SETTLES_MS + 10_000 ? SETTLES_MS : SETTLES_MS + HOUR_MS));
    const after = (await late.run(SETTLES_MS + 60_000)).filter((atMs) => atMs >= SETTLES_MS);
    assert.ok(after.length >= 3 && after.length <= 5, `${after.length} calls until the venue moved on`);
    const stuck = follow(() => START_MS - 26 * HOUR_MS);
    assert.ok((await stuck.run(START_MS + 720_000)).length <= 4, 'no more often than every four minutes');
  });
});
