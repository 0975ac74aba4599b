import { spreads } from '../../../operations/spreads.ts';
import { coinLink, hours, percent, plain, price, timeOfDay, usdt } from '../format.ts';
import { type Html, html } from '../html.ts';
import type { ListPage } from '../list-page.ts';
import type { Row } from '../visitor.ts';

export const SPREADS_PAGE: ListPage = {
  path: '/spreads',
  operation: spreads,
  title: 'Live spreads',
  description: 'Price differences of the same perpetual between two venues, live',
  lead: html`Buy a perpetual on one venue and sell it on another: the difference of the prices now, in percent, the better of the two directions. Fees are not taken off; strength says how many of five conditions hold, covering the fees of a round trip among them. The table renews itself every 15 seconds.`,
  mainParameters: ['coin', 'exchange', 'exchange_match', 'min_spread_pct', 'min_strength', 'min_volume_usdt'],
  scripts: ['refresh'],
  columns: [
    { field: 'coin', label: 'Coin', format: coinLink, sorts: ['coin_asc'] },
    {
      field: 'spread_pct',
      label: 'Spread',
      isNumber: true,
      format: (value) => percent(value, 3),
      sorts: ['spread_desc', 'spread_asc'],
    },
    { field: 'direction', label: 'What to do', isLines: true, format: (_value, row) => inWords(row) },
    {
      field: 'strength',
      label: 'Strength',
      isNumber: true,
      format: (value) => html`${String(value)} of 5`,
      sorts: ['strength_desc'],
    },
    { field: 'funding_rate_a_pct', label: 'Funding', isLines: true, format: (_value, row) => fundingOf(row) },
    {
      field: 'volume_a_usdt',
      label: 'Smaller 24 h volume',
      isNumber: true,
      format: (_value, row) => usdt(smaller(row)),
      sorts: ['volume_desc', 'volume_asc'],
    },
    { field: 'symbol', label: 'Symbol', format: plain },
    { field: 'updated_at', label: 'Quotes of', format: timeOfDay, sorts: ['updated_desc'] },
  ],
};

/** The direction as an instruction, with the prices it is made of. */
function inWords(row: Row): Html {
  const isLongA = row.direction === 'long_a_short_b';
  const [buy, sell] = isLongA ? (['a', 'b'] as const) : (['b', 'a'] as const);
  return html`buy on <strong>${String(row[`exchange_${buy}`])}</strong> at ${price(row[`ask_${buy}`])},<br>sell on <strong>${String(row[`exchange_${sell}`])}</strong> at ${price(row[`bid_${sell}`])}`;
}

function fundingOf(row: Row): Html {
  const leg = (side: 'a' | 'b') =>
    html`${String(row[`exchange_${side}`])} ${percent(row[`funding_rate_${side}_pct`])} / ${hours(row[`funding_interval_hours_${side}`])}`;
  return html`${leg('a')},<br>${leg('b')}`;
}

function smaller(row: Row): number {
  return Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));
}
