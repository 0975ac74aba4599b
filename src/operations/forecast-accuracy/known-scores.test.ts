import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AS_OF_MS, CALLER, madeData, madeEntrance, STATES } from '../../../test/operations/made-data.ts';
import { PLANS } from '../../accounts/plans.ts';
import { DAY_MS, isoTime, MINUTE_MS } from '../../base/times.ts';
import { type DayScore, noSums } from '../../engines/forecast/day-score.ts';
import type { StoredScore } from '../../history/forecasts/store.ts';
import { dataOf } from '../answer/answer.ts';
import { type ForecastAccuracy, forecastAccuracy } from './forecast-accuracy.ts';

const NOW_MINUTE = AS_OF_MS / MINUTE_MS;
const TODAY = Math.floor(AS_OF_MS / DAY_MS);

function scoreOf(observations: number): string {
  const sums = { ...noSums(), observations };
  const score: DayScore = { all: sums, exchanges: {}, asset_classes: {}, orders: {} };
  return JSON.stringify(score);
}

/** Scores in memory, which count how often they are read. */
function madeScores() {
  const stored: StoredScore[] = [];
  let reads = 0;
  const upTo = (fromDay: number, byMinute: number) =>
    stored.filter((one) => one.day >= fromDay && one.scored_minute <= byMinute);
  return {
    add: (day: number, scored_minute: number) =>
      stored.push({ day, days: 1, scored_minute, score: scoreOf(40) }),
    reads: () => reads,
    source: {
      scored: async (fromDay: number, byMinute: number) => {
        const found = upTo(fromDay, byMinute);
        const lastMinute = Math.max(...found.map((one) => one.scored_minute));
        return found.length === 0 ? null : { count: found.length, lastMinute };
      },
      scores: async (fromDay: number, byMinute: number) => {
        reads++;
        return upTo(fromDay, byMinute);
      },
    },
  };
}

suite('the scores of /forecasts/accuracy', () => {
  const asked = async (scores: ReturnType<typeof madeScores>, plan: 'demo' | 'business' = 'business') => {
    const entrance = madeEntrance({ ...madeData(), forecastScores: scores.source });
    const ask = async (days: string) => {
      const caller = { ...CALLER, plan: PLANS[plan] };
      const answer = await entrance.run(forecastAccuracy, caller, STATES, new Map([['days', [days]]]));
      return { meta: answer.meta, data: dataOf(answer) as ForecastAccuracy };
    };
    return { ask };
  };

  test('as_of is when the last score was made, and the address that of the page with the scores', async () => {
    const scores = madeScores();
    scores.add(TODAY - 3, NOW_MINUTE - 1000);
    scores.add(TODAY - 2, NOW_MINUTE - 400);
    const { meta } = await (await asked(scores)).ask('30');
    assert.equal(meta.as_of, isoTime((NOW_MINUTE - 400) * MINUTE_MS));
    assert.equal(new URL(meta.url).pathname, '/accuracy/forecasts');
  });

  test('without a score as_of is the day of the weights', async () => {
    const { meta, data } = await (await asked(madeScores())).ask('30');
    assert.equal(meta.as_of, `${data.model_date}T00:00:00Z`);
    assert.deepEqual(
      data.horizons.map(({ days, observations }) => [days, observations]),
      [
        [1, 0],
        [7, 0],
        [30, 0],
      ],
    );
  });

  test('a score of the last 900 s is not in an answer of the Demo plan', async () => {
    const scores = madeScores();
    scores.add(TODAY - 3, NOW_MINUTE - 60);
    scores.add(TODAY - 2, NOW_MINUTE - 5);
    const [demo, live] = [
      await (await asked(scores, 'demo')).ask('30'),
      await (await asked(scores)).ask('30'),
    ];
    assert.deepEqual(
      [demo.meta.as_of, demo.data.horizons[0]?.observations],
      [isoTime((NOW_MINUTE - 60) * MINUTE_MS), 40],
    );
    assert.deepEqual(
      [live.meta.as_of, live.data.horizons[0]?.observations],
      [isoTime((NOW_MINUTE - 5) * MINUTE_MS), 80],
    );
  });

  test('are read once for each change and window, not for each request', async () => {
    const scores = madeScores();
    scores.add(TODAY - 3, NOW_MINUTE - 60);
    const { ask } = await asked(scores);
    const first = await ask('30');
    assert.deepEqual(await ask('30'), first);
    assert.equal(scores.reads(), 1);
    await Promise.all([ask('90'), ask('90')]);
    assert.equal(scores.reads(), 2);
    scores.add(TODAY - 2, NOW_MINUTE - 1);
    assert.equal((await ask('30')).data.horizons[0]?.observations, 80);
    assert.equal(scores.reads(), 3);
  });
});
