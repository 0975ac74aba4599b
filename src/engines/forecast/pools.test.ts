import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ORDERS } from './orders.ts';
import { type PooledPick, Pools } from './pools.ts';

/** Figures that no two pairs share; the pair with figure f promises f and earns half of it. */
function dayOf(day: number, pairs: number): PooledPick[] {
  return Array.from({ length: pairs }, (_, i) => {
    const figure = ((day * 97 + i * 31) % 1009) / 100;
    return { figure, promised: figure, earned: figure / 2, low: 0, high: 2, cost: 1 };
  });
}

suite('lists of pooled days', () => {
  const days = Array.from({ length: 9 }, (_, day) => dayOf(day, 25));
  const pools = new Pools();
  for (const day of days) pools.addDay(day.length, () => [...day]);

  test('the ten best of each full list count, and days after the last full list do not', () => {
    // 100 pairs are four days: two lists, and a ninth day that fills none.
    const lists = [days.slice(0, 4), days.slice(4, 8)].map((list) =>
      list
        .flat()
        .sort((a, b) => b.figure - a.figure)
        .slice(0, 10),
    );
    const picks = lists.flat();
    const mean = (of: (pick: PooledPick) => number) =>
      Number((picks.reduce((sum, pick) => sum + of(pick), 0) / 20).toFixed(2));
    const scores = pools.scores(100);
    assert.deepEqual(
      scores.map(({ order }) => order),
      [...ORDERS],
    );
    for (const score of scores)
      assert.deepEqual(score, {
        ...{ pairs: 100, order: score.order, is_default: score.order === 'expected_low_net', top: 10 },
        promised_bp: mean(({ promised }) => promised * 100),
        earned_bp: mean(({ earned }) => earned * 100),
        inside_pct: mean(({ earned, low, high }) => (earned >= low && earned <= high ? 100 : 0)),
        below_costs_pct: mean(({ earned, cost }) => (earned < cost ? 100 : 0)),
      });
  });

  test('with fewer pairs than asked there is one list of all, which says how many', () => {
    const [score] = pools.scores(1000);
    assert.equal(score?.pairs, 225);
    const best = days
      .flat()
      .sort((a, b) => b.figure - a.figure)
      .slice(0, 10);
    const promised = best.reduce((sum, pick) => sum + pick.promised, 0) * 10;
    assert.equal(score?.promised_bp, Number(promised.toFixed(2)));
  });

  test('without any pair there are no figures', () => {
    const [score] = new Pools().scores(10);
    assert.deepEqual([score?.pairs, score?.promised_bp, score?.inside_pct], [0, null, null]);
  });
});
