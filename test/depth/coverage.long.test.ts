import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ManualClock } from '../../src/base/clock.ts';
import type { HttpClient } from '../../src/base/http/http-client.ts';
import { NO_SHEDDING } from '../../src/base/load.ts';
import { createLog } from '../../src/base/log.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { PRIORITY, type RequestBudget } from '../../src/base/request-budget.ts';
import { MINUTE_MS, SECOND_MS } from '../../src/base/times.ts';
import { isSampled, OrderBooks } from '../../src/engines/depth/order-books.ts';
import type { ContractState } from '../../src/market/contract-state.ts';
import { Collector } from '../../src/venues/collecting/collector.ts';
import { type Batch, type Contract, type Depth, emptyBatch } from '../../src/venues/observations.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { Poll, Venue } from '../../src/venues/venue.ts';
import { collectOnce, runService } from '../support/service.ts';

const START_MS = Date.UTC(2026, 10, 14, 9);
const COINS = 350;
const WARM_UP_MINUTES = 12;
const WATCHED_MINUTES = 6;
const LATENCY_MS = 150;
const STEP_MS = 50;
const LARGE_USD = 1e6;
const YOUNG_MS = 5 * MINUTE_MS;

/**
 * The contracts, volumes and tops of all simulated venues, and their real request budgets, which polls use too. Only the
 * clock is moved by the test and replies are empty after a usual latency, so the figure does not depend on the machine.
 */
suite('how old books are at the real budgets of all venues', () => {
  test('at least 95 % of contracts with 1 M USD a day have a book younger than five minutes', async (t) => {
    const states = (await simulatedStates()).filter(({ venue }) => venue.facts.noBook === undefined);
    const clock = new ManualClock(START_MS);
    const [log, metrics] = [createLog('silent'), createMetrics()];
    const http: HttpClient = {
      json: async () => {
        await clock.sleep(LATENCY_MS);
        return { payload: {}, ageMs: 0, receivedBytes: 2 };
      },
      close: async () => {},
    };
    const venueOf = new Map(VENUES.map((venue) => [venue, withOwnBooks(venue)]));
    const sharedBudgets = new Map<string, RequestBudget>();
    const collectors = [...venueOf.values()].map(
      (venue) =>
        new Collector({ venue, http, clock, log, metrics, sharedBudgets, simUrl: null, accept: () => {} }),
    );
    const watched = states.map((state) => ({ ...state, venue: venueOf.get(state.venue) as Venue }));
    const market = { states: () => watched };
    const streamed = streamedBooks(watched);
    const stop = new AbortController();
    for (const collector of collectors) {
      const contracts = states
        .filter(({ venue }) => venueOf.get(venue) === collector.venue)
        .map(({ contract }) => contract);
      for (const poll of collector.venue.polls) void pollOn(collector, poll, contracts, clock, stop.signal);
    }
    const books = new OrderBooks({ collectors, market, load: NO_SHEDDING, clock, log, metrics });
    books.start();

    const shares = new Map<string, { young: number; all: number; periodMs: number }>();
    for (let minute = 0; minute < WARM_UP_MINUTES + WATCHED_MINUTES; minute++) {
      for (let passedMs = 0; passedMs < MINUTE_MS; passedMs += STEP_MS) {
        // Books of streams come all the time.
        if (passedMs % (5 * SECOND_MS) === 0)
          for (const [venue, batch] of streamed) books.take(venue, batch, clock.nowMs());
        clock.advanceMs(STEP_MS);
        for (let turn = 0; turn < 3; turn++) await setImmediate();
      }
      if (minute < WARM_UP_MINUTES) continue;
      const curves = books.curvesAt(clock.nowMs());
      for (const state of states.filter((one) => isSampled(one) && (one.volume24hUsdt ?? 0) >= LARGE_USD)) {
        const { exchange } = state.venue.facts;
        const share = shares.get(exchange) ?? { young: 0, all: 0, periodMs: Number.POSITIVE_INFINITY };
        shares.set(exchange, share);
        const dated = curves.get(state.key);
        share.all++;
        if (dated && clock.nowMs() - dated.atMs < YOUNG_MS) share.young++;
        share.periodMs = Math.min(share.periodMs, dated?.periodMs ?? Number.POSITIVE_INFINITY);
      }
    }
    stop.abort();
    const stopping = books.stop();
    clock.advanceMs(2 * MINUTE_MS);
    await stopping;

    let [young, all] = [0, 0];
    for (const [exchange, share] of [...shares].sort(([a], [b]) => a.localeCompare(b))) {
      const periodSeconds = Math.round(share.periodMs / SECOND_MS);
      t.diagnostic(`${exchange}: ${percent(share.young / share.all)}, every ${periodSeconds} s`);
      young += share.young;
      all += share.all;
    }
    t.diagnostic(`all venues: ${percent(young / all)} of ${all / WATCHED_MINUTES} contracts`);
    assert.ok(all / WATCHED_MINUTES > 1000, `${all} looked at`);
    assert.ok(young / all >= 0.95, percent(young / all));
  });
});

async function simulatedStates(): Promise<ContractState[]> {
  const clock = new ManualClock(START_MS);
  const venues = VENUES.map(({ slug }) => slug);
  const running = await runService({ venues, coins: COINS, clock, pushEveryMs: 3000 });
  try {
    await collectOnce(running);
    return running.service.context.market.states().map((state) => ({ ...state }));
  } finally {
    await running.stop();
  }
}

/** The venue's own requests with their weights and budgets; whatever they return, the book is this one. */
function withOwnBooks(venue: Venue): Venue {
  const { depth } = venue;
  if (!depth) return venue;
  return {
    ...venue,
    depth: async (contract, context) => {
      await ignoringReply(() => depth(contract, context));
      return { venueSymbol: contract.venueSymbol, bids: [[99.9, 1]], asks: [[100.1, 1]], venueTimeMs: null };
    },
  };
}

/** Polls again and again at the priority of live calls, as a collector does. */
async function pollOn(
  { caller }: Collector,
  poll: Poll,
  contracts: readonly Contract[],
  clock: ManualClock,
  signal: AbortSignal,
): Promise<void> {
  const context = {
    send: caller.sender(PRIORITY.live, signal),
    contracts: new Map(contracts.map((contract) => [contract.venueSymbol, contract])),
  };
  const applying = poll.kind === 'each' ? contracts.filter((contract) => poll.applies(contract)) : [];
  const calls =
    poll.kind === 'each'
      ? applying.map((one) => () => poll.collect(one, context))
      : [() => poll.collect(context)];
  while (!signal.aborted && calls.length > 0)
    for (const call of calls) {
      await ignoringReply(call);
      await clock.sleep((poll.everySeconds * SECOND_MS) / calls.length, signal);
    }
}

/** An empty reply cannot be read, which does not matter here. */
async function ignoringReply(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch {}
}

/** One message of each venue that streams books, with all of its contracts. */
function streamedBooks(states: readonly ContractState[]): Map<Venue, Batch> {
  const streaming = states.filter(({ venue }) => venue.streams.some(({ gives }) => gives.includes('books')));
  const batches = new Map<Venue, Batch>();
  for (const [venue, ofVenue] of Map.groupBy(streaming, (state) => state.venue)) {
    const depths = ofVenue.map(
      ({ contract: { venueSymbol } }): Depth => ({
        ...{ venueSymbol, venueTimeMs: null },
        ...{ bids: [[99.9, 1]], asks: [[100.1, 1]] },
      }),
    );
    batches.set(venue, { ...emptyBatch(), depths });
  }
  return batches;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
