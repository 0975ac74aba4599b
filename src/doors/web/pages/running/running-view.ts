import { HOUR_MS, isoTime } from '../../../../base/times.ts';
import { liveBadge } from '../../layout/live-badge.ts';
import { chartCaption, lineChart } from '../../markup/charts/line-chart.ts';
import { countdown, percent, shortTime, signClass, signedPercent, signedText } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { ownCoinMark, venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { linkChanged, linkTo } from '../../markup/page-links.ts';
import { type Stat, statStrip } from '../../markup/stat-strip.ts';
import { segment, unitLinks } from '../coin/head.ts';
import { contractLink } from '../depth/paths.ts';
import { rangeNote, rangeText } from '../funding/days-range.ts';
import { settlementsPath } from '../funding/history-paths.ts';
import { UNITS, type Unit, unitOf } from '../funding/units.ts';
import { cycleSeconds } from '../live/cycle.ts';
import type { PageContext } from '../page-context.ts';
import { runningPath } from './paths.ts';
import { type LoadedRunning, type Paid, RANGES_DAYS, type RateAt, USUAL_DAYS } from './running-data.ts';

/** Rows of the table; the CSV file has all. */
const MOST_ROWS = 60;
/** Of a range longer than a month every fourth hour is drawn. */
const THINNED_FROM_DAYS = 31;
const THINNED_MS = 4 * HOUR_MS;
const ONE_HOUR_BEFORE = 1;

export function runningBody(loaded: LoadedRunning, context: PageContext): Html {
  const { coin, exchange, symbol, meta } = loaded;
  const { sent } = context;
  const path = runningPath(coin, exchange);
  const unit = unitOf(sent, context.preferences);
  return html`<nav class="crumb" aria-label="Breadcrumb">
      <a href="/funding">Funding</a>
      ${icon('right')}
      <a href="/funding/${encodeURIComponent(coin)}">${coin}</a>
    </nav>
    <div class="pairhd">
      <h1>
        ${ownCoinMark(coin, 24)}
        ${symbol}
        <span class="bar1" aria-hidden="true"></span>
        <span class="ven">${venueMark(exchange, 20)}${exchange}</span>
      </h1>
      <div class="end">
        ${liveBadge(meta, linkTo(path, sent), cycleSeconds(context, 'depth'))}
        ${unitLinks(path, context, unit)}
      </div>
    </div>
    ${statStrip(stats(loaded), 'figures')}
    ${chartCard(loaded, context, unit)}
    ${paidCard(loaded, sent)}`;
}

function stats({ rates, paid, days }: LoadedRunning): Stat[] {
  const [now, last] = [rates.at(-1), paid.at(-1)];
  const sumPct = paid.reduce((sum, { ratePct }) => sum + ratePct, 0);
  const errorBp = meanErrorBp(paid, ONE_HOUR_BEFORE);
  return [
    rateStat('Running now', now, (rate) => html`for ${hoursText(rate)}, not yet paid`, 'none recorded'),
    {
      label: 'Next settlement',
      value: now ? countdown(now.nextFundingAt, { interval_hours: now.intervalHours }) : '–',
      meaning: now?.intervalHours ? `every ${now.intervalHours} h` : null,
    },
    rateStat('Last paid', last, ({ atMs }) => shortTime(isoTime(atMs)), 'no payment stored'),
    {
      label: `Paid in ${rangeText(days)}`,
      value: paid.length === 0 ? '–' : signedPercent(sumPct, 3),
      tone: paid.length === 0 ? null : toneOf(sumPct, 3),
      meaning: paid.length === 1 ? '1 payment' : `${paid.length} payments, before fees`,
    },
    {
      label: 'Off, 1 h before',
      value: errorBp === null ? '–' : `${errorBp.toFixed(2)}\u00a0bp`,
      meaning: 'running rate to payment, mean',
    },
  ];
}

function rateStat<T extends { ratePct: number }>(
  label: string,
  rate: T | undefined,
  meaning: (rate: T) => Stat['meaning'],
  unknown: string,
): Stat {
  if (!rate) return { label, value: '–', meaning: unknown };
  const { ratePct } = rate;
  return { label, value: signedPercent(ratePct), tone: toneOf(ratePct), meaning: meaning(rate) };
}

function toneOf(pct: number, decimals = 4): 'pos' | 'neg' | null {
  const name = signClass(pct, decimals);
  return name === 'flat' ? null : name;
}

const hoursText = ({ intervalHours }: RateAt) =>
  intervalHours === null ? 'an unknown time' : `${intervalHours} h`;

/** The mean distance of the running rate from the payment, in basis points; null if nothing can be compared. */
function meanErrorBp(paid: readonly Paid[], place: number): number | null {
  const errors = paid.flatMap(({ ratePct, predictedPct }) => {
    const predicted = predictedPct[place] ?? null;
    return predicted === null ? [] : [Math.abs(predicted - ratePct) * 100];
  });
  return errors.length === 0 ? null : errors.reduce((sum, one) => sum + one, 0) / errors.length;
}

function chartCard(loaded: LoadedRunning, { sent, isSignedIn }: PageContext, unit: Unit): Html {
  const { coin, exchange, symbol, days, range, meta } = loaded;
  const path = runningPath(coin, exchange);
  const { words, decimals } = UNITS[unit];
  const ranges = RANGES_DAYS.filter((one) => one <= range.mostDays).map((one) => ({
    words: rangeText(one),
    to: linkChanged(path, sent, { days: one === USUAL_DAYS ? undefined : String(one) }),
    isCurrent: one === days,
  }));
  return html`<section class="card" id="running">
    <header>
      <h2>Predicted and paid</h2>
      <span class="mut">${words}</span>
      ${segment('Range', ranges)}
    </header>
    <ul class="lgd">
      <li>
        <svg class="s1" viewBox="0 0 26 14" aria-hidden="true"><path class="ln" d="M0 7H26"/></svg>
        Running rate: what the next settlement would pay
      </li>
      <li>
        <svg class="s2" viewBox="0 0 26 14" aria-hidden="true"><path class="ln dots" d="M13 7h.01"/></svg>
        Paid: what was settled
      </li>
    </ul>
    <div class="pad" id="running-plot" data-live>
      ${lineChart({
        id: 'running-chart',
        label: `Running rate of ${symbol} on ${exchange} and its settled payments over ${days} days, ${words}`,
        unit: '\u00a0%',
        decimals,
        hasDays: days > 1 && days < THINNED_FROM_DAYS,
        series: [
          { name: 'Running', tone: 's1', dash: 0, points: ratePoints(loaded, unit) },
          { name: 'Paid', tone: 's2', dash: 0, isPoints: true, points: paidPoints(loaded, unit) },
        ],
        caption: chartCaption(symbol, `running and paid rate on ${exchange}`, rangeText(days), meta.as_of),
        empty: html`<p class="mut">No running rate and no payment of this range is stored.</p>`,
      })}
    </div>
    <div class="cfoot">
      <div>
        ${rangeNote(range, isSignedIn)}
        <span id="recorded" data-live>${recordedText(loaded)}</span>
      </div>
      <a href="${contractLink({ coin, exchange, symbol }, undefined)}">Order book</a>
    </div>
  </section>`;
}

/** Since when the line is recorded, and what a hole in it means. */
function recordedText({ rates, fromMs, stepMs }: LoadedRunning): Html {
  const [first] = rates;
  if (!first) return html`No running rate of this range is recorded. Rates are recorded every minute.`;
  const since =
    first.atMs > fromMs + 2 * stepMs
      ? html`Running rates are recorded since ${shortTime(isoTime(first.atMs - stepMs))}.`
      : html`Running rates of the whole range are recorded.`;
  return html`${since} A gap is a gap: nothing was recorded then, and nothing is filled in.`;
}

type Point = readonly [atMs: number, value: number | null];

const inUnit = (ratePct: number, intervalHours: number | null, unit: Unit) =>
  intervalHours === null ? null : (ratePct / intervalHours) * UNITS[unit].hours;

/** The line, with a gap where steps are missing. */
function ratePoints({ rates, days, stepMs, fromMs, toMs }: LoadedRunning, unit: Unit): Point[] {
  if (rates.length === 0) return [];
  const isThinned = days >= THINNED_FROM_DAYS;
  const everyMs = isThinned ? THINNED_MS : stepMs;
  const shown = isThinned
    ? rates.filter(({ atMs }, i) => atMs % everyMs === 0 || i === rates.length - 1)
    : rates;
  // The axis has the whole range, whatever of it is recorded.
  const points: Point[] = [[fromMs, null]];
  for (const { atMs, ratePct, intervalHours } of shown) {
    const lastMs = points.at(-1)?.[0] ?? atMs;
    if (points.length > 1 && atMs - lastMs > everyMs) points.push([lastMs + everyMs, null]);
    points.push([atMs, inUnit(ratePct, intervalHours, unit)]);
  }
  if ((points.at(-1)?.[0] ?? toMs) < toMs) points.push([toMs, null]);
  return points;
}

function paidPoints({ paid }: LoadedRunning, unit: Unit): Point[] {
  return paid.map(({ atMs, ratePct, intervalHours }) => [atMs, inUnit(ratePct, intervalHours, unit)]);
}

/** What was paid at each settlement, beside the running rate some hours before. */
function paidCard({ coin, exchange, symbol, paid }: LoadedRunning, sent: PageContext['sent']): Html {
  const rows = paid.toReversed();
  const path = runningPath(coin, exchange);
  return html`<section class="card gap" id="paid">
    <header>
      <h2>Settlement by settlement</h2>
      <span class="mut">% of the position, newest first</span>
      <a class="btn" href="${linkTo(`${path}.csv`, sent)}" download>${icon('dl')}CSV</a>
    </header>
    <div id="paid-rows" data-live>
      ${rows.length === 0 ? html`<p class="pad mut">No payment of this range is stored.</p>` : paidTable(rows)}
    </div>
    <p class="cfoot">
      <span>
        Off: the running rate one hour before, less what was paid; a basis point (bp) is 0.01 %.
        ${rows.length > MOST_ROWS ? `The newest ${MOST_ROWS} of ${rows.length} are shown; the file has all.` : null}
      </span>
      <a href="${settlementsPath(coin, exchange, symbol)}">Every payment</a>
    </p>
  </section>`;
}

function paidTable(rows: readonly Paid[]): Html {
  return html`<div class="tw" tabindex="0" role="region" aria-label="Settlement by settlement">
    <table class="t keep">
      <thead>
        <tr>
          <th scope="col">Settled</th>
          <th scope="col" class="num">Paid</th>
          <th scope="col" class="num">Running<small>last minute</small></th>
          <th scope="col" class="num">Running<small>1 h before</small></th>
          <th scope="col" class="num">Running<small>4 h before</small></th>
          <th scope="col" class="num">Running<small>8 h before</small></th>
          <th scope="col" class="num">Off<small>1 h before, bp</small></th>
        </tr>
      </thead>
      <tbody>${rows.slice(0, MOST_ROWS).map(paidRow)}</tbody>
    </table>
  </div>`;
}

function paidRow({ atMs, ratePct, predictedPct }: Paid): Html {
  const before = predictedPct[ONE_HOUR_BEFORE] ?? null;
  const offBp = before === null ? null : (before - ratePct) * 100;
  return html`<tr data-key="${atMs}">
    <th scope="row">${shortTime(isoTime(atMs))}</th>
    <td class="num"><b>${percent(ratePct)}</b></td>
    ${predictedPct.map((pct) => html`<td class="num">${pct === null ? html`<span title="not recorded">–</span>` : signedPercent(pct)}</td>`)}
    <td class="num">${offBp === null ? '–' : signedText(offBp, 2)}</td>
  </tr>\n`;
}
