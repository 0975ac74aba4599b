import { spreads } from '../../../../operations/spreads.ts';
import { coinCell } from '../../icons/marks.ts';
import type { ListPage } from '../../lists/list-page.ts';
import type { PageContext } from '../../market-page.ts';
import { hours, percent, plain, price, timeOfDay, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import type { Row } from '../../visitor.ts';
import { lateNotice, lateVenues } from '../venues/late-venues.ts';

/** Quotes of a late venue are old too, so the page names such venues before the table. */
export function spreadsPage({ venueStatus }: PageContext): ListPage {
  return {
    ...PAGE,
    prepare: async ({ meta }) => ({
      html: html`<div id="late" data-live>${lateNotice(lateVenues(venueStatus(), meta.as_of))}</div>`,
      markdown: '',
    }),
  };
}

const PAGE: ListPage = {
  path: '/spreads',
  operation: spreads,
  title: 'Live spreads',
  description: 'Price differences of the same perpetual between two venues, live',
  lead: html`Buy a perpetual on one venue and sell it on another: the difference of the prices now, in percent, the better of the two directions. Fees are not taken off; strength says how many of five conditions hold, covering the fees of a round trip among them. The table renews itself every 15 seconds.`,
  noun: 'pairs',
  mainParameters: ['coin', 'exchange', 'exchange_match', 'min_spread_pct', 'min_strength', 'min_volume_usdt'],
  columns: [
    { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
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

/** The leg to buy, then the leg to sell. */
function legsOf({ direction }: Row): readonly ['a' | 'b', 'a' | 'b'] {
  return direction === 'long_a_short_b' ? ['a', 'b'] : ['b', 'a'];
}

/** The direction as an instruction, with the prices it is made of. */
function inWords(row: Row): Html {
  const [buy, sell] = legsOf(row);
  return html`buy on <strong>${String(row[`exchange_${buy}`])}</strong> at ${price(row[`ask_${buy}`])},<br>sell on <strong>${String(row[`exchange_${sell}`])}</strong> at ${price(row[`bid_${sell}`])}`;
}

/** The rates in the order of the instruction beside them. */
function fundingOf(row: Row): Html {
  const leg = (side: 'a' | 'b') =>
    html`${String(row[`exchange_${side}`])} ${percent(row[`funding_rate_${side}_pct`])} / ${hours(row[`funding_interval_hours_${side}`])}`;
  const [buy, sell] = legsOf(row);
  return html`${leg(buy)},<br>${leg(sell)}`;
}

function smaller(row: Row): number {
  return Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));
}
