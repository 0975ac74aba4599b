import { DAY_MS } from '../../../../../base/times.ts';
import type { PricePoint } from '../../../../../history/prices/store.ts';
import type { HistorySeries } from '../../../../../operations/funding-history/points.ts';
import type { Age } from '../../../layout/live-badge.ts';
import type { PageAnswer } from '../../../layout/visitor.ts';
import { grossPerDay, type PaidSeries, type PaidWindow, type Point } from '../paid.ts';
import type { VenueChoice } from '../venue-choice.ts';
import type { HistoryQuery, Mode } from './history-query.ts';

const HOURS_PER_YEAR = 365 * 24;

/** What one contract paid over the window. */
export interface PaidTotals {
  exchange: string;
  symbol: string;
  payments: number;
  /** The sum of the payments, in percent of the position. */
  sumPct: number | null;
  /** The mean per hour of the payments, whatever their intervals; null if no interval is known. */
  perHourPct: number | null;
  highestPct: number | null;
  lowestPct: number | null;
  /** Payments by longs, as a share of all, in percent. */
  longsPaidPct: number | null;
}

export function totalsOf({ exchange, symbol, prints }: PaidSeries): PaidTotals {
  let [sum, timed, hours, above] = [0, 0, 0, 0];
  let [highest, lowest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const { ratePct, intervalHours } of prints) {
    sum += ratePct;
    highest = Math.max(highest, ratePct);
    lowest = Math.min(lowest, ratePct);
    if (ratePct > 0) above++;
    if (intervalHours === null) continue;
    timed += ratePct;
    hours += intervalHours;
  }
  const isEmpty = prints.length === 0;
  return {
    exchange,
    symbol,
    payments: prints.length,
    sumPct: isEmpty ? null : sum,
    perHourPct: hours > 0 ? timed / hours : null,
    highestPct: isEmpty ? null : highest,
    lowestPct: isEmpty ? null : lowest,
    longsPaidPct: isEmpty ? null : (above / prints.length) * 100,
  };
}

export function aprOfTotals({ perHourPct }: PaidTotals): number | null {
  return perHourPct === null ? null : perHourPct * HOURS_PER_YEAR;
}

/** The lines of the chart and of the table, in one order of venues. */
export interface ShownSeries {
  exchange: string;
  symbol: string;
  points: readonly Point[];
  /** Of the points of single settlements: the hours that each is for, as a payment is quoted with them. */
  intervalsHours?: readonly (number | null)[];
}

/** All that the page shows. */
export interface LoadedHistory {
  coin: string;
  query: HistoryQuery;
  choice: VenueChoice;
  series: readonly ShownSeries[];
  totals: readonly PaidTotals[];
  /** The first stored payment of these venues, if it is after the start of the range. */
  heldSince: string | null;
  prices: readonly PricePoint[];
  meta: PageAnswer<unknown>['meta'];
  age: Age;
}

/** The points of a mode: each payment, each day's APR, or the sum at the end of each day. */
export function shownSeries(mode: Mode, paid: PaidWindow, daily: readonly HistorySeries[]): ShownSeries[] {
  if (mode === '1d')
    return daily.map((one) => ({
      exchange: one.exchange,
      symbol: one.symbol,
      points: grossPerDay(
        one,
        paid.series.find(({ exchange }) => exchange === one.exchange),
      ),
    }));
  return paid.series.map((one) => {
    const { exchange, symbol, prints } = one;
    if (mode === 'cumulative') return { exchange, symbol, points: sumPerDay(one) };
    return {
      exchange,
      symbol,
      points: prints.map(({ atMs, ratePct }) => [atMs, ratePct]),
      intervalsHours: prints.map(({ intervalHours }) => intervalHours),
    };
  });
}

/** The sum since the start of the window, at each midnight and at the last payment. */
function sumPerDay({ prints }: PaidSeries): Point[] {
  const points: Point[] = [];
  let sum = 0;
  for (const [i, { atMs, ratePct }] of prints.entries()) {
    sum += ratePct;
    const next = prints[i + 1];
    // A payment at midnight belongs to the day that ends.
    const day = Math.ceil(atMs / DAY_MS);
    if (!next || Math.ceil(next.atMs / DAY_MS) !== day)
      points.push([next ? day * DAY_MS : atMs, Number(sum.toFixed(6))]);
  }
  return points;
}

const FIELDS: Readonly<Record<Mode, readonly [time: string, value: string, ...interval: string[]]>> = {
  settlement: ['time', 'rate_pct', 'interval_hours'],
  '1d': ['day', 'gross_apr_pct'],
  cumulative: ['time', 'sum_pct'],
};

/** Exactly what is shown, one row a point: for the CSV file and the Markdown file. */
export function shownRows(
  coin: string,
  mode: Mode,
  series: readonly ShownSeries[],
): Record<string, string | number | null>[] {
  const [time, value, interval] = FIELDS[mode];
  return series.flatMap(({ exchange, symbol, points, intervalsHours }) =>
    points.map(([atMs, figure], i) => ({
      coin,
      exchange,
      symbol,
      [time]: mode === '1d' ? new Date(atMs).toISOString().slice(0, 10) : isoMinute(atMs),
      [value]: figure,
      ...(interval === undefined ? {} : { [interval]: intervalsHours?.[i] ?? null }),
    })),
  );
}

export function fieldsOf(mode: Mode): string[] {
  return ['coin', 'exchange', 'symbol', ...FIELDS[mode]];
}

function isoMinute(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19)}Z`;
}
