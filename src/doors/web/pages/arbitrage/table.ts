import type { Row } from '../../layout/visitor.ts';
import { toneOf } from '../../markup/direction.ts';
import { countdown, hours, signedPercent, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinName, venueMark } from '../../markup/icons/marks.ts';
import { icon } from '../../markup/icons/ui-icons.ts';
import { heading, type ListPage } from '../lists/list-page.ts';
import { rowMarkup } from '../lists/row-memo.ts';
import type { PageContext } from '../page-context.ts';
import { type LateVenues, lateTag } from '../venues/late-venues.ts';
import { durationText } from './durations.ts';
import { rowName } from './paths.ts';
import { openLink, withOpen } from './query.ts';

/** A size below this is hard to trade, so the row says so. */
const THIN_USD = 10_000;
const LOWER_BOUND = 'at least: the order book is not known as far as the slippage reaches';
const STEADY_PCT = 75;
const BAR_WIDTH = 56;
const COLUMNS = 12;
const DAYS_PER_YEAR = 365;

interface ShownRow {
  row: Row;
  /** The content of the opened row; null for a closed one. */
  details: Html | null;
}

interface TableView {
  holdDays: number;
  slippageBp: number;
  late: LateVenues;
}

/** The pairs. On phones rows are cards, so the elements keep the roles of a table. */
export function pairsTable(
  page: ListPage,
  rows: readonly ShownRow[],
  view: TableView,
  sent: PageContext['sent'],
): Html {
  const closed = openLink(sent, null);
  return html`<table class="t" role="table">
    ${tableHead(page, view, sent)}
    <tbody role="rowgroup">
      ${rows.map((row) => pairRow(row, view, closed))}
    </tbody>
  </table>`;
}

function tableHead(page: ListPage, { holdDays, slippageBp }: TableView, sent: PageContext['sent']): Html {
  const head = (label: string, small?: string, sorts?: readonly string[], isNumber = true) =>
    heading(page, { label, isNumber, ...(small ? { small } : {}), ...(sorts ? { sorts } : {}) }, sent);
  return html`<thead role="rowgroup">
    <tr role="row">
      <th class="xb" scope="col"><span class="vh">Details</span></th>
      ${head('Coin', undefined, ['coin_asc'], false)}
      ${head('Long at', undefined, undefined, false)}
      ${head('Short at', undefined, undefined, false)}
      ${head('Net APR now', `held ${holdDays} d, after costs`, ['net_apr_desc', 'net_apr_asc'])}
      ${head('7 d', 'realised APR', ['realised_7d_desc', 'realised_7d_asc'])}
      ${head('30 d', 'realised APR', ['realised_30d_desc', 'realised_30d_asc'])}
      ${head('Fees', '4 fills', ['fee_asc', 'fee_desc'])}
      ${head('Break-even', 'at today’s rates', ['break_even_asc', 'break_even_desc'])}
      ${head('Stability', 'hours positive, 30 d', ['positive_hours_desc', 'positive_hours_asc'])}
      ${head('Capacity', `at least, each leg, ${slippageBp} bp`, ['capacity_desc', 'capacity_asc'])}
      ${head('Next payment', 'long · short')}
    </tr>
  </thead>`;
}

/** `closed` is the address of the list without an open row. */
function pairRow({ row, details }: ShownRow, { late }: TableView, closed: string): Html {
  const coin = String(row.coin);
  const key = `${coin} ${row.long_exchange} ${row.short_exchange}`;
  const isOpen = details !== null;
  const make = () => cellsOf(row, late);
  // How late a venue is depends on when the page is read.
  const cells = late.size > 0 ? make() : rowMarkup(row, 'cells', make);
  const names = `${coin}, long ${String(row.long_exchange)}, short ${String(row.short_exchange)}`;
  return html`<tr role="row" data-key="${key}"${isOpen ? html` class="open"` : null}>
      <td role="cell" class="xb">
        <a class="ex" role="button" href="${isOpen ? closed : withOpen(closed, rowName(row))}"
          aria-expanded="${isOpen ? 'true' : 'false'}" aria-label="Details of ${names}">
          ${icon('right')}
        </a>
      </td>
      ${cells}
    </tr>\n
    ${isOpen ? detailsRow(key, details) : null}`;
}

function detailsRow(key: string, details: Html): Html {
  return html`<tr role="row" class="xr" data-key="${key} details" data-of="${key}">
    <td role="cell" colspan="${COLUMNS}">${details}</td>
  </tr>\n`;
}

function cellsOf(row: Row, late: LateVenues): Html {
  const cell = (label: string, content: Html, name = 'num') =>
    html`<td role="cell" class="${name}" data-l="${label}">${content}</td>`;
  const netApr = html`<b class="apr ${toneOf(Number(row.net_apr_pct))}">${signedPercent(Number(row.net_apr_pct), 1)}</b>`;
  const payments = html`<small>L</small> ${nextPayment('long', row)}<br><small>S</small> ${nextPayment('short', row)}`;
  const cells = [
    html`<td role="cell" class="cn">${coinName(String(row.coin), null, 24)}</td>`,
    cell('Long', leg('long', row, late), 'lg'),
    cell('Short', leg('short', row, late), 'lg'),
    cell('Net APR now', netApr, 'num big'),
    cell('7 d APR', realised(row, 7)),
    cell('30 d APR', realised(row, 30)),
    cell('Fees', html`${Number(row.fee_pct_round_trip).toFixed(2)}\u00a0%`, 'num fe'),
    cell('Break-even', breakEven(row.break_even_hours)),
    cell('Stability', stability(row.positive_hours_30d_pct)),
    cell('Capacity', capacity(row)),
    cell('Next payment', payments, 'num nx'),
  ];
  return html`${cells}`;
}

/** A venue with the rate that its leg pays, and how late it is. */
function leg(side: 'long' | 'short', row: Row, late: LateVenues): Html {
  const exchange = String(row[`${side}_exchange`]);
  return html`<span class="leg2">
    ${venueMark(exchange, 18)}
    <b>${exchange}${lateTag(exchange, late)}</b>
    <small>${signedPercent(Number(row[`${side}_rate_pct`]))} / ${hours(row[`${side}_interval_hours`])}</small>
  </span>`;
}

/** A sum of settled payments as percent a year. */
function realised(row: Row, days: 7 | 30): Html {
  const value = row[`realised_${days}d_pct`];
  if (typeof value !== 'number') return html`<span title="under 95 % of the payments are held">–</span>`;
  const until = (side: 'long' | 'short') =>
    String(row[`${side}_covered_until`]).slice(0, 16).replace('T', ' ');
  return html`<span title="Payments up to ${until('long')} UTC (long) and ${until('short')} UTC (short)">
    ${signedPercent((value / days) * DAYS_PER_YEAR, 1)}
  </span>`;
}

function breakEven(value: unknown): Html {
  if (typeof value !== 'number')
    return html`<span title="the payments do not cover the costs within a year">never</span>`;
  return html`${durationText(value)}`;
}

function stability(value: unknown): Html {
  if (typeof value !== 'number') return html`<span title="under 95 % of the hours are known">–</span>`;
  const width = ((Math.max(0, Math.min(100, value)) / 100) * BAR_WIDTH).toFixed(1);
  return html`<span class="stab">
    <svg class="bar" viewBox="0 0 ${BAR_WIDTH} 6" width="${BAR_WIDTH}" height="6" aria-hidden="true">
      <rect width="${BAR_WIDTH}" height="6" rx="3"/>
      <rect class="f${value < STEADY_PCT ? ' lo' : ''}" width="${width}" height="6" rx="3"/>
    </svg>
    ${value.toFixed(0)}\u00a0%
  </span>`;
}

function capacity({ capacity_usd: value, capacity_is_lower_bound: isLower }: Row): Html {
  if (typeof value !== 'number') return html`<span title="no order book of the last three minutes">–</span>`;
  if (isLower === true) return html`<span title="${LOWER_BOUND}">≥\u00a0${usdt(value)}</span>`;
  return html`${usdt(value)}
    ${value < THIN_USD ? html` <span class="tag warn" title="under $10 k fits">thin</span>` : null}`;
}

function nextPayment(side: 'long' | 'short', row: Row): Html {
  return countdown(row[`${side}_next_funding_at`], { interval_hours: row[`${side}_interval_hours`] });
}
