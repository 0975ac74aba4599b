import { funding } from '../../../../operations/funding.ts';
import { starButton } from '../../layout/stars/stars.ts';
import type { Row } from '../../layout/visitor.ts';
import { countdown, percent, price, signedText, usdt, utc } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinCell, venueCell } from '../../markup/icons/marks.ts';
import { sparkline } from '../../markup/sparkline.ts';
import { sessionTag } from '../lists/closed-markets.ts';
import type { ListPage, PageColumn } from '../lists/list-page.ts';
import { GROSS_APR_FORMULA, grossApr } from './gross-apr.ts';
import { NO_TREND } from './matrix-view.ts';
import { ageTag } from './row-age.ts';
import type { Trend } from './trends.ts';
import { heatClass, rateText, UNITS, type Unit } from './units.ts';

export const FUNDING_TEXTS = {
  path: '/funding',
  title: 'Funding rates',
  description: 'Current funding rates of crypto perpetual futures, every coin on every venue side by side',
  lead: html`<span class="d">What each contract pays at its next settlement. </span>
    <b class="pos">+</b> longs pay shorts, <b class="neg">−</b> shorts pay longs.`,
} as const;

export const TABLE_SORT = 'gross_apr_desc';
const SPARK_WIDTH = 76;

/** The last settled rate; its time is in the title. */
export function lastSettled(value: unknown, { last_funding_at: at }: Row): Html {
  const title = typeof at === 'string' ? `settled ${utc(at)}` : 'no settled rate is stored';
  return html`<span title="${title}">${percent(value)}</span>`;
}

/** A settled sum; the reason for a missing one is in its title. */
function settledSum(value: unknown, { covered_until: until }: Row): Html {
  if (typeof value !== 'number')
    return html`<span title="Less than 95 % of the payments are stored">–</span>`;
  const settled = String(until).slice(0, 16).replace('T', ' ');
  return html`<span title="Payments up to ${settled} UTC">${signedText(value, 3)}</span>`;
}

function lastSettledNumber(value: unknown, { last_funding_at: at }: Row): Html {
  if (typeof value !== 'number') return html`<span title="No settled rate is stored">–</span>`;
  return html`<span title="Settled ${utc(String(at))}">${signedText(value, 4)}</span>`;
}

function ratePill(value: unknown, { interval_hours: hours }: Row, unit: Unit): Html {
  if (typeof value !== 'number' || typeof hours !== 'number')
    return html`<span title="The venue does not publish the interval">–</span>`;
  return html`<span class="pill ${heatClass(value / hours)}">${rateText(value / hours, unit)}</span>`;
}

function contractName(value: unknown, row: Row): Html {
  return html`${String(value)}
    ${row.is_inverse === true ? html` <span class="badge">inverse</span>` : null}
    ${sessionTag(row)}
    ${
      row.price_outlier === true
        ? html` <span class="badge" title="Its price does not fit the other venues': most likely another coin">
            other coin?
          </span>`
        : null
    }`;
}

const columnsIn = (unit: Unit): readonly PageColumn[] => [
  { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
  {
    field: 'exchange',
    label: 'Venue',
    format: (value, { old_minutes: old }) =>
      html`${venueCell(value)}${ageTag(typeof old === 'number' ? old : undefined)}`,
    sorts: ['exchange_asc'],
  },
  { field: 'symbol', label: 'Contract', isDeskOnly: true, format: contractName },
  {
    field: 'rate_pct',
    label: 'Rate',
    small: UNITS[unit].words,
    title: 'The rate of the next settlement, in one unit whatever the interval',
    isNumber: true,
    format: (value, row) => ratePill(value, row, unit),
  },
  {
    field: 'gross_apr_pct',
    label: 'APR',
    small: '% gross',
    title: GROSS_APR_FORMULA,
    isNumber: true,
    format: (_value, row) => grossApr(row),
    sorts: ['gross_apr_desc', 'gross_apr_asc'],
  },
  {
    field: 'rate_pct',
    label: 'As paid',
    small: '% per settlement',
    title: 'What the venue will charge at the next settlement, and how often it settles',
    isNumber: true,
    format: (value, row) =>
      html`${signedText(Number(value), 4)} <span class="mut">
          / ${typeof row.interval_hours === 'number' ? `${row.interval_hours}\u00a0h` : '–'}
        </span>`,
    sorts: ['abs_rate_desc', 'rate_desc', 'rate_asc'],
  },
  {
    field: 'next_funding_at',
    label: 'Settles in',
    isNumber: true,
    format: countdown,
    sorts: ['next_funding_asc', 'next_funding_desc'],
  },
  {
    field: 'sum_7d_pct',
    label: '7 d',
    small: '% settled',
    title: 'The settled payments of the last 7 days, added up, before fees',
    isNumber: true,
    format: settledSum,
    sorts: ['sum_7d_desc', 'sum_7d_asc'],
  },
  {
    field: 'sum_30d_pct',
    label: '30 d',
    small: '% settled',
    title: 'The settled payments of the last 30 days, added up, before fees',
    isNumber: true,
    format: settledSum,
    sorts: ['sum_30d_desc', 'sum_30d_asc'],
  },
  { field: 'trend', label: '7 days', small: 'APR', format: trendCell },
  {
    field: 'volume_24h_usdt',
    label: 'Volume',
    small: '24 h',
    isNumber: true,
    format: usdt,
    sorts: ['volume_desc', 'volume_asc'],
  },
  {
    field: 'open_interest_usdt',
    label: 'Open interest',
    isNumber: true,
    format: usdt,
    sorts: ['open_interest_desc', 'open_interest_asc'],
  },
  { field: 'last_rate_pct', label: 'Last settled', small: '%', isNumber: true, format: lastSettledNumber },
  { field: 'mark_price', label: 'Mark price', isNumber: true, format: price },
];

export function trendCell(value: unknown): Html {
  if (!Array.isArray(value)) return NO_TREND;
  const trend = value as unknown as Trend;
  return html`${sparkline(trend, SPARK_WIDTH, `7 days, last ${signedText(trend.at(-1) ?? 0, 1)} % APR`)}`;
}

/** The star and the name of a coin. */
function starredCoin(value: unknown, stars: ReadonlySet<string>): Html {
  return html`<span class="starred">${starButton(String(value), stars.has(String(value)))}${coinCell(value)}</span>`;
}

const COLUMNS = new Map((Object.keys(UNITS) as Unit[]).map((unit) => [unit, columnsIn(unit)]));

/** What the table shows beside the fields of the API. */
interface OwnFigures {
  trend: Trend | null;
  /** How old the rate is, in minutes; undefined up to one. */
  oldMinutes: number | undefined;
}

/** The table view as a list. */
export function tablePage(
  unit: Unit,
  figuresOf: (row: Row) => OwnFigures = () => ({ trend: null, oldMinutes: undefined }),
  stars: ReadonlySet<string> = new Set(),
): ListPage {
  return {
    ...FUNDING_TEXTS,
    operation: funding,
    noun: 'contracts',
    mainParameters: ['coin'],
    defaultSort: TABLE_SORT,
    columns: (COLUMNS.get(unit) ?? []).map((column) =>
      column.field === 'coin' ? { ...column, format: (value) => starredCoin(value, stars) } : column,
    ),
    // A trend is read in the background and comes to a row later.
    rowVariant: (row) =>
      stars.size === 0 ? `${unit} ${figuresOf(row).trend === null ? '' : 'with trend'}` : null,
    extend: (row) => {
      const { trend, oldMinutes } = figuresOf(row);
      return { ...row, trend, old_minutes: oldMinutes };
    },
  };
}
