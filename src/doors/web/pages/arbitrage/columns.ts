import type { Row } from '../../layout/visitor.ts';
import { toneOf } from '../../markup/direction.ts';
import { countdown, hours, percent, signedPercent, signedText, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { venueMark } from '../../markup/icons/marks.ts';
import { unknownAtSize } from '../lists/size-box.ts';
import { type LateVenues, lateTag } from '../venues/late-venues.ts';
import { breakEvenText } from './durations.ts';

/** What the figures of a list depend on besides its rows. */
export interface ArbitrageView {
  holdDays: number;
  slippageBp: number;
  /** The size of each leg in USD; null for the best prices. */
  sizeUsd: number | null;
  late: LateVenues;
  /** Kinds of underlying whose forecasts have been no better than expecting nothing. */
  doubted: ReadonlySet<string>;
}

/** A column of the list after the name of the coin: its head and its cells. */
export interface ArbitrageColumn {
  label: string;
  /** The label in the card of a phone, which has no heads. */
  cardLabel?: string;
  small?: (view: ArbitrageView) => string;
  /** The formula. */
  title?: string;
  sorts?: readonly string[];
  /** The class of its cells; `num` is a number. */
  name: string;
  cell: (row: Row, view: ArbitrageView) => Html;
}

/** A size below this is hard to trade, so the row says so. */
const THIN_USD = 10_000;
const LOWER_BOUND = 'at least: the order book is not known as far as the slippage reaches';
const STEADY_PCT = 75;
const BAR_WIDTH = 56;
const DAYS_PER_YEAR = 365;
const NET_FORMULA = 'a year, less the costs of opening and closing, spread over the days held';

export const COLUMNS: readonly ArbitrageColumn[] = [
  {
    label: 'Long at',
    cardLabel: 'Long',
    name: 'lg',
    cell: (row, { late }) => leg('long', row, late),
  },
  {
    label: 'Short at',
    cardLabel: 'Short',
    name: 'lg',
    cell: (row, { late }) => leg('short', row, late),
  },
  {
    label: 'Net APR now',
    small: ({ holdDays }) => `held ${holdDays} d, after costs`,
    title: `Rate at the short − rate at the long, ${NET_FORMULA}`,
    sorts: ['net_apr_desc', 'net_apr_asc'],
    name: 'num big',
    cell: netApr,
  },
  {
    label: 'Likely',
    cardLabel: 'Likely APR',
    small: ({ holdDays }) => `net, next ${holdDays} d`,
    title:
      'Range of the payments of the days held that four of five past outcomes fell into, ' +
      `${NET_FORMULA}; below it what is expected. Ordered by the lower end`,
    sorts: ['expected_low_net_desc', 'expected_low_net_asc'],
    name: 'num ey',
    cell: expectedCell,
  },
  realisedColumn(7),
  realisedColumn(30),
  {
    label: 'Fees',
    small: () => '4 fills',
    title: 'Taker fees of opening and closing both legs, percent of one leg',
    sorts: ['fee_asc', 'fee_desc'],
    name: 'num fe',
    cell: (row) => html`${Number(row.fee_pct_round_trip).toFixed(2)}\u00a0%`,
  },
  {
    label: 'Break-even',
    small: () => 'at today’s rates',
    title: 'Time to the settlement after which the payments have covered fees and book widths',
    sorts: ['break_even_asc', 'break_even_desc'],
    name: 'num',
    cell: breakEven,
  },
  {
    label: 'Price gap',
    small: () => 'short − long',
    title:
      'Mid price at the short − mid price at the long, percent of the latter. A gap that closes is a gain',
    name: 'num gp',
    cell: (row) => percent(row.price_gap_pct, 2),
  },
  {
    label: 'Stability',
    small: () => 'hours positive, 30 d',
    title: 'Share of the last 30 days’ hours in which the short was paid more than the long paid',
    sorts: ['positive_hours_desc', 'positive_hours_asc'],
    name: 'num',
    cell: (row) => stability(row.positive_hours_30d_pct),
  },
  {
    label: 'Capacity',
    small: ({ slippageBp }) => `each leg, ${slippageBp} bp`,
    title: 'Size of each leg that fits into the smaller book within the slippage',
    sorts: ['capacity_desc', 'capacity_asc'],
    name: 'num',
    cell: capacity,
  },
  {
    label: 'Next payment',
    small: () => 'long · short',
    name: 'num nx',
    cell: (row) =>
      html`<small>L</small> ${nextPayment('long', row)}<br><small>S</small> ${nextPayment('short', row)}`,
  },
];

/** All cells of a row after the name of the coin. */
export function cellsOf(columns: readonly ArbitrageColumn[], row: Row, view: ArbitrageView): Html {
  return html`${columns.map(
    ({ label, cardLabel = label, name, cell }) =>
      html`<td role="cell" class="${name}" data-l="${cardLabel}">${cell(row, view)}</td>`,
  )}`;
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

/** `less 0.21 % over 30 d`. */
function lessCosts({ cost_pct_round_trip: cost }: Row, { holdDays }: ArbitrageView): string {
  return `less ${Number(cost).toFixed(2)}\u00a0% over ${holdDays}\u00a0d`;
}

function netApr(row: Row, view: ArbitrageView): Html {
  const { net_apr_pct: net } = row;
  if (typeof net !== 'number') return unknownAtSize(row, view.sizeUsd);
  const title = `${signedPercent(Number(row.gross_apr_pct), 1)} gross ${lessCosts(row, view)}`;
  return html`<b class="apr ${toneOf(net)}" title="${title}">${signedPercent(net, 1)}</b>`;
}

/** An end of the expected range a year, less the costs; null without a forecast. */
export function expectedEndApr(row: Row, end: 'low' | 'high', holdDays: number): number | null {
  const carry = row[`expected_${end}_pct`];
  const { cost_pct_round_trip: cost } = row;
  if (typeof carry !== 'number' || typeof cost !== 'number') return null;
  return ((carry - cost) / holdDays) * DAYS_PER_YEAR;
}

/** `−2 to +11`: whole percents are enough for a range. */
export function expectedRange(row: Row, holdDays: number): string {
  const [low, high] = [expectedEndApr(row, 'low', holdDays), expectedEndApr(row, 'high', holdDays)];
  return low === null || high === null ? '' : `${signedText(low, 0)} to ${signedText(high, 0)}`;
}

function expectedCell(row: Row, view: ArbitrageView): Html {
  const { expected_net_apr_pct: net, probability_net_positive: share } = row;
  if (row.cost_pct_round_trip === null) return unknownAtSize(row, view.sizeUsd);
  if (typeof net !== 'number')
    return html`<span title="no forecast: under 95 % of the payments of 30 days are held">–</span>`;
  if (view.doubted.has(String(row.asset_class))) return meanInstead(row, view);
  const chance =
    typeof share === 'number' ? `; ${(share * 100).toFixed(0)}\u00a0% likely to earn more than it costs` : '';
  const title = `Now ${signedPercent(Number(row.net_apr_pct), 1)}, expected ${signedPercent(net, 1)}${chance}. Open the row to see why`;
  const low = expectedEndApr(row, 'low', view.holdDays);
  const range = expectedRange(row, view.holdDays);
  if (low === null) return html`<span title="${title}">exp. ${signedPercent(net, 1)}</span>`;
  return html`<b class="${toneOf(low)}" title="${title}">${range}\u00a0%</b>
    <small>exp. ${signedPercent(net, 1)}</small>`;
}

function meanInstead(row: Row, view: ArbitrageView): Html {
  const apr = realisedNetApr(row, 30, view.holdDays);
  const title =
    'Forecasts of this kind of underlying have been no better than expecting nothing: this is what the last 30 days paid';
  return apr === null
    ? html`<span title="under 95 % of the payments are held">–</span>`
    : html`<span title="${title}">${signedPercent(apr, 1)}</span>
    <small>mean of 30 d</small>`;
}

/** What settled payments earned a year, less the same costs as `net_apr_pct`; null if too few payments are stored. */
export function realisedNetApr(row: Row, days: 7 | 30, holdDays: number): number | null {
  const paid = row[`realised_${days}d_pct`];
  const { cost_pct_round_trip: cost } = row;
  if (typeof paid !== 'number' || typeof cost !== 'number') return null;
  return (paid / days - cost / holdDays) * DAYS_PER_YEAR;
}

function realisedColumn(days: 7 | 30): ArbitrageColumn {
  return {
    label: `${days} d`,
    cardLabel: `${days} d APR`,
    small: () => 'settled, net',
    title: `Payments of the last ${days} days ${NET_FORMULA}`,
    sorts: [`realised_${days}d_desc`, `realised_${days}d_asc`],
    name: 'num',
    cell: (row, view) => {
      if (row.cost_pct_round_trip === null) return unknownAtSize(row, view.sizeUsd);
      const apr = realisedNetApr(row, days, view.holdDays);
      if (apr === null) return html`<span title="under 95 % of the payments are held">–</span>`;
      const paid = signedPercent(Number(row[`realised_${days}d_pct`]), 3);
      const until = (side: 'long' | 'short') =>
        String(row[`${side}_covered_until`]).slice(5, 16).replace('T', ' ');
      const title = `${paid} paid ${lessCosts(row, view)}; up to ${until('long')} (long), ${until('short')} UTC (short)`;
      return html`<span title="${title}">${signedPercent(apr, 1)}</span>`;
    },
  };
}

function breakEven(row: Row, view: ArbitrageView): Html {
  const { break_even_hours: value, price_gap_pct: gap, cost_pct_round_trip: cost } = row;
  if (cost === null) return unknownAtSize(row, view.sizeUsd);
  const time =
    typeof value === 'number'
      ? html`${breakEvenText(value)}`
      : html`<span title="the payments do not cover the costs within a year">never</span>`;
  if (typeof gap !== 'number' || gap < Number(cost) || value === 0) return time;
  const title = `If the price gap of ${signedPercent(gap, 2)} closes, it pays the costs of ${Number(cost).toFixed(2)}\u00a0%`;
  return html`${time}<small class="gapc" title="${title}">at once if the gap closes</small>`;
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
  if (typeof value !== 'number') return html`<span title="no order book of the last ten minutes">–</span>`;
  if (isLower === true) return html`<span title="${LOWER_BOUND}">≥\u00a0${usdt(value)}</span>`;
  return html`${usdt(value)}
    ${value < THIN_USD ? html` <span class="tag warn" title="under $10 k fits">thin</span>` : null}`;
}

function nextPayment(side: 'long' | 'short', row: Row): Html {
  return countdown(row[`${side}_next_funding_at`], { interval_hours: row[`${side}_interval_hours`] });
}
