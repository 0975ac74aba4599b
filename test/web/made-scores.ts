import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import type { DayScore, GroupSums } from '../../src/engines/forecast/day-score.ts';
import { ORDERS, type PlaceSums } from '../../src/engines/forecast/orders.ts';
import { ForecastStore } from '../../src/history/forecasts/store.ts';
import type { FilledMarket } from './filled-market.ts';

/** Stores the scores of three days for each horizon. */
export async function keepScores(market: FilledMarket): Promise<void> {
  const store = new ForecastStore(market.service.context.storage);
  const today = Math.floor(market.clock.nowMs() / DAY_MS);
  for (const days of [1, 7, 30])
    for (const ago of [31, 32, 33])
      await store.saveScore(
        {
          day: today - ago,
          days,
          scored_minute: Math.floor(market.clock.nowMs() / MINUTE_MS),
          score: madeScore(ago, days),
        },
        null,
      );
  // Later than 900 s, for pages of the Demo plan. Answers are cached for five minutes.
  market.clock.advanceMs(15 * MINUTE_MS);
}

/** Other figures for each order and place. */
function madePlaces(factor: number): PlaceSums[] {
  return [1, 10, 100, 700].map((picks) => ({
    ...{ picks, promised: picks * 0.11 * factor, earned: picks * 0.1 },
    ...{ ranged: picks, inside: Math.round(picks * 0.8), below_costs: Math.round(picks * 0.1 * factor) },
  }));
}

/** A score of one day and horizon, other figures for each. */
function madeScore(day: number, days: number): string {
  const sums = (factor: number): GroupSums => ({
    observations: 40,
    expected: 4.4 * factor * days,
    now: 9.1 * days,
    mean_7d: 5.2 * days,
    mean_30d: 5 * days,
    zero: 6.3 * days,
    bias: -0.4 * factor,
    ranged: 40,
    inside: 30 + (day % 5),
  });
  const order = (promised: number) => ({
    picks: 10,
    promised_apr_pct: promised * 10,
    earned_pct: 0.2 * days * (day % 3),
    cost_pct: 2.1,
  });
  const score: DayScore = {
    // Over a day the forecast is worse than nothing.
    all: sums(days === 1 ? 2 : 1),
    exchanges: { Binance: sums(1.1), Bybit: sums(2) },
    asset_classes: { crypto: sums(1.2) },
    orders: {
      ...{ net_apr: order(36.5), realised_30d: order(9.1) },
      ...{ expected_net: order(6.3), expected_low_net: order(4.2) },
    },
    // The oldest day is of a version that kept no places.
    ...(day === 33 ? {} : { places: Object.fromEntries(ORDERS.map((name, i) => [name, madePlaces(i + 1)])) }),
  };
  return JSON.stringify(score);
}
