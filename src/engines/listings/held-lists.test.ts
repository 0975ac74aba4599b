import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Universe } from '../../../sim/contracts.ts';
import { SIM_VENUES } from '../../../sim/venues/registry.ts';
import { viewAt } from '../../../sim/view.ts';
import { sendToSim } from '../../../test/support/observe.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../base/times.ts';
import { type Batch, type Contract, emptyBatch } from '../../venues/observations.ts';
import { VENUES } from '../../venues/registry.ts';
import type { SendRequest, Venue } from '../../venues/venue.ts';
import { HeldLists } from './held-lists.ts';
import { ListingWatch } from './watch.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9, 7);
const universe = new Universe(29, 2);

/** Everything that the venue sends at that time by our clock, lists first, while its own clock is off. */
async function batchesOf(venue: Venue, atMs: number, skewMs: number): Promise<Batch[]> {
  const sim = SIM_VENUES.find(({ profile }) => profile.slug === venue.slug);
  assert.ok(sim, venue.slug);
  const view = viewAt(universe, sim.profile, atMs + skewMs);
  const contracts = new Map<string, Contract>();
  const answer = sendToSim(sim, view);
  const send: SendRequest = async (request) => ({ ...(await answer(request)), receivedAtMs: atMs });
  const batches: Batch[] = [];
  const polls = venue.polls
    .filter(({ kind }) => kind === 'bulk')
    .toSorted((a, b) => Number(b.gives.includes('contracts')) - Number(a.gives.includes('contracts')));
  for (const poll of polls) {
    if (poll.kind !== 'bulk') continue;
    const batch = await poll.collect({ send, contracts });
    for (const contract of batch.contractList?.contracts ?? []) contracts.set(contract.venueSymbol, contract);
    batches.push(batch);
  }
  for (const stream of venue.streams) {
    const wanted = [...contracts.values()].filter((contract) => stream.applies(contract));
    const session = stream.open(wanted.slice(0, stream.contractsPerSocket));
    const socket: ReturnType<NonNullable<typeof sim.socket>> | undefined = sim.socket?.({
      host: stream.host,
      path: stream.path,
    });
    assert.ok(socket, venue.slug);
    const parsed = (text: string): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    };
    const inbox = session.opening.flatMap((message) => socket.receive(parsed(message), view));
    for (const message of [...inbox, ...socket.tick(view)])
      batches.push(session.receive(parsed(message), { receivedAtMs: atMs, contracts }).batch);
  }
  return batches;
}

const STEP_MS = 5 * MINUTE_MS;
const OFF_FROM_STEP = 1;
const OFF_TO_STEP = 4;
const STEPS = 6;

interface Run {
  skewMs: number;
  /** Whether lists are held until the clock is known, as in the service. */
  isHeld: boolean;
}

/** The rows of the calendar after half an hour, in the middle of which the venue's clock is off for a quarter. */
async function rowsAfter(venue: Venue, startMs: number, { skewMs, isHeld }: Run): Promise<string[]> {
  const { exchange } = venue.facts;
  const watch = new ListingWatch();
  const held = new HeldLists(() => {});
  for (let step = 0; step < STEPS; step++) {
    const atMs = startMs + step * STEP_MS;
    const isOff = step >= OFF_FROM_STEP && step < OFF_TO_STEP;
    for (const batch of await batchesOf(venue, atMs, isOff ? skewMs : 0)) {
      held.take(exchange, batch, atMs, atMs);
      if (isHeld) continue;
      if (batch.contractList) watch.takeList(exchange, batch.contractList, atMs);
      watch.takeNotices(exchange, batch.announcements, atMs);
    }
    if (isHeld)
      for (const { list, notices } of held.release(atMs + 30 * SECOND_MS)) {
        if (list) watch.takeList(exchange, list, atMs);
        watch.takeNotices(exchange, notices, atMs);
      }
    const publication = watch.stage(atMs + MINUTE_MS);
    if (publication) watch.commit(publication);
  }
  return watch.book.published
    .map(({ symbol, kind, state }) => `${symbol} ${kind} ${JSON.stringify(state)}`)
    .sort();
}

/** It states no time at all in the calls that we read: only the status of a market, which is set by votes. */
const WITHOUT_TIMES = new Set(['dydx']);

suite('lists of a venue whose clock is off', () => {
  for (const [name, skewMs] of [
    ['a day behind', -DAY_MS],
    ['a day ahead', DAY_MS],
  ] as const)
    test(`${name}: no row of any venue is made or changed, also when it is right again`, async () => {
      let runsWithFalseRows = 0;
      for (const venue of VENUES) {
        if (WITHOUT_TIMES.has(venue.slug) || venue.facts.endedAt) continue;
        for (let day = 0; day < 2; day++) {
          const startMs = NOW_MS + day * DAY_MS;
          const right = await rowsAfter(venue, startMs, { skewMs: 0, isHeld: true });
          assert.deepEqual(await rowsAfter(venue, startMs, { skewMs, isHeld: true }), right, venue.slug);
          const naive = await rowsAfter(venue, startMs, { skewMs, isHeld: false });
          if (JSON.stringify(naive) !== JSON.stringify(right)) runsWithFalseRows++;
        }
      }
      assert.ok(runsWithFalseRows > 8, `only ${runsWithFalseRows} runs would have had false rows`);
    });

  const contractList = { part: 'linear', contracts: [] };
  const list: Batch = { ...emptyBatch(), contractList };
  const timed = (offMs: number, atMs: number): Batch => ({
    ...emptyBatch(),
    depths: [{ venueSymbol: 'BTC', bids: [], asks: [], venueTimeMs: atMs + offMs }],
  });
  const settling = (atMs: number, ...inHours: number[]): Batch => ({
    ...emptyBatch(),
    fundingSchedules: inHours.map((hours) => ({
      venueSymbol: `C${hours}`,
      intervalHours: 8,
      nextFundingAtMs: atMs + hours * HOUR_MS,
    })),
  });
  const start = () => {
    const changes: string[] = [];
    const held = new HeldLists((exchange, isOff) => changes.push(`${exchange} ${isOff ? 'off' : 'right'}`));
    const take = (batch: Batch, atMs: number, exchange = 'Venue') => held.take(exchange, batch, atMs, atMs);
    const usedAt = (atMs: number) => held.release(atMs).length;
    return { held, changes, take, usedAt };
  };

  test('a list is used as soon as a quote of about the present time has come', () => {
    const { take, usedAt } = start();
    take(list, NOW_MS);
    assert.equal(usedAt(NOW_MS), 0);
    take(timed(-2 * MINUTE_MS, NOW_MS + SECOND_MS), NOW_MS + SECOND_MS);
    assert.equal(usedAt(NOW_MS + SECOND_MS), 1);
    assert.equal(usedAt(NOW_MS + SECOND_MS), 0, 'once');
  });

  test('a list of a venue that states no times is used after 20 seconds', () => {
    const { take, usedAt } = start();
    take(list, NOW_MS);
    assert.equal(usedAt(NOW_MS + 19 * SECOND_MS), 0);
    assert.equal(usedAt(NOW_MS + 20 * SECOND_MS), 1);
  });

  test('quotes of another time leave it out, and the change is reported once', () => {
    const { changes, take, usedAt } = start();
    for (const minute of [0, 1, 2, 3]) {
      const atMs = NOW_MS + minute * MINUTE_MS;
      take(list, atMs);
      take(timed(-6 * MINUTE_MS, atMs), atMs);
      assert.equal(usedAt(atMs + 20 * SECOND_MS), 0);
    }
    assert.deepEqual(changes, ['Venue off']);
    const laterMs = NOW_MS + 4 * MINUTE_MS;
    take(list, laterMs);
    take(timed(0, laterMs), laterMs);
    assert.equal(usedAt(laterMs), 1);
    assert.deepEqual(changes, ['Venue off', 'Venue right']);
  });

  test('most settlements in the past, or more than a day ahead, are of another time', () => {
    for (const [inHours, isUsed] of [
      [[3, 5, -20], true],
      [[3, -18, -20], false],
      [[25, 27, 3], false],
    ] as const) {
      const { take, usedAt } = start();
      take(list, NOW_MS);
      take(settling(NOW_MS, ...inHours), NOW_MS);
      assert.equal(usedAt(NOW_MS + 20 * SECOND_MS), isUsed ? 1 : 0, inHours.join());
      assert.equal(usedAt(NOW_MS + 2 * MINUTE_MS), 0, inHours.join());
    }
  });

  test('where quotes have times, settlement times do not show that a clock is right', () => {
    const { take, usedAt } = start();
    take(timed(3 * HOUR_MS, NOW_MS), NOW_MS);
    take(list, NOW_MS + SECOND_MS);
    take(settling(NOW_MS, 4, 5), NOW_MS + SECOND_MS);
    assert.equal(usedAt(NOW_MS + MINUTE_MS), 0);
  });

  test('when most venues are off, it is our own clock, and their lists are used', () => {
    const { take, usedAt } = start();
    for (const exchange of ['A', 'B', 'C', 'D']) {
      take(list, NOW_MS, exchange);
      take(timed(exchange === 'D' ? 0 : HOUR_MS, NOW_MS), NOW_MS, exchange);
    }
    assert.equal(usedAt(NOW_MS + MINUTE_MS), 4);
  });

  test('a venue that is off is not judged for two minutes while few other venues are known', () => {
    const { changes, take, usedAt } = start();
    take(list, NOW_MS, 'A');
    for (const exchange of ['A', 'B', 'C']) take(timed(HOUR_MS, NOW_MS), NOW_MS, exchange);
    assert.equal(usedAt(NOW_MS + MINUTE_MS), 0);
    take(timed(HOUR_MS, NOW_MS + MINUTE_MS), NOW_MS + MINUTE_MS, 'D');
    assert.equal(usedAt(NOW_MS + MINUTE_MS), 1, 'the fourth venue shows that it is our own clock');
    assert.deepEqual(changes, []);
  });

  test('a list that came while the clock was off is not used when it is right again', () => {
    const { take, usedAt } = start();
    take(list, NOW_MS);
    take(timed(HOUR_MS, NOW_MS), NOW_MS);
    assert.equal(usedAt(NOW_MS + 30 * SECOND_MS), 0);
    take(timed(0, NOW_MS + MINUTE_MS), NOW_MS + MINUTE_MS);
    assert.equal(usedAt(NOW_MS + MINUTE_MS), 0);
    assert.equal(usedAt(NOW_MS + 5 * MINUTE_MS), 0);
  });

  test('a list that waits while our clock is set keeps its age', () => {
    const { held, take } = start();
    take(list, NOW_MS);
    held.shiftTimes(HOUR_MS, NOW_MS + HOUR_MS + SECOND_MS);
    assert.equal(held.release(NOW_MS + MINUTE_MS)[0]?.atMs, NOW_MS + HOUR_MS);
  });
});
