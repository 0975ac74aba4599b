import { isoTime } from '../../../../../base/times.ts';
import { percent, time } from '../../../markup/format.ts';
import { grouped } from '../../../markup/grouped.ts';
import { type Html, html } from '../../../markup/html.ts';
import { venueName } from '../../../markup/icons/marks.ts';
import { settlementsPath } from '../../funding/history-paths.ts';
import { rateText, UNITS, type Unit } from '../../funding/units.ts';
import type { Mode } from './history-query.ts';
import { aprOfTotals, type LoadedHistory, type PaidTotals, type ShownSeries } from './history-rows.ts';

/** Rows of the table with every figure; the file has all. */
const MOST_ROWS = 300;

export const DECIMALS: Readonly<Record<Mode, number>> = { settlement: 4, '1d': 1, cumulative: 3 };

export function emptyWords({ choice, query }: LoadedHistory): string {
  return choice.chosen.length === 0
    ? 'No venue is chosen.'
    : `No payment of these venues in the last ${query.days} days is held.`;
}

export function totalsTable(coin: string, totals: readonly PaidTotals[], unit: Unit): Html {
  if (totals.length === 0) return html`<p class="pad mut">No venue is chosen.</p>`;
  const row = (one: PaidTotals) => {
    const { exchange, symbol, payments, sumPct, perHourPct, highestPct, lowestPct, longsPaidPct } = one;
    return html`<tr data-key="${exchange}">
      <td>${venueName(exchange)}</td>
      <td class="d">${symbol}</td>
      <td class="num"><b>${percent(sumPct, 3)}</b></td>
      <td class="num">${percent(aprOfTotals(one), 1)}</td>
      <td class="num">${perHourPct === null ? '–' : rateText(perHourPct, unit)}</td>
      <td class="num">${percent(highestPct)}</td>
      <td class="num">${percent(lowestPct)}</td>
      <td class="num">${longsPaidPct === null ? '–' : `${Math.round(longsPaidPct)}\u00a0%`}</td>
      <td class="num">
        <a class="lnk" href="${settlementsPath(coin, exchange, symbol)}"
          aria-label="${payments} settled payments of ${symbol} on ${exchange}">
          ${grouped(payments)}
        </a>
      </td>
    </tr>\n`;
  };
  return html`<div class="tw" tabindex="0" role="region" aria-label="Averages and sums">
    <table class="t keep">
      <thead>
        <tr>
          <th scope="col">Venue</th>
          <th scope="col" class="d">Contract</th>
          <th scope="col" class="num">Sum<small>% paid</small></th>
          <th scope="col" class="num">Average<small>APR, gross</small></th>
          <th scope="col" class="num">Average<small>${UNITS[unit].words}</small></th>
          <th scope="col" class="num">Highest<small>one payment</small></th>
          <th scope="col" class="num">Lowest<small>one payment</small></th>
          <th scope="col" class="num">Longs paid<small>of payments</small></th>
          <th scope="col" class="num">Payments<small>every one</small></th>
        </tr>
      </thead>
      <tbody>${totals.map(row)}</tbody>
    </table>
  </div>`;
}

export function figuresTable(loaded: LoadedHistory): Html {
  const { coin, series, query } = loaded;
  const { mode } = query;
  const times = [...new Set(series.flatMap(({ points }) => points.map(([atMs]) => atMs)))].sort(
    (a, b) => b - a,
  );
  if (times.length === 0) return html`<p class="pad mut">${emptyWords(loaded)}</p>`;
  const shown = times.slice(0, MOST_ROWS);
  const values = series.map(({ points }) => new Map(points));
  const head = ({ exchange, symbol, intervalsHours }: ShownSeries) =>
    html`<th scope="col" class="num">
      <a href="${settlementsPath(coin, exchange, symbol)}" title="Every settled payment of ${symbol}">
        ${exchange}
      </a>
      ${intervalsHours && html`<small>${intervalsText(intervalsHours)}</small>`}
    </th>`;
  const line = (atMs: number) =>
    html`<tr data-key="${atMs}">
      <th scope="row">${timeHtml(atMs, mode)}</th>
      ${values.map((points) => html`<td class="num">${cell(points.get(atMs), mode)}</td>`)}
    </tr>\n`;
  return html`<div class="tw lw figs" tabindex="0" role="region" aria-label="Every figure">
      <table class="t">
        <thead>
          <tr>
            <th scope="col">
              ${mode === '1d' ? html`UTC day` : mode === 'cumulative' ? 'Until' : 'Settled'}
            </th>
            ${series.map(head)}
          </tr>
        </thead>
        <tbody>${shown.map(line)}</tbody>
      </table>
    </div>
    ${
      shown.length < times.length
        ? html`<p class="cfoot">
          <span>The newest ${MOST_ROWS} of ${grouped(times.length)}; the CSV file has all.</span>
        </p>`
        : null
    }`;
}

/** `per 8 h`, or `per 4 or 8 h` for a contract whose interval has changed. */
function intervalsText(hours: readonly (number | null)[]): string {
  const known = [...new Set(hours)].filter((one) => one !== null).sort((a, b) => a - b);
  return known.length === 0 ? 'interval unknown' : `per ${known.join(' or ')} h`;
}

/** Undefined: the venue settles at other times. Null: the day is not covered. */
function cell(value: number | null | undefined, mode: Mode): Html {
  if (value === undefined) return html`<span class="mut">–</span>`;
  return percent(value, DECIMALS[mode]);
}

function timeHtml(atMs: number, mode: Mode): Html {
  const iso = isoTime(atMs);
  return mode === '1d' ? html`${iso.slice(0, 10)}` : time(iso);
}
