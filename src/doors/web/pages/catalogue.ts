import { coinsOperation } from '../../../operations/coins.ts';
import { exchangesOperation } from '../../../operations/exchanges.ts';
import { coinLink, percent, plain, usdt, yesNo } from '../format.ts';
import { html } from '../html.ts';
import type { ListPage } from '../list-page.ts';

export const COINS_PAGE: ListPage = {
  path: '/coins',
  operation: coinsOperation,
  mainParameters: ['q', 'exchange', 'min_venues'],
  columns: [
    { field: 'coin', label: 'Coin', format: coinLink, sorts: ['coin_asc'] },
    {
      field: 'venue_count',
      label: 'Venues',
      isNumber: true,
      format: plain,
      sorts: ['venues_desc', 'venues_asc'],
    },
    {
      field: 'volume_24h_usdt',
      label: '24 h volume',
      isNumber: true,
      format: usdt,
      sorts: ['volume_desc', 'volume_asc'],
    },
    { field: 'exchanges', label: 'Quoted on', format: plain },
  ],
};

export const EXCHANGES_PAGE: ListPage = {
  path: '/exchanges',
  operation: exchangesOperation,
  mainParameters: ['q', 'has_spot'],
  columns: [
    {
      field: 'exchange',
      label: 'Venue',
      format: (value, row) =>
        html`<img src="${String(row.icon_url)}" alt="" width="20" height="20"> <a href="/funding?exchange=${encodeURIComponent(String(value))}">${String(value)}</a>`,
      sorts: ['name_asc'],
    },
    {
      field: 'tracked_instruments',
      label: 'Contracts',
      isNumber: true,
      format: plain,
      sorts: ['instruments_desc'],
    },
    {
      field: 'taker_fee_pct',
      label: 'Taker fee',
      isNumber: true,
      format: (value) => percent(value, 3),
      sorts: ['fee_asc'],
    },
    {
      field: 'max_leverage',
      label: 'Max leverage',
      isNumber: true,
      format: (value) => html`${String(value)}×`,
      sorts: ['leverage_desc'],
    },
    { field: 'has_spot', label: 'Spot', format: yesNo },
    {
      field: 'funding_url',
      label: 'At the venue',
      format: (value, row) =>
        html`<a rel="noopener" href="${String(value)}">funding</a> · <a rel="noopener" href="${String(row.specs_url)}">contracts</a>${
          typeof row.fee_url === 'string' ? html` · <a rel="noopener" href="${row.fee_url}">fees</a>` : null
        }`,
    },
  ],
};
