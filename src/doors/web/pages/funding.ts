import { funding } from '../../../operations/funding.ts';
import { coinLink, countdown, hours, percent, plain, price, usdt, utc } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { ListPage } from '../list-page.ts';
import type { Row } from '../visitor.ts';

/** The same rates as a table or as a map. */
export function fundingViews(path: '/funding' | '/funding/heat-map'): Html {
  const view = (to: string, label: string) =>
    html`<a href="${to}"${to === path ? html` aria-current="page"` : null}>${label}</a>`;
  return html`<nav class="views" aria-label="View">${view('/funding', 'Table')} ${view('/funding/heat-map', 'Heat map')}</nav>`;
}

/** The last settled rate; its time is in the title. */
export function lastSettled(value: unknown, { last_funding_at: at }: Row): Html {
  const title = typeof at === 'string' ? `settled ${utc(at)}` : 'no settled rate is stored';
  return html`<span title="${title}">${percent(value)}</span>`;
}

export const FUNDING_PAGE: ListPage = {
  path: '/funding',
  operation: funding,
  title: 'Funding rates',
  description: 'Current funding rates of crypto perpetual futures on all venues',
  lead: html`What will be exchanged at the next settlement on every perpetual contract, in percent of the position. Positive: longs pay shorts. Rates with different intervals compare by APR, not as they stand.`,
  prepare: async () => ({ html: fundingViews('/funding'), markdown: '' }),
  mainParameters: ['coin', 'exchange', 'min_abs_rate_pct', 'min_volume_usdt', 'interval_hours'],
  columns: [
    { field: 'coin', label: 'Coin', format: coinLink, sorts: ['coin_asc'] },
    { field: 'exchange', label: 'Venue', format: plain, sorts: ['exchange_asc'] },
    {
      field: 'symbol',
      label: 'Contract',
      format: (value, row) =>
        html`${String(value)}${row.is_inverse === true ? html` <span class="badge">inverse</span>` : null}${
          row.price_outlier === true
            ? html` <span class="badge" title="Its price does not fit the other venues': most likely another coin">other coin?</span>`
            : null
        }`,
    },
    {
      field: 'rate_pct',
      label: 'Rate per settlement',
      isNumber: true,
      format: (value) => percent(value),
      sorts: ['rate_desc', 'rate_asc', 'abs_rate_desc'],
    },
    { field: 'interval_hours', label: 'Every', isNumber: true, format: hours },
    {
      field: 'apr_pct',
      label: 'APR, net of fees',
      isNumber: true,
      format: (value) => percent(value, 2),
      sorts: ['apr_desc', 'apr_asc'],
    },
    {
      field: 'sum_7d_pct',
      label: '7 days',
      isNumber: true,
      format: (value) => percent(value, 3),
      sorts: ['sum_7d_desc', 'sum_7d_asc'],
    },
    {
      field: 'sum_30d_pct',
      label: '30 days',
      isNumber: true,
      format: (value) => percent(value, 3),
      sorts: ['sum_30d_desc', 'sum_30d_asc'],
    },
    {
      field: 'last_rate_pct',
      label: 'Last settled',
      isNumber: true,
      format: lastSettled,
    },
    {
      field: 'next_funding_at',
      label: 'Next settlement',
      format: countdown,
      sorts: ['next_funding_asc', 'next_funding_desc'],
    },
    {
      field: 'volume_24h_usdt',
      label: '24 h volume',
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
    { field: 'mark_price', label: 'Mark price', isNumber: true, format: price },
  ],
};
