import { Problem } from '../../../../base/problems.ts';
import { lineChart } from '../../charts/line-chart.ts';
import { type SeriesStyle, seriesTones } from '../../charts/tones.ts';
import type { PageContext } from '../../market-page.ts';
import { flat, type Html, html } from '../../markup/html.ts';
import type { Row } from '../../visitor.ts';
import { type DaysRange, daysRange, rangeNote } from '../funding/days-range.ts';
import { coinPath, segment } from './head.ts';
import { cumulative, dailyByVenue, dailyPoints, type Point, paidByVenue } from './paid.ts';
import { changed, sentValue } from './query.ts';
import { choiceChips, type VenueChoice, venueChoice, venuesByVolume } from './venue-choice.ts';

export type PaidMode = 'cumulative' | 'daily';

/** The lines of the chart of a coin's page. */
export interface PaidChart {
  mode: PaidMode;
  days: number;
  range: DaysRange;
  choice: VenueChoice;
  /** Null while the history cannot be read. */
  lines: readonly PaidLine[] | null;
}

interface PaidLine {
  exchange: string;
  points: readonly Point[];
}

export const RANGES_DAYS = [7, 30, 90, 180, 365];
export const LONGEST_DAYS = 365;

/** `90 d`, `1 y`. */
export const rangeText = (days: number): string => (days === 365 ? '1 y' : `${days} d`);
const DEFAULT_DAYS = 30;
const POINTS_PER_LINE = 120;
/** Payments come by the hour at most, so a chart of this age is still right. */
const KEPT_MS = 60_000;
const MOST_KEPT = 500;

const kept = new WeakMap<object, Map<string, { untilMs: number; lines: readonly PaidLine[] }>>();

/** The days of the range; an unreadable number counts as the default. */
export function daysOf(range: DaysRange, usualDays = DEFAULT_DAYS): number {
  const days = Number(range.days);
  const usual = Math.min(usualDays, range.mostDays);
  return range.days !== null && Number.isInteger(days) && days > 0 ? days : usual;
}

/** What funding really paid on the chosen venues. Kept for a minute: many pages show the same lines. */
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
  const key = [coin, mode, days, caller.plan.name, ...choice.chosen].join(' ');
  const charts = kept.get(entrance.data) ?? new Map();
  kept.set(entrance.data, charts);
  const nowMs = entrance.clock.nowMs();
  const known = charts.get(key);
  if (known && known.untilMs > nowMs) return { mode, days, range, choice, lines: known.lines };
  let lines: readonly PaidLine[];
  try {
    lines = await readLines(context, coin, mode, days, choice.chosen);
  } catch (problem) {
    // The rest of the page does not need the database.
    if (problem instanceof Problem && problem.status === 503)
      return { mode, days, range, choice, lines: null };
    throw problem;
  }
  if (charts.size >= MOST_KEPT) charts.clear();
  charts.set(key, { untilMs: nowMs + KEPT_MS, lines });
  return { mode, days, range, choice, lines };
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
    const { series } = await dailyByVenue(context, coin, chosen, days, null);
    return series.map((one) => ({ exchange: one.exchange, points: dailyPoints(one) }));
  }
  const paid = await paidByVenue(context, coin, chosen, days, null);
  return paid.series.map((one) => ({
    exchange: one.exchange,
    points: cumulative(one, paid, POINTS_PER_LINE),
  }));
}

const keptCharts = new WeakMap<readonly PaidLine[], Html>();

function keptChart(lines: readonly PaidLine[], draw: () => Html): Html {
  let chart = keptCharts.get(lines);
  if (!chart) {
    chart = flat(draw());
    keptCharts.set(lines, chart);
  }
  return chart;
}

function chartOf(
  coin: string,
  { mode, days, choice, lines }: Omit<PaidChart, 'range'>,
  tones: ReadonlyMap<string, SeriesStyle>,
): Html {
  return lineChart({
    id: 'paid',
    label: `${mode === 'daily' ? 'Daily APR after fees' : 'Cumulative funding'} of ${coin} over ${days} days on ${lines?.length ?? 0} venues`,
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

/** The chart with its switches. All are links; with scripts they change the chart in place. */
export function paidCard(
  coin: string,
  { mode, days, range, choice, lines }: PaidChart,
  { sent, isSignedIn }: PageContext,
): Html {
  const path = coinPath(coin);
  const tones = seriesTones(choice.chosen);
  const modeLink = (value: PaidMode, words: string) => ({
    words,
    to: changed(path, sent, { mode: value }),
    isCurrent: value === mode,
  });
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays).map((one) => ({
    words: rangeText(one),
    to: changed(path, sent, { days: String(one) }),
    isCurrent: one === days,
  }));
  const draw = () => chartOf(coin, { mode, days, choice, lines }, tones);
  // The lines are of one coin, mode, range and choice of venues.
  const chart = lines === null ? draw() : keptChart(lines, draw);
  return html`<section class="card">
    <header id="paid-head" data-part data-soft>
      <h2>What funding really paid</h2>
      ${segment('What the chart shows', [modeLink('cumulative', 'Cumulative'), modeLink('daily', 'Daily APR')])}
      ${segment('Range', ranges)}
    </header>
    ${choiceChips('paid-venues', choice, tones, (value) => changed(path, sent, { show: value }))}
    <div class="pad" id="paid-plot" data-live>${chart}</div>
    <div class="cfoot">
      <div id="paid-note" data-part>
        ${rangeNote(range, isSignedIn) ?? (mode === 'daily' ? 'Per UTC day, scaled to a year, after fees.' : 'Settled payments added up, before fees. + is paid by longs.')}
      </div>
      <a href="${path}/history">Full history</a>
    </div>
  </section>`;
}

function emptyWords({ chosen }: VenueChoice, isUnavailable: boolean): string {
  if (isUnavailable) return 'The history cannot be read at the moment. The rates above are not affected.';
  return chosen.length === 0 ? 'No venue is chosen.' : 'No settled payment is stored for these venues yet.';
}
