import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { lastingOf, lastingSentence } from './lasting.ts';

const sentence = (median: number | null, times: number | null, now: number | null) =>
  String(
    lastingSentence({ median_hours_above_fee: median, times_above_fee: times, hours_above_fee_now: now }),
  )
    .replace(/<[^>]+>/g, '')
    .replaceAll('\u00a0', ' ');

suite('how long spreads above the fee lasted, in words', () => {
  for (const [median, times, now, words] of [
    [
      14,
      9,
      5,
      'Spreads above the fee lasted 14 h (median of 9 times in 30 days); this one has lasted 5 h so far.',
    ],
    [
      96,
      3,
      0,
      'Spreads above the fee lasted 4.0 d (median of 3 times in 30 days); now it is not above the fee.',
    ],
    [null, 2, 5, 'Only 2 spreads above the fee came and went in 30 days; this one has lasted 5 h so far.'],
    [null, 1, 0, 'Only 1 spread above the fee came and went in 30 days; now it is not above the fee.'],
    [null, 0, 720, 'No spread above the fee came and went in 30 days; this one has lasted 30.0 d so far.'],
  ] as const)
    test(words, () => assert.equal(sentence(median, times, now), words));

  test('nothing is said where too little is known', () => {
    assert.equal(lastingSentence(lastingOf({})), null);
    assert.equal(lastingSentence(lastingOf({ times_above_fee: null, hours_above_fee_now: null })), null);
  });
});
