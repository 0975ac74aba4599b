import { starButton } from '../../layout/stars/stars.ts';
import { moneyText, signedText, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinMark, venueMark, venueName } from '../../markup/icons/marks.ts';
import { sparkline } from '../../markup/sparkline.ts';
import type { PagePlace } from '../lists/pager.ts';
import type { PageContext } from '../page-context.ts';
import type { MatrixCell, MatrixCoin, MatrixVenue } from './matrix-data.ts';
import { viewLink } from './query.ts';
import type { Trend } from './trends.ts';
import { aprOf, heatClass, legendLabels, rateText, UNITS, type Unit } from './units.ts';

export interface MatrixPage {
  coins: readonly MatrixCoin[];
  venues: readonly MatrixVenue[];
  trends: ReadonlyMap<string, Trend>;
  place: PagePlace;
  sort: string;
}

const SPARK_WIDTH = 66;
/** While trends are read, and for coins without stored payments. */
export const NO_TREND = html`<span class="mut" title="No settled payments of the last 7 days are known yet">–</span>`;

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
  const isBy = (name: string) => sort.startsWith(`${name}_`);
  const order = (name: string) =>
    isBy(name) ? html` aria-sort="${sort.endsWith('asc') ? 'ascending' : 'descending'}"` : null;
  const arrow = (name: string) => (isBy(name) ? ` ${sort.endsWith('asc') ? '↑' : '↓'}` : '');
  const other = (name: string) => (sort === `${name}_desc` ? `${name}_asc` : `${name}_desc`);
  const to = (name: string) => viewLink(sent, { sort: name === 'volume_desc' ? undefined : name });
  const venueHead = ({ exchange, intervalHours, lateMinutes }: MatrixVenue) => {
    const state =
      lateMinutes === null
        ? html`<small>${intervalHours === null ? '–' : `${intervalHours} h`}</small>`
        : html`<small class="warn">${lateMinutes} min late</small>`;
    return html`<th scope="col" data-x="${exchange}"${order(exchange)}>
      <a href="${to(other(exchange))}" title="Sort by the rate on ${exchange}">
        ${venueMark(exchange, 18)}${exchange}${arrow(exchange)}${state}
      </a>
    </th>`;
  };
  return html`<thead>
    <tr>
      <th class="tl" scope="col"${order('volume')}>
        <a href="${to(other('volume'))}">
          Coin<small class="d">24 h volume${arrow('volume')}</small>
          <small class="m">best carry</small>
        </a>
      </th>
      <th class="tr h1c" scope="col"${order('carry')}>
        <a href="${to(other('carry'))}" title="(Highest rate − lowest rate) × hours of a year, before fees: of each venue the largest contract">
          Best carry${arrow('carry')}
          <small>gross APR</small>
        </a>
      </th>
      <th class="tl h1c" scope="col">Long at<small>lowest rate</small></th>
      <th class="tl h1c" scope="col">Short at<small>highest rate</small></th>
      <th class="tl h1c" scope="col">7 days<small>average APR</small></th>
      <th class="tr h1c" scope="col"${order('open_interest')}>
        <a href="${to(other('open_interest'))}">Open interest${arrow('open_interest')}<small>these venues</small></a>
      </th>
      ${venues.map(venueHead)}
    </tr>
  </thead>`;
}

function coinRow(
  row: MatrixCoin,
  venues: readonly MatrixVenue[],
  trend: Trend | null,
  unit: Unit,
  stars: ReadonlySet<string>,
): Html {
  const { coin, volumeUsdt, openInterestUsdt, best, cells } = row;
  const carry = best === null ? '–' : `${best.aprPct.toFixed(1)}\u00a0%`;
  const carryTitle = carryWords(row);
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
    <td class="bc"${carryTitle === null ? null : html` title="${carryTitle}"`}>${carry}</td>
    <td class="vn">${leg(best?.long)}</td>
    <td class="vn">${leg(best?.short)}</td>
    <td class="sp">
      ${trend === null ? NO_TREND : sparkline(trend, SPARK_WIDTH, `7 days, last ${signedText(trend.at(-1) ?? 0, 1)} % APR`)}
    </td>
    <td class="oi">${usdt(openInterestUsdt)}</td>
    ${venues.map((venue) => cellHtml(cells.get(venue.exchange), venue, best, unit))}
  </tr>\n`;
}

/** The formula with the numbers of the row. */
function carryWords({ best, cells }: MatrixCoin): string | null {
  const [high, low] = [cells.get(best?.short ?? ''), cells.get(best?.long ?? '')];
  if (!best || !high || !low) return null;
  const apr = (cell: MatrixCell) => `${signedText(aprOf(cell.perHourPct), 1)} %`;
  return `${best.short} ${apr(high)} − ${best.long} ${apr(low)} = ${best.aprPct.toFixed(1)} % a year, before fees`;
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
