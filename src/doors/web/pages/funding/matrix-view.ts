import { starButton } from '../../layout/stars/stars.ts';
import { moneyText, signedText } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark, venueMark, venueName } from '../../markup/icons/marks.ts';
import { sparkline } from '../../markup/sparkline.ts';
import type { PagePlace } from '../lists/pager.ts';
import type { PageContext } from '../page-context.ts';
import type { MatrixCell, MatrixCoin, MatrixVenue } from './matrix-data.ts';
import { viewLink } from './query.ts';
import type { Trend } from './trends.ts';
import { heatClass, legendLabels, rateText, UNITS, type Unit } from './units.ts';

export interface MatrixPage {
  coins: readonly MatrixCoin[];
  venues: readonly MatrixVenue[];
  trends: ReadonlyMap<string, Trend>;
  place: PagePlace;
  sort: string;
}

const SPARK_WIDTH = 66;

/** The table of the matrix. Head and first column stay in sight by CSS alone. */
export function matrixTable(
  { coins, venues, trends, sort }: MatrixPage,
  unit: Unit,
  { sent, stars }: Pick<PageContext, 'sent' | 'stars'>,
): Html {
  return html`<table class="mx" aria-label="Funding rates, ${UNITS[unit].words}">
    ${matrixHead(venues, sort, sent)}
    <tbody>${coins.map((coin) => coinRow(coin, venues, trends.get(coin.coin) ?? null, unit, stars))}</tbody>
  </table>`;
}

function matrixHead(venues: readonly MatrixVenue[], sort: string, sent: PageContext['sent']): Html {
  const isBy = (name: string) => sort.startsWith(name);
  const order = (name: string) =>
    isBy(name) ? html` aria-sort="${sort.endsWith('asc') ? 'ascending' : 'descending'}"` : null;
  const arrow = (name: string) => (isBy(name) ? ` ${sort.endsWith('asc') ? '↑' : '↓'}` : '');
  const other = (name: string) => (sort === `${name}_desc` ? `${name}_asc` : `${name}_desc`);
  const to = (name: string) => viewLink(sent, { sort: name === 'volume_desc' ? undefined : name });
  return html`<thead>
    <tr>
      <th class="tl" scope="col"${order('volume')}>
        <a href="${to(other('volume'))}">
          Coin<small class="d">24 h volume${arrow('volume')}</small>
          <small class="m">best carry</small>
        </a>
      </th>
      <th class="tr h1c" scope="col"${order('carry')}>
        <a href="${to(other('carry'))}" title="Highest rate minus lowest rate, before fees">
          Best carry${arrow('carry')}
          <small>gross APR</small>
        </a>
      </th>
      <th class="tl h1c" scope="col">Long at<small>lowest rate</small></th>
      <th class="tl h1c" scope="col">Short at<small>highest rate</small></th>
      <th class="tl h1c" scope="col">7 days<small>average APR</small></th>
      ${venues.map(venueHead)}
    </tr>
  </thead>`;
}

function venueHead({ exchange, intervalHours, lateMinutes }: MatrixVenue): Html {
  const state =
    lateMinutes === null
      ? html`<small>${intervalHours === null ? '–' : `${intervalHours} h`}</small>`
      : html`<small class="warn">${lateMinutes} min late</small>`;
  return html`<th scope="col" data-x="${exchange}">
    <a href="/exchanges/${encodeURIComponent(exchange)}">${venueMark(exchange, 18)}${exchange}${state}</a>
  </th>`;
}

function coinRow(
  row: MatrixCoin,
  venues: readonly MatrixVenue[],
  trend: Trend | null,
  unit: Unit,
  stars: ReadonlySet<string>,
): Html {
  const { coin, volumeUsdt, best, cells } = row;
  const carry = best === null ? '–' : `${best.aprPct.toFixed(1)}\u00a0%`;
  const leg = (exchange: string | undefined) => (exchange === undefined ? '–' : venueName(exchange, 14));
  return html`<tr data-key="${coin}">
    <th scope="row">
      ${starButton(coin, stars.has(coin))}
      <a href="/funding/${encodeURIComponent(coin)}">
        ${coinMark(coin)}
        <b>${coin}</b>
        <small class="d">${moneyText(volumeUsdt)}</small>
        <small class="m">${carry}</small>
      </a>
    </th>
    <td class="bc">${carry}</td>
    <td class="vn">${leg(best?.long)}</td>
    <td class="vn">${leg(best?.short)}</td>
    <td class="sp">
      ${trend && sparkline(trend, SPARK_WIDTH, `7 days, last ${signedText(trend.at(-1) ?? 0, 1)} % APR`)}
    </td>
    ${venues.map((venue) => cellHtml(cells.get(venue.exchange), venue, best, unit))}
  </tr>\n`;
}

function cellHtml(
  cell: MatrixCell | undefined,
  venue: MatrixVenue,
  best: MatrixCoin['best'],
  unit: Unit,
): Html {
  const { exchange, lateMinutes, intervalHours } = venue;
  if (!cell)
    return lateMinutes === null
      ? html`<td class="no" title="${exchange} does not list it">–</td>`
      : html`<td class="st" title="${exchange} is ${lateMinutes} min late">–</td>`;
  const hint =
    cell.intervalHours === intervalHours
      ? null
      : html` <i${cell.intervalHours > 9 ? html` class="w"` : null}>${cell.intervalHours}h</i>`;
  const text = rateText(cell.perHourPct, unit);
  if (cell.oldMinutes !== null)
    return html`<td class="st" title="${exchange} is ${cell.oldMinutes} min late">${text}${hint}</td>`;
  const mark = best?.short === exchange ? ' hi' : best?.long === exchange ? ' lo' : '';
  return html`<td class="${heatClass(cell.perHourPct)}${mark}">${text}${hint}</td>`;
}

/** The colour scale and the marks of the matrix. */
export function matrixLegend(unit: Unit): Html {
  return html`<div class="leg">
      <span>Shorts pay</span>
      <ol aria-label="Colour scale, ${UNITS[unit].words}">
        ${legendLabels(unit).map(([name, label]) => html`<li class="${name}">${label}</li>`)}
      </ol>
      <span>Longs pay · ${UNITS[unit].words}</span>
    </div>
    <span class="key d"><span class="sw rg"></span>row low and high</span>
    <span class="key d"><span class="sw st"></span>late</span>
    <span class="key d"><b>4h</b>settles every 4 h instead</span>`;
}
