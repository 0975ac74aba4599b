import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { collectGarbage } from '../../../test/support/collect-garbage.ts';
import { fakeContract, fakeVenue } from '../../../test/venues/fake-venue.ts';
import { ManualClock } from '../../base/clock.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { emptyBatch } from '../observations.ts';
import type { BulkPoll, EachPoll } from '../venue.ts';
import { Collector } from './collector.ts';

const EVERY_SECONDS = 5;
const BULK_POLLS = 24;
const CONTRACTS = 4;
const FIRST_LOOK = 3_000;
const LAST_LOOK = 11_000;
/** 8,000 leaked listeners take about 3 MB; the rest of the process moves by some 100 KB. */
const MAX_HEAP_GROWTH_BYTES = 0.8 * 1024 * 1024;

const turn = () => new Promise((resolve) => setImmediate(resolve));

async function heapUsed(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    await collectGarbage();
    await turn();
  }
  return process.memoryUsage().heapUsed;
}

const list = { part: 'all', contracts: Array.from({ length: CONTRACTS }, (_, i) => fakeContract(`C${i}`)) };

const bulk = (name: string): BulkPoll => ({
  kind: 'bulk',
  name,
  gives: ['contracts', 'rate'],
  everySeconds: EVERY_SECONDS,
  weight: 1,
  call: `GET /${name}`,
  collect: async ({ send }) => {
    await send({ path: `/${name}` });
    return { ...emptyBatch(), contractList: list };
  },
});

const each: EachPoll = {
  ...bulk('each'),
  kind: 'each',
  gives: ['interval'],
  applies: () => true,
  collect: async (contract, { send }) => {
    await send({ path: `/each/${contract.venueSymbol}` });
    return emptyBatch();
  },
};

suite('memory of a collector', () => {
  test('listeners, timers and heap are flat between 3,000 and 11,000 polls', async () => {
    const clock = new ManualClock(Date.UTC(2026, 10, 14));
    const signals = new Set<AbortSignal>();
    let calls = 0;
    const collector = new Collector({
      venue: fakeVenue({
        polls: [...Array.from({ length: BULK_POLLS }, (_, i) => bulk(`bulk-${i}`)), each],
        budgets: { rest: { capacity: 1000, windowSeconds: 60 } },
      }),
      http: {
        json: async ({ url, signal }) => {
          calls++;
          // The signals of bulk polls live as long as the collector; each run of the other kind has its own.
          if (signal && url.includes('bulk')) signals.add(signal);
          return { payload: {}, ageMs: 0, receivedBytes: 0 };
        },
        close: async () => undefined,
      },
      clock,
      log: createLog('silent'),
      metrics: createMetrics(),
      simUrl: null,
      accept: () => undefined,
    });
    const look = async () => ({
      signals: signals.size,
      listeners: [...signals].reduce((sum, signal) => sum + getEventListeners(signal, 'abort').length, 0),
      timers: process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length,
      heapBytes: await heapUsed(),
    });
    const pollUntil = async (count: number) => {
      while (calls < count) {
        clock.advanceMs(1000);
        await turn();
      }
      return await look();
    };

    collector.start();
    const first = await pollUntil(FIRST_LOOK);
    const last = await pollUntil(LAST_LOOK);
    const stopped = collector.stop();
    clock.advanceMs(60_000);
    await stopped;

    assert.equal(first.signals, BULK_POLLS);
    assert.equal(last.signals, first.signals);
    assert.ok(last.listeners <= BULK_POLLS, `${last.listeners} listeners on ${last.signals} signals`);
    assert.ok(last.timers <= first.timers, `${first.timers} timers, then ${last.timers}`);
    const growth = last.heapBytes - first.heapBytes;
    assert.ok(growth < MAX_HEAP_GROWTH_BYTES, `the heap has grown by ${growth} bytes`);
  });
});
