import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS } from '../../../../base/times.ts';
import { fundingHistory } from '../../../../operations/funding-history/funding-history.ts';
import type { HistorySeries } from '../../../../operations/funding-history/points.ts';
import { answerForPage, type PageAnswer } from '../../layout/visitor.ts';
import type { PageContext } from '../page-context.ts';

export interface History {
  coin: string;
  from: string;
  to: string;
  series: readonly HistorySeries[];
}

/** What one contract really paid. */
export interface PaidSeries {
  exchange: string;
  symbol: string;
  /** When the first stored payment settled. */
  heldSince: string | null;
  prints: readonly { atMs: number; ratePct: number; intervalHours: number | null }[];
}

export interface PaidWindow {
  fromMs: number;
  toMs: number;
  series: readonly PaidSeries[];
}

export type Point = readonly [atMs: number, value: number | null];

const HOURS_PER_YEAR = 365 * 24;
/** The most days of one call of the operation with every payment. */
const DAYS_PER_CALL = 90;
/** The most days of one call with a figure for each day. */
const DAYS_PER_DAILY_CALL = 180;
/** A contract that has paid nothing for longer than this has ended; its line does too. */
const STILL_PAYING_MS = DAY_MS;

type Query = Readonly<Record<string, string>>;

function requestHistory({ entrance, caller }: PageContext, sent: Query): Promise<PageAnswer<History>> {
  const query = new Map(Object.entries(sent).map(([name, value]) => [name, [value]]));
  return answerForPage<History>(entrance, fundingHistory, caller, query);
}

/** The settled payments of some venues, as the API gives them, a venue at a time and a quarter at a time. */
export async function paidByVenue(
  context: PageContext,
  coin: string,
  exchanges: readonly string[],
  days: number,
  symbol: string | null,
): Promise<PaidWindow> {
  const { entrance, caller } = context;
  const toMs = Math.floor((entrance.clock.nowMs() - caller.plan.delaySeconds * 1000) / 1000) * 1000;
  const fromMs = toMs - days * DAY_MS;
  const parts: Query[] = [];
  for (let startMs = fromMs; startMs < toMs; startMs += DAYS_PER_CALL * DAY_MS) {
    const endMs = Math.min(toMs, startMs + DAYS_PER_CALL * DAY_MS);
    // Both ends are included, so the next part begins a minute later.
    parts.push({ from: isoTime(startMs + (startMs > fromMs ? MINUTE_MS : 0)), to: isoTime(endMs) });
  }
  const series = await Promise.all(
    exchanges.map(async (exchange): Promise<PaidSeries | null> => {
      const common = { coin, exchange, resolution: 'settlement', ...(symbol === null ? {} : { symbol }) };
      const answers = await Promise.all(parts.map((part) => requestHistory(context, { ...common, ...part })));
      const [first] = answers.flatMap(({ data }) => data.series);
      if (!first) return null;
      const prints = answers
        .flatMap(({ data }) => data.series[0]?.settlements ?? [])
        .map(({ time, rate_pct, interval_hours }) => ({
          atMs: Date.parse(time),
          ratePct: rate_pct,
          intervalHours: interval_hours,
        }));
      return { exchange, symbol: first.symbol, heldSince: first.held_since, prints };
    }),
  );
  return { fromMs, toMs, series: series.filter((one) => one !== null) };
}

/** The days of some venues, as the API gives them. */
export async function dailyByVenue(
  context: PageContext,
  coin: string,
  exchanges: readonly string[],
  days: number,
  symbol: string | null,
): Promise<History> {
  const common = { coin, ...(symbol === null ? {} : { symbol }) };
  // A filter takes at most twenty venues; beyond that all are read and the others left out.
  const isNamed = exchanges.length > 0 && exchanges.length <= 20;
  const filters = isNamed ? { ...common, exchange: exchanges.join(',') } : common;
  const parts = dailyParts(context, days);
  const answers = await Promise.all(parts.map((part) => requestHistory(context, { ...filters, ...part })));
  const [newest] = answers;
  if (!newest) throw new Error('a window has at least one part');
  const joined = new Map<string, HistorySeries>();
  for (const { data } of answers.toReversed())
    for (const one of data.series) {
      if (!exchanges.includes(one.exchange)) continue;
      const key = `${one.exchange} ${one.symbol}`;
      joined.set(key, { ...one, daily: [...(joined.get(key)?.daily ?? []), ...(one.daily ?? [])] });
    }
  return { ...newest.data, series: [...joined.values()] };
}

/** The calls of a window, the newest first. They meet at midnight, so that every day is whole in one of them. */
function dailyParts({ entrance, caller }: PageContext, days: number): Query[] {
  if (days <= DAYS_PER_DAILY_CALL) return [{ days: String(days) }];
  const nowMs = Math.floor((entrance.clock.nowMs() - caller.plan.delaySeconds * 1000) / 1000) * 1000;
  const startMs = nowMs - days * DAY_MS;
  const parts: Query[] = [];
  for (let endMs = nowMs; endMs > startMs; ) {
    const midnightMs = Math.ceil((endMs - DAYS_PER_DAILY_CALL * DAY_MS) / DAY_MS) * DAY_MS;
    const fromMs = Math.max(startMs, midnightMs);
    parts.push({ from: isoTime(fromMs), to: isoTime(endMs) });
    endMs = fromMs - 1000;
  }
  return parts;
}

/** The sum of the payments since the start of the window, at most `most` points. Exact at every point. */
export function cumulative(
  { prints }: PaidSeries,
  { fromMs, toMs }: Pick<PaidWindow, 'fromMs' | 'toMs'>,
  most: number,
): Point[] {
  if (prints.length === 0) return [];
  const stepMs = Math.max(HOUR_MS, Math.ceil((toMs - fromMs) / most / HOUR_MS) * HOUR_MS);
  const points: Point[] = [[fromMs, 0]];
  let sum = 0;
  for (const [i, { atMs, ratePct }] of prints.entries()) {
    sum += ratePct;
    const next = prints[i + 1];
    const isLastOfStep = !next || Math.floor(next.atMs / stepMs) !== Math.floor(atMs / stepMs);
    if (isLastOfStep) points.push([atMs, sum]);
  }
  const lastMs = points.at(-1)?.[0] ?? toMs;
  if (toMs > lastMs && toMs - lastMs < STILL_PAYING_MS) points.push([toMs, sum]);
  return points;
}

/**
 * What the payments of each UTC day come to in a year, before fees. A day that the API does not vouch for, because
 * payments are missing, has no figure.
 */
export function grossPerDay({ daily }: HistorySeries, paid: PaidSeries | undefined): Point[] {
  const days = new Map<number, { sum: number; hours: number }>();
  for (const { atMs, ratePct, intervalHours } of paid?.prints ?? []) {
    const day = Math.floor(atMs / DAY_MS);
    const { sum, hours } = days.get(day) ?? { sum: 0, hours: 0 };
    days.set(day, { sum: sum + ratePct, hours: hours + (intervalHours ?? 0) });
  }
  return (daily ?? []).map(({ day, apr_pct }) => {
    const atMs = Date.parse(`${day}T00:00:00Z`);
    const { sum, hours } = days.get(atMs / DAY_MS) ?? { sum: 0, hours: 0 };
    return [
      atMs,
      apr_pct === null || hours === 0 ? null : Number(((sum / hours) * HOURS_PER_YEAR).toFixed(4)),
    ];
  });
}

const WEEKLY_FROM_DAYS = 180;
const WEEK_MS = 7 * DAY_MS;

/** From 180 days on a chart has a point a week, the mean of its figures: six lines of single days hide each other. */
export function chartPoints(points: readonly Point[], days: number): readonly Point[] {
  if (days < WEEKLY_FROM_DAYS) return points;
  const weeks = Map.groupBy(points, ([atMs]) => Math.floor(atMs / WEEK_MS));
  return [...weeks].map(([week, ofWeek]) => {
    const known = ofWeek.flatMap(([, value]) => value ?? []);
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    return [week * WEEK_MS, known.length === 0 ? null : mean];
  });
}
