import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AS_OF_MS, madeData } from '../../../test/operations/made-data.ts';
import { PLANS } from '../../accounts/plans.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { type DayScore, type GroupSums, noSums } from '../../engines/forecast/day-score.ts';
import type { DataSources } from '../operation.ts';
import { noBetterThanNothing } from './no-better.ts';

const sums = (expected: number, zero: number): GroupSums => ({
  ...noSums(),
  ...{ observations: 40, expected, zero },
});

/** One score of a week with these kinds of underlying. */
function scored(asset_classes: DayScore['asset_classes']): DataSources['forecastScores'] {
  const score: DayScore = { all: sums(1, 2), exchanges: {}, asset_classes, orders: {} };
  const stored = {
    ...{ day: Math.floor(AS_OF_MS / DAY_MS) - 10, days: 7, scored_minute: AS_OF_MS / MINUTE_MS - 60 },
    score: JSON.stringify(score),
  };
  return {
    scored: async () => ({ count: 1, lastMinute: stored.scored_minute }),
    scores: async () => [stored],
  };
}

suite('kinds of underlying whose forecasts have been no better than nothing', () => {
  const of = async (forecastScores: DataSources['forecastScores'], holdDays = 7) => {
    const reader = { data: { ...madeData(), forecastScores }, plan: PLANS.business, nowMs: AS_OF_MS };
    return [...(await noBetterThanNothing(reader, holdDays))];
  };

  test('without a score they are shares', async () => {
    assert.deepEqual(await of(madeData().forecastScores), ['stock']);
  });

  test('the score decides, for the horizon of the holding time', async () => {
    const scores = scored({ stock: sums(1, 2), commodity: sums(3, 2), crypto: sums(1, 9) });
    assert.deepEqual(await of(scores), ['commodity']);
    assert.deepEqual(await of(scores, 30), ['stock'], 'nothing of 30 days is scored');
    assert.deepEqual(await of(scored({ stock: sums(2.1, 2) })), ['stock']);
  });

  test('when the scores cannot be read they are shares', async () => {
    const fails = () => Promise.reject(new Error('no database'));
    assert.deepEqual(await of({ scored: fails, scores: fails }), ['stock']);
  });
});
