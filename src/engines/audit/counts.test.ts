import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { newState } from '../../market/contract-state.ts';
import { linearContract } from '../../venues/observations.ts';
import { VENUES } from '../../venues/registry.ts';
import { Counts, type CountVerdict } from './counts.ts';

const [venue] = VENUES;
assert.ok(venue);

/** What the audit makes of these values of one contract, one after the other. */
function judged(values: readonly number[]): CountVerdict {
  const contract = linearContract({
    ...{ venueSymbol: 'A', base: 'A', quote: 'USDT', status: 'trading', venueStatus: '' },
  });
  const state = newState(venue as NonNullable<typeof venue>, contract);
  const counts = new Counts();
  for (const value of values) {
    state.volumeCount = value;
    counts.note([state]);
  }
  return counts.verdict([state], 'volume_24h_usdt');
}

const NOT_JUDGED = { contracts: 0, values: 0, neverOdd: 0, halves: 0 };
const HEALTHY = { contracts: 1, values: 8, neverOdd: 0, halves: 0 };
const TWICE = { ...HEALTHY, neverOdd: 1 };
const HALVED = { ...HEALTHY, halves: 1 };
/** Lots, as a venue counts one side. */
const LOTS = [17_296, 8_643, 41_457, 359, 28_808_125, 49_285_869, 902, 77];

suite('counts that are never odd', () => {
  test('one side: some are odd', () => assert.deepEqual(judged(LOTS), HEALTHY));

  test('both sides: none is odd', () => assert.deepEqual(judged(LOTS.map((lots) => lots * 2)), TWICE));

  test('one side that was halved: all end in 0 or 5 of a finer step', () =>
    assert.deepEqual(judged(LOTS.map((lots) => lots / 2)), HALVED));

  for (const step of [0.001, 0.01, 10, 1000])
    test(`in lots of ${step}`, () => {
      assert.deepEqual(judged(LOTS.map((lots) => lots * step)), HEALTHY);
      assert.deepEqual(judged(LOTS.map((lots) => 2 * lots * step)), TWICE);
      assert.deepEqual(judged(LOTS.map((lots) => (lots * step) / 2)), HALVED);
    });

  test('equal values count once', () => {
    assert.deepEqual(judged(LOTS.slice(1).flatMap((lots) => [lots, lots, lots])), NOT_JUDGED);
    assert.deepEqual(judged([...LOTS.slice(1), 0, 0]), NOT_JUDGED, 'zero is no count');
  });

  test('the newest eight are looked at: a venue that begins to count both sides is found', () => {
    const both = LOTS.map((lots) => lots * 2);
    assert.deepEqual(judged([...LOTS, ...both.slice(1)]), HEALTHY);
    assert.deepEqual(judged([...LOTS, ...both]), TWICE);
  });

  test('the noise of floats is no digit, and a value with more digits than a double holds is not judged', () => {
    const noisy = LOTS.map((lots) => (lots * 2 * 0.1) / 3 / (1 / 3));
    assert.notDeepEqual(
      noisy,
      LOTS.map((lots) => (lots * 2) / 10),
    );
    assert.deepEqual(judged(noisy), TWICE);
    assert.deepEqual(judged(LOTS.map((lots) => lots / 3)), NOT_JUDGED);
  });
});
