import { DAY_MS } from '../../../../base/times.ts';
import { GAP_DAYS } from '../../../../engines/arbitrage/price-gaps.ts';
import type { Row } from '../../layout/visitor.ts';
import { type LineChart, lineChart } from '../../markup/charts/line-chart.ts';
import { dayOfMonth, percent, signedPercent, signedText, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { sizeLines } from '../lists/size-box.ts';
import { type Carry, shownCostPct } from './carry.ts';
import { durationText } from './durations.ts';
import { type Forecasts, forecastCard } from './forecast-card.ts';
import { lastingOf, lastingSentence } from './lasting.ts';
import { carryFilePath, carryPairPath, spreadPairPath } from './paths.ts';

const LEG_USD = 10_000;
const CHART_PX = 184;
const DAYS_PER_YEAR = 365;

/** An opened row: what the pair really paid, a receipt, what is expected and why, what can go wrong. `view` has days held and slippage. */
export function detailsHtml(
  row: Row,
  carry: Carry | null,
  view: Row,
  { models, doubted }: Forecasts,
  asOf: string,
  sizeUsd: number | null,
): Html {
  return html`<div class="xg">
    <div class="card">${carryCard(row, carry)}</div>
    <div class="card">${receipt(row, carry, Number(view.hold_days), sizeUsd ?? LEG_USD)}</div>
    <div class="card">${forecastCard(row, Number(view.hold_days), { models, doubted })}</div>
    <div class="card">${risks(row, Number(view.slippage_bp), asOf, sizeUsd)}</div>
  </div>`;
}

function carryCard(row: Row, carry: Carry | null): Html {
  if (!carry)
    return html`<h3>Cumulative carry</h3><p class="mut">No settled payments of both legs are stored yet.</p>`;
  const cost = shownCostPct(row).toFixed(2);
  return html`<h3>
      Cumulative carry, last ${carry.days} days <small>
        % of one leg, settled payments less ${cost}\u00a0% to open and close now
      </small>
    </h3>
    ${lineChart(carryChart(carry))}
    <p class="mut">${sentence(paidBackText(carry))}; now ${signedPercent(carry.netPct, 2)}.</p>`;
}

function paidBackText({ paidBackHours, days }: Carry): string {
  if (paidBackHours === null) return `costs not paid back in ${days} days`;
  return `costs paid back after ${durationText(paidBackHours)}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function carryChart(carry: Carry): LineChart {
  const { points, netPct, paidBackHours } = carry;
  const paidBack = paidBackHours === null ? undefined : points.find((point) => point.netPct >= 0);
  const line = points.map((point) => [point.timeMs, point.netPct] as const);
  return {
    id: 'carry',
    label: `Cumulative carry over ${carry.days} days after costs, now ${signedPercent(netPct, 2)}; ${paidBackText(carry)}`,
    // The sum stays until the next payment, so the line reaches the present.
    series: [{ name: 'now', tone: 's1', dash: 0, isArea: true, points: [...line, [carry.toMs, netPct]] }],
    unit: '\u00a0%',
    decimals: 2,
    heightPx: CHART_PX,
    marks: paidBack ? [{ atMs: paidBack.timeMs, value: paidBack.netPct, label: paidBackText(carry) }] : [],
  };
}

/** Dollars with sign and cents. */
export function dollars(value: number): Html {
  const text = signedText(value, 2);
  const sign = /^[+−]/.test(text) ? text.charAt(0) : '';
  return html`<span class="${value > 0 ? 'pos' : value < 0 ? 'neg' : 'flat'}">${sign}$${text.slice(sign.length)}</span>`;
}

function receipt(row: Row, carry: Carry | null, holdDays: number, legUsd: number): Html {
  const title = `$${legUsd.toLocaleString('en-US')} on each leg`;
  if (!carry) return html`<h3>${title}</h3><p class="mut">Known once both legs have settled payments.</p>`;
  const { days, longPct, shortPct, netPct } = carry;
  const feePct = Number(row.fee_pct_round_trip);
  const usd = (pct: number) => (pct / 100) * legUsd;
  const verb = (pct: number) => (pct < 0 ? 'Paid' : 'Received');
  const perYear = ((longPct + shortPct) / days - shownCostPct(row) / holdDays) * DAYS_PER_YEAR;
  return html`<h3>${title}, ${days} days</h3>
    <dl class="rcpt">
      <dt>${verb(shortPct)}, short ${String(row.short_exchange)}</dt>
      <dd>${dollars(usd(shortPct))}</dd>
      <dt>${verb(longPct)}, long ${String(row.long_exchange)}</dt>
      <dd>${dollars(usd(longPct))}</dd>
      <dt>Four taker fills</dt>
      <dd>${dollars(-usd(feePct))}</dd>
      <dt title="buying at the best ask and selling at the best bid, on both venues, twice">
        Opening and closing at today’s prices
      </dt>
      <dd>${dollars(-usd(shownCostPct(row) - feePct))}</dd>
      <dt class="sum">Net, had you held it</dt>
      <dd class="sum">${dollars(usd(netPct))}</dd>
      <dt title="the payments a year, less the costs spread over ${holdDays} days, percent of one leg">
        A year, held ${holdDays} days
      </dt>
      <dd>${signedPercent(perYear, 1)}</dd>
    </dl>`;
}

/** `−0.071 % to +0.118 %`. */
export function gapRangeHtml(lowPct: unknown, highPct: unknown): Html {
  if (typeof lowPct !== 'number' || typeof highPct !== 'number')
    return html`<span title="not watched yet">–</span>`;
  return html`${signedPercent(lowPct, 3)} to ${signedPercent(highPct, 3)}`;
}

/** Over how long the range of the price gap is known: `30 d`, or `since 14 Nov` before that. */
export function gapTimeText(from: unknown, asOf: string): string {
  if (typeof from !== 'string') return '30 d';
  const days = Math.floor(Date.parse(asOf) / DAY_MS) - Math.floor(Date.parse(from) / DAY_MS) + 1;
  return days >= GAP_DAYS ? '30 d' : `since ${dayOfMonth(from)}`;
}

function risks(row: Row, slippageBp: number, asOf: string, sizeUsd: number | null): Html {
  const share =
    typeof row.positive_hours_30d_pct === 'number' ? `${row.positive_hours_30d_pct.toFixed(0)}\u00a0%` : '–';
  const fall = typeof row.max_drawdown_30d_pct === 'number' ? percent(-row.max_drawdown_30d_pct, 2) : html`–`;
  const lasting = lastingSentence(lastingOf(row));
  return html`<h3>Before you trade it</h3>
    <dl class="rcpt">
      <dt>Price gap now (short − long)</dt>
      <dd>${percent(row.price_gap_pct, 3)}</dd>
      <dt>Price gap, ${gapTimeText(row.price_gap_from, asOf)}</dt>
      <dd>${gapRangeHtml(row.price_gap_30d_low_pct, row.price_gap_30d_high_pct)}</dd>
      <dt>Hours in carry’s favour, 30 d</dt>
      <dd>${share}</dd>
      <dt>Worst UTC day of funding, 30 d</dt>
      <dd>${percent(row.worst_day_30d_pct, 2)}</dd>
      <dt>Largest fall of the funding, 30 d</dt>
      <dd>${fall}</dd>
      ${sizeUsd === null ? null : sizeLines(row, sizeUsd)}
      <dt>Fits within ${slippageBp}\u00a0bp</dt>
      <dd>${row.capacity_is_lower_bound === true ? 'at least ' : ''}${usdt(row.capacity_usd)}</dd>
    </dl>
    ${lasting && html`<p class="mut">${lasting}</p>`}
    <p class="acts">
      <a class="btn pri" href="${carryPairPath(row)}">Open pair</a>
      <a class="btn" href="${spreadPairPath(row)}">Price spread</a>
      <a class="btn" href="${carryFilePath(row)}" download>${icon('dl')}CSV</a>
    </p>`;
}
