import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fakeContract, fakeVenue } from '../../../test/venues/fake-venue.ts';
import { ManualClock } from '../../base/clock.ts';
import { SECOND_MS } from '../../base/times.ts';
import { type ContractState, newState } from '../../market/contract-state.ts';
import { type BookTop, emptyBatch } from '../../venues/observations.ts';
import { PRICE_MAX_AGE_MS, QuoteAges } from './quote-ages.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const CONTRACTS = 12;

/** A venue of twelve contracts. `send` delivers quotes of some of them, of which the first has this bid. */
function stage() {
  const clock = new ManualClock(START_MS);
  const ages = new QuoteAges(clock);
  const venue = fakeVenue({});
  const states = Array.from({ length: CONTRACTS }, (_, i) => newState(venue, fakeContract(`C${i}`)));
  const send = (bid: number, { count = CONTRACTS, isStreamed = false, heldMs = 0 } = {}) => {
    const bookTops = states.slice(0, count).map(
      ({ contract }, i): BookTop => ({
        venueSymbol: contract.venueSymbol,
        bidPrice: i === 0 ? bid : 90,
        askPrice: 110,
        bidSize: 1,
        askSize: 1,
        venueTimeMs: null,
      }),
    );
    const receivedAtMs = clock.nowMs() - heldMs;
    for (const state of states.slice(0, count)) state.topAtMs = receivedAtMs;
    ages.take(venue, { ...emptyBatch(), bookTops, ...(isStreamed ? { isStreamed } : {}) }, receivedAtMs);
  };
  const age = (i = 5) => ages.ageMs(states[i] as ContractState);
  return { clock, ages, venue, states, send, age, isLate: () => ages.lateVenues(states).has(venue) };
}

suite('the age of a quote', () => {
  test('counts from its receipt, less the time for which a cache has held it', () => {
    const { clock, send, age } = stage();
    assert.equal(age(), Number.POSITIVE_INFINITY, 'none yet');
    send(91, { heldMs: 7 * SECOND_MS });
    assert.equal(age(), 7 * SECOND_MS);
    clock.advanceMs(4 * SECOND_MS);
    assert.equal(age(), 11 * SECOND_MS);
    send(92);
    assert.equal(age(), 0);
  });

  test('a reply that repeats every row of the one before does not make them newer; one changed row does', () => {
    const { clock, send, age } = stage();
    send(91);
    clock.advanceMs(20 * SECOND_MS);
    send(91);
    assert.equal(age(), 20 * SECOND_MS);
    send(92);
    assert.equal(age(), 0);
  });

  test('a reply of a few rows may repeat by chance', () => {
    const { clock, send, age } = stage();
    send(91, { count: 9 });
    clock.advanceMs(20 * SECOND_MS);
    send(91, { count: 9 });
    assert.equal(age(), 0);
  });

  test('a stream that repeats quiet quotes makes them newer while any quote of the venue changes', () => {
    const { clock, send, age } = stage();
    send(91, { isStreamed: true });
    clock.advanceMs(20 * SECOND_MS);
    send(92, { isStreamed: true, count: 1 });
    assert.equal(age(), 20 * SECOND_MS, 'not in this message');
    send(92, { isStreamed: true });
    assert.equal(age(), 0);
    clock.advanceMs(25 * SECOND_MS);
    send(92, { isStreamed: true });
    assert.equal(age(), 25 * SECOND_MS, 'nothing has changed since');
  });

  test('a quote that was refused leaves the one before as old as it is', () => {
    const { clock, states, send, age } = stage();
    send(91);
    clock.advanceMs(20 * SECOND_MS);
    send(92);
    const [first] = states;
    if (first) first.topAtMs = START_MS;
    assert.equal(age(0), 20 * SECOND_MS);
    assert.equal(age(), 0);
  });

  test('a clock that is set changes no age', () => {
    const { clock, states, send, age } = stage();
    send(91);
    clock.advanceMs(20 * SECOND_MS);
    clock.step(-3600 * SECOND_MS);
    // As the market does.
    for (const state of states) state.topAtMs -= 3600 * SECOND_MS;
    assert.equal(age(), 20 * SECOND_MS);
  });
});

suite('the feed of a venue is late', () => {
  test('when more than half of its quotes are older than 30 s', () => {
    const { clock, send, isLate } = stage();
    send(91);
    assert.equal(isLate(), false);
    clock.advanceMs(PRICE_MAX_AGE_MS);
    assert.equal(isLate(), false, 'a quote of 30 s counts');
    clock.advanceMs(1);
    assert.equal(isLate(), true);
    send(92, { count: 6 });
    assert.equal(isLate(), false, 'half are recent');
  });

  test('not for contracts that had no quote for five minutes', () => {
    const { clock, send, isLate } = stage();
    send(91);
    for (const bid of [92, 93]) {
      clock.advanceMs(151 * SECOND_MS);
      send(bid, { count: 3 });
    }
    assert.equal(isLate(), false);
  });

  test('when it has sent no quote at all', () => {
    assert.equal(stage().isLate(), true);
  });
});
