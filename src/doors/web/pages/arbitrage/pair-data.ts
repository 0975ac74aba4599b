import { DAY_MS, isoTime } from '../../../../base/times.ts';
import { minuteOf, msOfMinute } from '../../../../history/samples/model.ts';
import { arbitrageHistory, type PairCarry } from '../../../../operations/arbitrage/arbitrage-history.ts';
import type { PairDay } from '../../../../operations/arbitrage/pair-days.ts';
import type { Age } from '../../layout/live-badge.ts';
import { answerForPage, type PageAnswer } from '../../layout/visitor.ts';
import { loadPairDepth, type PairDepth } from '../depth/pair-depth.ts';
import { daysRange } from '../funding/days-range.ts';
import { pageAge } from '../live/page-age.ts';
import type { PageContext } from '../page-context.ts';
import { loadNextPayments, type NextPayments } from './next-payments.ts';

/** A day with the mean price difference of the legs, where books were sampled. */
type ShownDay = PairDay & { price_spread_pct: number | null };

export interface LoadedCarry extends PageAnswer<PairCarry> {
  days: ShownDay[];
  next: NextPayments | null;
  depth: PairDepth;
  age: Age;
}

/** The size of the orders whose costs the page shows. */
export const SIZE_PARAMETER = 'size_usd';
export const CARRY_PATH = '/arbitrage/pair';
export const DEFAULT_DAYS = 30;
/** The longest window of the operation. */
export const LONGEST_DAYS = 180;
const CHART_SIZE_USD = 100;

export async function loadCarryDays(context: PageContext): Promise<LoadedCarry> {
  const { entrance, caller, sent } = context;
  const query = new Map(sent);
  query.delete(SIZE_PARAMETER);
  const { days, mostDays } = daysRange(context, LONGEST_DAYS);
  query.set('days', [days ?? String(Math.min(DEFAULT_DAYS, mostDays))]);
  const answer = await answerForPage<PairCarry>(entrance, arbitrageHistory, caller, query);
  const [spreads, next, depth] = await Promise.all([
    daySpreads(answer.data, context),
    loadNextPayments(context, answer.data),
    carryDepth(context, answer.data),
  ]);
  return {
    ...answer,
    ...{ next, depth, age: pageAge(context, answer.meta) },
    days: answer.data.days.map((day) => ({ ...day, price_spread_pct: spreads.get(day.day) ?? null })),
  };
}

function carryDepth(context: PageContext, data: PairCarry): Promise<PairDepth> {
  const { coin, long_exchange, long_symbol, short_exchange, short_symbol } = data;
  return loadPairDepth(
    context,
    {
      bought: { coin, exchange: long_exchange, symbol: long_symbol },
      sold: { coin, exchange: short_exchange, symbol: short_symbol },
      ways: ['Get in', 'Get out'],
      verbs: 'to get in or out',
    },
    SIZE_PARAMETER,
  );
}

/** The mean of (mid of the short leg - mid of the long leg) by day; only for callers of live data. */
async function daySpreads(
  { coin, long_exchange, short_exchange }: PairCarry,
  { pairChart, caller, entrance }: PageContext,
): Promise<Map<string, number>> {
  const means = new Map<string, number>();
  if (caller.plan.delaySeconds > 0) return means;
  const isLongFirst = long_exchange < short_exchange;
  const [exchangeA, exchangeB] = isLongFirst
    ? [long_exchange, short_exchange]
    : [short_exchange, long_exchange];
  const view = await pairChart({ coin, exchangeA, exchangeB, sizeUsd: CHART_SIZE_USD }).catch(() => null);
  if (!view) return means;
  const lastMinute = minuteOf(entrance.clock.nowMs());
  const sums = new Map<string, { sum: number; count: number }>();
  for (const [i, spread] of view.spreadsPct.entries()) {
    if (Number.isNaN(spread) || view.fromMinute + i > lastMinute) continue;
    const dayMs = Math.floor(msOfMinute(view.fromMinute + i) / DAY_MS) * DAY_MS;
    const day = isoTime(dayMs).slice(0, 10);
    const held = sums.get(day) ?? { sum: 0, count: 0 };
    sums.set(day, { sum: held.sum + spread, count: held.count + 1 });
  }
  for (const [day, { sum, count }] of sums)
    means.set(day, Number(((isLongFirst ? 1 : -1) * (sum / count)).toFixed(4)));
  return means;
}

/** The lines of the chart. */
export function chartSeries({ long_exchange, short_exchange }: PairCarry, days: readonly ShownDay[]) {
  let [long, short] = [0, 0];
  const cumulative = days.map((day) => {
    long += day.long_pct ?? 0;
    short += day.short_pct ?? 0;
    return { day: day.day, net: day.cumulative_pct, long, short, spread: day.price_spread_pct };
  });
  const series = (label: string, figureOf: (one: (typeof cumulative)[number]) => number | null) => ({
    label,
    points: cumulative.map((one) => ({ day: one.day, pct: figureOf(one) })),
  });
  return [
    series('Net, cumulative', ({ net }) => net),
    series(`Long ${long_exchange}, cumulative`, (one) => Number(one.long.toFixed(8))),
    series(`Short ${short_exchange}, cumulative`, (one) => Number(one.short.toFixed(8))),
    ...(days.some(({ price_spread_pct }) => price_spread_pct !== null)
      ? [series('Price spread, mean of the day', ({ spread }) => spread)]
      : []),
  ];
}
