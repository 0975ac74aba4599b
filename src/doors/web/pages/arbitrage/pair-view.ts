import { liveBadge } from '../../layout/live-badge.ts';
import { type ChartSeries, lineChart } from '../../markup/charts/line-chart.ts';
import type { Dash, Tone } from '../../markup/charts/tones.ts';
import { legMark, toneOf } from '../../markup/direction.ts';
import { percent, signedPercent } from '../../markup/format.ts';
import { countText } from '../../markup/grouped.ts';
import { type Html, html } from '../../markup/html.ts';
import { ownCoinMark, venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkTo, linkWith } from '../../markup/page-links.ts';
import { type Stat, statStrip } from '../../markup/stat-strip.ts';
import { pairDepthCards } from '../depth/pair-depth.ts';
import { daysRange, rangeNote } from '../funding/days-range.ts';
import { closedPairNotice } from '../lists/closed-markets.ts';
import type { PageContext } from '../page-context.ts';
import { gapRangeHtml, gapTimeText } from './details.ts';
import { lastingSentence } from './lasting.ts';
import { nextPaymentsCard } from './next-payments.ts';
import {
  CARRY_PATH,
  chartSeries,
  DEFAULT_DAYS,
  LONGEST_DAYS,
  type LoadedCarry,
  SIZE_PARAMETER,
} from './pair-data.ts';
import { spreadPairPath } from './paths.ts';

const RANGES_DAYS = [7, 30, 90, 180];
const STYLES: readonly (readonly [Tone, Dash])[] = [
  ['s1', 0],
  ['s3', 0],
  ['s2', 0],
  ['s8', 2],
];

/** What one pair earned day by day: figures, a chart, and a table. */
export function carryBody(loaded: LoadedCarry, context: PageContext): Html {
  const { data, age } = loaded;
  const { sent, isSignedIn } = context;
  const { coin, long_exchange: long, short_exchange: short } = data;
  const range = daysRange(context, LONGEST_DAYS);
  const chosen = range.days ?? String(Math.min(DEFAULT_DAYS, range.mostDays));
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays);
  return html`<nav class="crumb" aria-label="Breadcrumb">
      <a href="/arbitrage">Arbitrage</a>
      ${icon('right')}
      <a href="/arbitrage?coin=${encodeURIComponent(coin)}">${coin}</a>
    </nav>
    <div class="pairhd">
      <h1>
        ${ownCoinMark(coin, 24)}
        ${coin}
        <span class="bar1" aria-hidden="true"></span>
        ${legMark('long')}
        <span class="ven">${venueMark(long, 20)}${long}</span>
        ${legMark('short')}
        <span class="ven">${venueMark(short, 20)}${short}</span>
      </h1>
      <div class="end">
        ${liveBadge(age, linkTo(CARRY_PATH, sent))}
        <span class="seg" role="group" aria-label="Range">
          ${ranges.map(
            (one) => html`<a
              href="${linkWith(CARRY_PATH, sent, { days: String(one) })}"${String(one) === chosen ? html` aria-current="true"` : null}>
              ${one} days
            </a>`,
          )}
        </span>
      </div>
    </div>
    ${closedPairNotice(loaded.next?.leg_closed === true)}
    ${rangeNote(range, isSignedIn)}
${figures(loaded)}
    <p class="as-of mut" id="lasting" data-live>${loaded.next && lastingSentence(loaded.next)}</p>
    <section class="card">
      <header>
        <h2>Settled carry, cumulative</h2>
        <span class="mut">% of one leg, before fees</span>
        <a class="btn" href="${spreadPairPath({ ...data })}">Price spread</a>
        <a class="btn" href="/funding/${encodeURIComponent(coin)}/history">History of ${coin}</a>
        <a class="btn" href="${linkTo(`${CARRY_PATH}.csv`, sent)}" download>${icon('dl')}CSV</a>
      </header>
      <div class="pad">
        ${carryChart(loaded)}
      </div>
    </section>
    ${pairDepthCards(loaded.depth, CARRY_PATH, context, SIZE_PARAMETER)}
    ${nextPaymentsCard(loaded.next)}
${daysCard(loaded)}`;
}

function carryChart(loaded: LoadedCarry): Html {
  const { coin, long_exchange: long, short_exchange: short } = loaded.data;
  const hasPayments = loaded.days.some(({ net_pct }) => net_pct !== null);
  return lineChart({
    id: 'carry',
    label: `Settled carry of ${coin}, long ${long}, short ${short}`,
    series: hasPayments ? lines(loaded) : [],
    unit: '\u00a0%',
    decimals: 3,
    isDaily: true,
    empty: html`<p class="mut">No payment of both legs is held in these days.</p>`,
  });
}

function lines({ data, days }: LoadedCarry): ChartSeries[] {
  return chartSeries(data, days).map(({ label, points }, i) => {
    const [tone, dash] = STYLES[i] ?? ['s4', 1];
    return {
      name: label.replace(/, .*/, ''),
      tone,
      dash,
      points: points.map(({ day, pct }) => [Date.parse(`${day}T00:00:00Z`), pct]),
    };
  });
}

function figures(loaded: LoadedCarry): Html | null {
  const { days } = loaded;
  const known = days.flatMap(({ net_pct }) => (net_pct === null ? [] : [net_pct]));
  if (known.length === 0) return null;
  const total = days.at(-1)?.cumulative_pct ?? 0;
  const worst = Math.min(...known);
  const mean = total / known.length;
  const earning = known.filter((net) => net > 0).length;
  return statStrip(
    [
      {
        label: 'Earned',
        value: signedPercent(total, 3),
        tone: toneOf(total),
        meaning: `in ${countText(known.length, 'day')}, before fees`,
      },
      { label: 'A day', value: signedPercent(mean, 3), tone: toneOf(mean), meaning: 'on average' },
      {
        label: 'A year',
        value: signedPercent(mean * 365, 1),
        tone: toneOf(mean),
        meaning: 'at that average',
      },
      {
        label: 'Days that earned',
        value: html`${earning} <small>of ${known.length}</small>`,
        meaning: 'with a payment on both legs',
      },
      {
        label: 'Worst day',
        value: signedPercent(worst, 3),
        tone: toneOf(worst),
        meaning: 'of funding, of the UTC days shown',
      },
      gapStat(loaded),
    ],
    'figures',
  );
}

/** How far the prices of the legs moved apart: what the worst day, which is of funding, does not show. */
function gapStat({ next, age }: LoadedCarry): Stat {
  const [low, high] = [next?.price_gap_30d_low_pct ?? null, next?.price_gap_30d_high_pct ?? null];
  return {
    label: 'Price gap moved',
    value: low === null || high === null ? '–' : `${(high - low).toFixed(3)}\u00a0%`,
    meaning: html`${gapRangeHtml(low, high)}, ${gapTimeText(next?.price_gap_from, age.as_of)}`,
  };
}

function daysCard({ data, days }: LoadedCarry): Html {
  const { long_exchange: long, short_exchange: short } = data;
  if (days.length === 0)
    return html`<section class="card mt">
      <div class="empty"><p>No day of this pair is held in this window.</p></div>
    </section>`;
  const head = (label: string, small: string) =>
    html`<th scope="col" class="num">${label}<small>${small}</small></th>`;
  const cell = (value: number | null) => html`<td class="num">${percent(value, 3)}</td>`;
  return html`<section class="card mt" id="days" data-live>
    <header>
      <h2>Day by day</h2>
      <span class="mut">newest first; a day without a payment on both legs is a gap, never zero</span>
    </header>
    <div class="tw" tabindex="0" role="region" aria-label="Carry per day">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">UTC day</th>
            ${head('Long', long)}
            ${head('Short', short)}
            ${head('Net', 'of one leg')}
            ${head('Cumulative', 'net')}
            ${head('Price spread', 'mean of the day')}
          </tr>
        </thead>
        <tbody>
          ${days.toReversed().map(
            (day) => html`<tr data-key="${day.day}">
              <th scope="row">
                ${day.day}
                ${
                  day.is_complete
                    ? null
                    : html` <span class="tag" title="Not all payments of the day are known yet">in part</span>`
                }
              </th>
              ${cell(day.long_pct)}
              ${cell(day.short_pct)}
              ${cell(day.net_pct)}
              ${cell(day.cumulative_pct)}
              ${cell(day.price_spread_pct)}
            </tr>\n`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
