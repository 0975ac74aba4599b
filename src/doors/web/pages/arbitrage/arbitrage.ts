import { arbitrage } from '../../../../operations/arbitrage/arbitrage.ts';
import { coinCell } from '../../icons/marks.ts';
import type { ListPage } from '../../lists/list-page.ts';
import { hours, percent, timeOfDay, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import type { PageList, Row } from '../../visitor.ts';

export const ARBITRAGE_PAGE: ListPage = {
  path: '/arbitrage',
  operation: arbitrage,
  title: 'Funding arbitrage',
  description:
    'Which two venues to hold a coin long and short on, what it earns after fees, and what it really earned',
  lead: html`Hold a coin long on one venue and short on another: prices cancel out, and the difference of the funding remains. Net APR is at the running rates, after the taker fees of four fills and the price paid on opening. What a pair really earned is beside it: rates change, so trust the settled figures more. Enter your own fees in the filters. <a href="/developers/arbitrage">Every formula</a>.`,
  noun: 'pairs',
  mainParameters: [
    'coin',
    'exchange',
    'exchange_match',
    'fees',
    'hold_days',
    'min_volume_usdt',
    'min_capacity_usd',
  ],
  prepare: async (list) => ({
    html: html`<p class="as-of">${basis(list)}</p>`,
    markdown: `${basis(list)}\n\n`,
  }),
  columns: [
    { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
    {
      field: 'long_exchange',
      label: 'Long / short (click for its history)',
      isLines: true,
      format: (_value, row) => legsOf(row),
    },
    {
      field: 'net_apr_pct',
      label: 'Net APR',
      isNumber: true,
      format: (value) => percent(value, 1),
      sorts: ['net_apr_desc', 'net_apr_asc'],
    },
    {
      field: 'carry_pct_day',
      label: 'Carry a day',
      isNumber: true,
      format: (value) => percent(value, 3),
      sorts: ['carry_day_desc', 'carry_day_asc'],
    },
    {
      field: 'fee_pct_round_trip',
      label: 'Fees and entry',
      isNumber: true,
      isLines: true,
      format: (_value, row) =>
        html`${Number(row.fee_pct_round_trip).toFixed(3)} % fees,<br>${percent(row.entry_spread_pct, 3)} entry`,
    },
    {
      field: 'break_even_hours',
      label: 'Breaks even after',
      isNumber: true,
      format: (value) => duration(value),
      sorts: ['break_even_asc', 'break_even_desc'],
    },
    ...(['7d', '30d', '90d'] as const).map((window) => ({
      field: `realised_${window}_pct`,
      label: `Earned ${window.replace('d', ' d')}`,
      isNumber: true,
      format: (value: unknown) => percent(value, 3),
      sorts: [`realised_${window}_desc`, `realised_${window}_asc`],
    })),
    {
      field: 'positive_hours_30d_pct',
      label: 'Hours that earned',
      isNumber: true,
      format: (value) => (typeof value === 'number' ? html`${value.toFixed(0)} %` : html`–`),
      sorts: ['positive_hours_desc'],
    },
    {
      field: 'max_drawdown_30d_pct',
      label: 'Drawdown 30 d',
      isNumber: true,
      format: (value) => (typeof value === 'number' ? html`${value.toFixed(3)} %` : html`–`),
      sorts: ['max_drawdown_asc', 'max_drawdown_desc'],
    },
    {
      field: 'capacity_usd',
      label: 'Size that fits',
      isNumber: true,
      format: usdt,
      sorts: ['capacity_desc', 'capacity_asc'],
    },
    {
      field: 'volume_usdt',
      label: 'Smaller 24 h volume',
      isNumber: true,
      format: usdt,
      sorts: ['volume_desc', 'volume_asc'],
    },
    { field: 'updated_at', label: 'Quotes of', format: timeOfDay, sorts: ['updated_desc'] },
  ],
};

export function arbitragePairPath(row: Row): string {
  const query = new URLSearchParams(
    ['coin', 'long_exchange', 'short_exchange', 'long_symbol', 'short_symbol'].map((name) => [
      name,
      String(row[name]),
    ]),
  );
  return `/arbitrage/pair?${query}`;
}

function legsOf(row: Row): Html {
  const leg = (side: 'long' | 'short') =>
    html`${side} <strong>${String(row[`${side}_exchange`])}</strong> ${percent(row[`${side}_rate_pct`])} / ${hours(row[`${side}_interval_hours`])}`;
  return html`<a href="${arbitragePairPath(row)}">${leg('long')},<br>${leg('short')}</a>`;
}

const HOURS_PER_DAY = 24;

/** Hours up to two days, then days: nobody reads 1,140 hours. */
function duration(value: unknown): Html {
  if (typeof value !== 'number') return html`<span title="the carry never pays the costs">never</span>`;
  if (value < 2 * HOURS_PER_DAY) return html`${value.toFixed(1)} h`;
  return html`${(value / HOURS_PER_DAY).toFixed(1)} d`;
}

function basis({ fields }: PageList): string {
  const base = `Net APR for a position held ${Number(fields.hold_days)} days; size within ${Number(fields.slippage_bp)} basis points of the best prices.`;
  const count = Number(fields.withheld_top);
  return count === 0 ? base : `${base} The best ${count} pairs are withheld without a plan.`;
}
