import { DAY_MS, MINUTE_MS } from '../../src/base/times.ts';
import type { DayScore, GroupSums } from '../../src/engines/forecast/day-score.ts';
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
    orders: { net_apr: order(36.5), realised_30d: order(9.1), expected_net: order(6.3) },
  };
  return JSON.stringify(score);
}
