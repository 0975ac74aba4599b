import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../../base/times.ts';
import type { Meta } from '../../../../operations/answer/meta.ts';
import { runningFunding } from '../../../../operations/tape/running.ts';
import { answerForPage } from '../../layout/visitor.ts';
import { paidByVenue } from '../coin/paid.ts';
import { daysOf } from '../coin/paid-chart.ts';
import { type DaysRange, daysRange } from '../funding/days-range.ts';
import type { PageContext } from '../page-context.ts';

/** How long before a settlement the running rate is compared with what was paid: a minute, and these hours. */
export const HOURS_BEFORE = [0, 1, 4, 8] as const;
export const RANGES_DAYS = [1, 7, 30, 90] as const;
export const USUAL_DAYS = 7;
const [, , , LONGEST_DAYS] = RANGES_DAYS;

/** The running rate at the end of a step. */
export interface RateAt {
  atMs: number;
  ratePct: number;
  intervalHours: number | null;
  nextFundingAt: string | null;
}

/** A settled payment, and what the running rate before it was. */
export interface Paid {
  atMs: number;
  ratePct: number;
  intervalHours: number | null;
  /** For HOURS_BEFORE, in percent for the interval of the payment; null where nothing was recorded. */
  predictedPct: readonly (number | null)[];
}

export interface LoadedRunning {
  coin: string;
  exchange: string;
  symbol: string;
  days: number;
  range: DaysRange;
  fromMs: number;
  toMs: number;
  stepMs: number;
  /** Oldest first. A step without a recorded minute is missing. */
  rates: readonly RateAt[];
  /** Oldest first. */
  paid: readonly Paid[];
  meta: Meta;
}

interface RunningAnswer {
  series: readonly {
    symbol: string;
    points: readonly {
      at: string;
      rate_pct: number;
      interval_hours: number | null;
      next_funding_at: string | null;
    }[];
  }[];
}

const STEPS = { '5m': 5 * MINUTE_MS, '1h': HOUR_MS } as const;
type Step = keyof typeof STEPS;

export async function loadRunning(context: PageContext): Promise<LoadedRunning> {
  const { named, sent } = context;
  const [coin, exchange] = [(named.coin ?? '').toUpperCase(), named.exchange ?? ''];
  const range = daysRange(context, LONGEST_DAYS);
  const days = daysOf(range, USUAL_DAYS);
  const wanted = sent.get('symbol')?.[0] ?? null;
  // One day more, for the rates before the first settlements.
  const hourly = await readRates(context, { coin, exchange, symbol: wanted }, '1h', days + 1);
  const { symbol, meta } = hourly;
  const name = { coin, exchange, symbol };
  const toMs = Date.parse(meta.as_of);
  const fromMs = toMs - days * DAY_MS;
  const step: Step = days === 1 ? '5m' : '1h';
  const { rates } = step === '1h' ? hourly : await readRates(context, name, step, days);
  const window = await paidByVenue(context, coin, [exchange], days, symbol);
  return {
    ...{ ...name, days, range, fromMs, toMs, meta },
    stepMs: STEPS[step],
    rates: rates.filter(({ atMs }) => atMs >= fromMs),
    paid: withPredicted(window.series[0]?.prints ?? [], hourly.rates),
  };
}

async function readRates(
  { entrance, caller }: PageContext,
  { coin, exchange, symbol }: { coin: string; exchange: string; symbol: string | null },
  step: Step,
  days: number,
): Promise<{ symbol: string; rates: RateAt[]; meta: Meta }> {
  const query = { coin, exchange, step, days: String(Math.min(days, caller.plan.historyDays ?? days)) };
  const sent = new Map(Object.entries(query).map(([name, value]) => [name, [value]]));
  if (symbol !== null) sent.set('symbol', [symbol]);
  const { data, meta } = await answerForPage<RunningAnswer>(entrance, runningFunding, caller, sent);
  const [series] = data.series;
  const asOfMs = Date.parse(meta.as_of);
  const rates = (series?.points ?? []).map(({ at, rate_pct, interval_hours, next_funding_at }) => ({
    // The values of a step are those of its end; the last step may not be over.
    atMs: Math.min(Date.parse(at) + STEPS[step], asOfMs),
    ratePct: rate_pct,
    intervalHours: interval_hours,
    nextFundingAt: next_funding_at,
  }));
  return { symbol: series?.symbol ?? symbol ?? coin, rates, meta };
}

/** Compares the rates of whole hours with the payments. */
export function withPredicted(
  prints: readonly Omit<Paid, 'predictedPct'>[],
  hourly: readonly RateAt[],
): Paid[] {
  const byHour = new Map(hourly.map((rate) => [rate.atMs / HOUR_MS, rate]));
  return prints.map((print) => ({
    ...print,
    predictedPct: HOURS_BEFORE.map((hours) => {
      const rate = byHour.get(Math.round(print.atMs / HOUR_MS) - hours);
      if (!rate?.intervalHours || print.intervalHours === null) return null;
      return (rate.ratePct / rate.intervalHours) * print.intervalHours;
    }),
  }));
}

/** One row per payment, for the CSV and the Markdown file. */
export function paidRows({ paid }: LoadedRunning): Record<string, string | number | null>[] {
  return paid.toReversed().map(({ atMs, ratePct, intervalHours, predictedPct }) => {
    const [last, ...before] = predictedPct.map((pct) => (pct === null ? null : Number(pct.toFixed(8))));
    return {
      settled_at: isoTime(atMs),
      paid_pct: ratePct,
      interval_hours: intervalHours,
      running_last_pct: last ?? null,
      ...Object.fromEntries(
        HOURS_BEFORE.slice(1).map((hours, i) => [`running_${hours}h_before_pct`, before[i] ?? null]),
      ),
    };
  });
}
