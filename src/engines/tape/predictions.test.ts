import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TapeSeries } from '../../history/tape/series.ts';
import { PredictionSums } from './predictions.ts';

const SETTLED = 20_000;

function tapeOf(rates: Readonly<Record<number, number>>, intervalHours: number): TapeSeries {
  const tape = new TapeSeries(SETTLED - 1000, 1000, ['ratePct', 'intervalHours']);
  for (const [hours, rate] of Object.entries(rates)) {
    const place = 1000 - Number(hours) * 60 - 1;
    tape.column('ratePct')[place] = rate;
    tape.column('intervalHours')[place] = intervalHours;
  }
  return tape;
}

const printOf = (ratePct: number, minutes: number) => ({
  ...{ minutes: [SETTLED], ratesPct: [ratePct] },
  intervalMinutes: Int32Array.of(minutes),
});

test('errors and close rates by hand: in basis points, for the interval of the payment', () => {
  const sums = new PredictionSums();
  // Paid 0.02 %: off by 0.1, 0.5 and 1 bp; close is at most 0.2 bp, a tenth of it.
  sums.add(printOf(0.02, 480), tapeOf({ 1: 0.021, 4: 0.025, 8: 0.01 }, 8));
  // Paid 0.001 % for an hour: rates of 8 h count an eighth. Off by 0.1 bp, which is always close, and 0.3 bp; then a gap.
  sums.add(printOf(0.001, 60), tapeOf({ 1: 0.016, 4: 0.032 }, 8));
  const figures = sums.figures().map((one) => ({ ...one, meanErrorBp: Number(one.meanErrorBp?.toFixed(9)) }));
  assert.deepEqual(figures, [
    { hours: 1, compared: 2, meanErrorBp: 0.1, closePct: 100 },
    { hours: 4, compared: 2, meanErrorBp: 0.4, closePct: 0 },
    { hours: 8, compared: 1, meanErrorBp: 1, closePct: 0 },
  ]);
});

test('nothing is compared without an interval or a recorded minute', () => {
  const sums = new PredictionSums();
  sums.add(printOf(0.02, 0), tapeOf({ 1: 0.02 }, 8));
  sums.add(printOf(0.02, 480), tapeOf({ 1: 0.02 }, Number.NaN));
  sums.add(printOf(0.02, 480), tapeOf({}, 8));
  for (const { compared, meanErrorBp, closePct } of sums.figures())
    assert.deepEqual([compared, meanErrorBp, closePct], [0, null, null]);
});
