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
import { VenueClocks } from './venue-clock.ts';
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
  /** Whether lists of a venue whose clock is off are left out, as in the service. */
  isChecked: boolean;
}

/** The rows of the calendar after half an hour, in the middle of which the venue's clock is off for a quarter. */
async function rowsAfter(venue: Venue, startMs: number, { skewMs, isChecked }: Run): Promise<string[]> {
  const { exchange } = venue.facts;
  const watch = new ListingWatch();
  const clocks = new VenueClocks();
  for (let step = 0; step < STEPS; step++) {
    const atMs = startMs + step * STEP_MS;
    const isOff = step >= OFF_FROM_STEP && step < OFF_TO_STEP;
    clocks.note('another venue', timed(0, atMs), atMs, atMs);
    const batches = await batchesOf(venue, atMs, isOff ? skewMs : 0);
    for (const batch of batches) clocks.note(exchange, batch, atMs, atMs);
    for (const batch of batches) {
      if (isChecked && clocks.isOff(exchange, atMs)) continue;
      if (batch.contractList) watch.takeList(exchange, batch.contractList, atMs);
      watch.takeNotices(exchange, batch.announcements, atMs);
    }
    const publication = watch.stage(atMs + MINUTE_MS);
    if (publication) watch.commit(publication);
  }
  return watch.book.published
    .map(({ symbol, kind, state }) => `${symbol} ${kind} ${JSON.stringify(state)}`)
    .sort();
}

/** A batch whose only time is off by this much. */
function timed(offMs: number, atMs: number): Batch {
  return {
    ...emptyBatch(),
    depths: [{ venueSymbol: 'BTC', bids: [], asks: [], venueTimeMs: atMs + offMs }],
  };
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
          const right = await rowsAfter(venue, startMs, { skewMs: 0, isChecked: true });
          assert.deepEqual(await rowsAfter(venue, startMs, { skewMs, isChecked: true }), right, venue.slug);
          const naive = await rowsAfter(venue, startMs, { skewMs, isChecked: false });
          if (JSON.stringify(naive) !== JSON.stringify(right)) runsWithFalseRows++;
        }
      }
      assert.ok(runsWithFalseRows > 8, `only ${runsWithFalseRows} runs would have had false rows`);
    });
});

suite('the clock of a venue', () => {
  const settling = (atMs: number, ...inHours: number[]): Batch => ({
    ...emptyBatch(),
    fundingSchedules: inHours.map((hours) => ({
      venueSymbol: `C${hours}`,
      intervalHours: 8,
      nextFundingAtMs: atMs + hours * HOUR_MS,
    })),
  });
  const start = (others = 1) => {
    const clocks = new VenueClocks();
    const note = (batch: Batch, atMs: number, exchange = 'Venue') => clocks.note(exchange, batch, atMs, atMs);
    for (let i = 0; i < others; i++) note(timed(0, NOW_MS), NOW_MS, `Other ${i}`);
    return { note, isOff: (atMs: number, exchange = 'Venue') => clocks.isOff(exchange, atMs) };
  };

  test('a venue that states no times is not off', () => {
    const { note, isOff } = start();
    note(emptyBatch(), NOW_MS);
    assert.equal(isOff(NOW_MS), false);
  });

  test('quotes of about the present time are right, those more than five minutes from it are not', () => {
    for (const [minutes, expected] of [
      [-2, false],
      [5, false],
      [-6, true],
      [6, true],
    ] as const) {
      const { note, isOff } = start();
      note(timed(minutes * MINUTE_MS, NOW_MS), NOW_MS);
      assert.equal(isOff(NOW_MS), expected, `${minutes} minutes`);
    }
  });

  test('the old book of a thin contract between right times does not show a clock that is off', () => {
    const { note, isOff } = start();
    note(timed(0, NOW_MS), NOW_MS);
    note(timed(-HOUR_MS, NOW_MS + 20 * SECOND_MS), NOW_MS + 20 * SECOND_MS);
    assert.equal(isOff(NOW_MS + 20 * SECOND_MS), false);
    note(timed(-HOUR_MS, NOW_MS + 61 * SECOND_MS), NOW_MS + 61 * SECOND_MS);
    assert.equal(isOff(NOW_MS + 61 * SECOND_MS), true, 'no time has been right for a minute');
  });

  test('it is right again with the first right time', () => {
    const { note, isOff } = start();
    note(timed(HOUR_MS, NOW_MS), NOW_MS);
    assert.equal(isOff(NOW_MS), true);
    note(timed(0, NOW_MS + SECOND_MS), NOW_MS + SECOND_MS);
    assert.equal(isOff(NOW_MS + SECOND_MS), false);
  });

  test('what it said more than ten minutes ago tells nothing', () => {
    const { note, isOff } = start();
    note(timed(HOUR_MS, NOW_MS), NOW_MS);
    assert.equal(isOff(NOW_MS + 10 * MINUTE_MS), true);
    assert.equal(isOff(NOW_MS + 11 * MINUTE_MS), false);
  });

  test('most settlements in the past, or more than a day ahead, are of another time', () => {
    for (const [inHours, expected] of [
      [[3, 5, -20], false],
      [[3, -18, -20], true],
      [[25, 27, 3], true],
    ] as const) {
      const { note, isOff } = start();
      note(settling(NOW_MS, ...inHours), NOW_MS);
      assert.equal(isOff(NOW_MS), expected, inHours.join());
    }
  });

  test('where quotes have times, settlement times do not show that a clock is right', () => {
    const { note, isOff } = start();
    note(timed(3 * HOUR_MS, NOW_MS), NOW_MS);
    note(settling(NOW_MS, 4, 5), NOW_MS + SECOND_MS);
    assert.equal(isOff(NOW_MS + SECOND_MS), true);
  });

  test('when most venues are off, it is our own clock, and no venue is off: nothing waits for it', () => {
    const { note, isOff } = start(0);
    note(timed(HOUR_MS, NOW_MS), NOW_MS, 'A');
    assert.equal(isOff(NOW_MS, 'A'), false, 'the only venue that is known');
    note(timed(0, NOW_MS), NOW_MS, 'B');
    assert.equal(isOff(NOW_MS, 'A'), true, 'one against another and our own');
    note(timed(HOUR_MS, NOW_MS), NOW_MS, 'C');
    assert.equal(isOff(NOW_MS, 'A'), false, 'two against one');
  });
});
