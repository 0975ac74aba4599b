import { LRUCache } from 'lru-cache';
import { perSnapshot } from '../../../../base/per-snapshot.ts';
import { Problem } from '../../../../base/problems.ts';
import { isoTime, SECOND_MS } from '../../../../base/times.ts';
import type { DataSources } from '../../../../operations/operation.ts';
import type { Row } from '../../layout/visitor.ts';
import { chartCaption, lineChart } from '../../markup/charts/line-chart.ts';
import { seriesTones } from '../../markup/charts/tones.ts';
import { type Html, html } from '../../markup/html.ts';
import { type DaysRange, daysRange, rangeText } from '../funding/days-range.ts';
import type { PageContext } from '../page-context.ts';
import { chartPoints, cumulative, dailyByVenue, grossPerDay, type Point, paidByVenue } from './paid.ts';
import { sentValue } from './query.ts';
import { type VenueChoice, venueChoice, venuesByVolume } from './venue-choice.ts';

export type PaidMode = 'cumulative' | 'daily';

/** The chart of a coin's page. */
export interface PaidChart {
  mode: PaidMode;
  days: number;
  range: DaysRange;
  choice: VenueChoice;
  chart: Html;
}

interface PaidLine {
  exchange: string;
  points: readonly Point[];
}

export const LONGEST_DAYS = 365;

const DEFAULT_DAYS = 30;
const POINTS_PER_LINE = 120;
/** Payments come by the hour at most, so a chart of this age is still right. */
const VALID_MS = 60_000;
const MAX_CHARTS = 500;

/** The charts of a process: many pages show the same. */
const chartsOf = perSnapshot(
  (_data: DataSources) => new LRUCache<string, { untilMs: number; chart: Html }>({ max: MAX_CHARTS }),
);

/** The days of the range; an unreadable number counts as the default. */
export function daysOf(range: DaysRange, usualDays = DEFAULT_DAYS): number {
  const days = Number(range.days);
  const usual = Math.min(usualDays, range.mostDays);
  return range.days !== null && Number.isInteger(days) && days > 0 ? days : usual;
}

/** What funding really paid on the chosen venues. */
export async function loadPaid(
  context: PageContext,
  coin: string,
  rates: readonly Row[],
): Promise<PaidChart> {
  const { sent, entrance, caller } = context;
  const range = daysRange(context, LONGEST_DAYS);
  const days = daysOf(range);
  const mode: PaidMode = sentValue(sent, 'mode') === 'daily' ? 'daily' : 'cumulative';
  const choice = venueChoice(sentValue(sent, 'show'), venuesByVolume(rates));
  const shown = { mode, days, range, choice };
  const key = [coin, mode, days, caller.plan.name, ...choice.chosen].join(' ');
  const charts = chartsOf(entrance.data);
  const nowMs = entrance.clock.nowMs();
  const asOf = isoTime(nowMs - caller.plan.delaySeconds * SECOND_MS);
  const known = charts.get(key);
  if (known && known.untilMs > nowMs) return { ...shown, chart: known.chart };
  try {
    const lines = await readLines(context, coin, mode, days, choice.chosen);
    const chart = chartOf(coin, asOf, shown, lines);
    charts.set(key, { untilMs: nowMs + VALID_MS, chart });
    return { ...shown, chart };
  } catch (problem) {
    // The rest of the page does not need the database.
    if (problem instanceof Problem && problem.status === 503)
      return { ...shown, chart: chartOf(coin, asOf, shown, null) };
    throw problem;
  }
}

async function readLines(
  context: PageContext,
  coin: string,
  mode: PaidMode,
  days: number,
  chosen: readonly string[],
): Promise<readonly PaidLine[]> {
  if (chosen.length === 0) return [];
  if (mode === 'daily') {
    const [{ series }, { series: paid }] = await Promise.all([
      dailyByVenue(context, coin, chosen, days, null),
      paidByVenue(context, coin, chosen, days, null),
    ]);
    const paidOn = (name: string) => paid.find(({ exchange }) => exchange === name);
    return series.map((one) => ({
      exchange: one.exchange,
      points: chartPoints(grossPerDay(one, paidOn(one.exchange)), days),
    }));
  }
  const paid = await paidByVenue(context, coin, chosen, days, null);
  return paid.series.map((one) => ({
    exchange: one.exchange,
    points: cumulative(one, paid, POINTS_PER_LINE),
  }));
}

/** `lines` is null while the history cannot be read. */
function chartOf(
  coin: string,
  asOf: string,
  { mode, days, choice }: Omit<PaidChart, 'chart'>,
  lines: readonly PaidLine[] | null,
): Html {
  const tones = seriesTones(choice.chosen);
  const shown = mode === 'daily' ? 'Funding per day, as APR before fees' : 'Funding paid, added up';
  return lineChart({
    id: 'paid',
    caption: chartCaption(coin, shown, rangeText(days), asOf),
    label: `${shown} of ${coin} over ${days} days on ${lines?.length ?? 0} venues`,
    unit: ' %',
    decimals: mode === 'daily' ? 1 : 3,
    isDaily: mode === 'daily',
    series: (lines ?? []).map(({ exchange, points }) => ({
      name: exchange,
      ...(tones.get(exchange) ?? { tone: 's1', dash: 0 }),
      points,
    })),
    empty: html`<p class="mut">${emptyWords(choice, lines === null)}</p>`,
  });
}

function emptyWords({ chosen }: VenueChoice, isUnavailable: boolean): string {
  if (isUnavailable) return 'The history cannot be read at the moment. The rates above are not affected.';
  return chosen.length === 0 ? 'No venue is chosen.' : 'No settled payment is stored for these venues yet.';
}
