import { DEFAULT_SIZE_USD } from '../../../../engines/depth/table.ts';
import type { BandBp } from '../../../../market/depth/side-curve.ts';
import { depth } from '../../../../operations/depth/depth.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import type { Row } from '../../layout/visitor.ts';
import { sizeText } from '../../markup/charts/size-curve.ts';
import { price, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinCell, venueMark } from '../../markup/icons/marks.ts';
import type { ListPage, PageColumn } from '../lists/list-page.ts';
import { segment, venuePicker } from '../lists/venue-picker.ts';
import { byName, openVenues } from '../open-venues.ts';
import type { PageContext } from '../page-context.ts';
import { bandText, durationText, periodText } from './book-texts.ts';
import { costText } from './costs.ts';
import { contractLink, DEPTH_PATH } from './paths.ts';

export const DEPTH_PARAMETERS = pageParameters(depth, ['page']);

const SIZES = [
  ['1000', '$1\u00a0k'],
  ['5000', '$5\u00a0k'],
  ['', '$20\u00a0k'],
  ['75000', '$75\u00a0k'],
  ['250000', '$250\u00a0k'],
] as const;
const VOLUMES = [
  ['', 'Any'],
  ['1000000', '$1\u00a0M+'],
  ['10000000', '$10\u00a0M+'],
] as const;

/** What rests near the mid of every linear contract, and what an order of the chosen size costs. */
export function depthPage({ sent }: PageContext): ListPage {
  const size = sent.get('size_usd')?.[0];
  return {
    path: DEPTH_PATH,
    operation: depth,
    title: 'Depth',
    description:
      'Order-book depth of perpetual futures by venue: what an order of your size costs, and what rests near the mid price',
    lead: html`What an order of your size costs against the book of each contract, before fees, and what rests near its mid price.`,
    noun: 'contracts',
    mainParameters: ['coin'],
    ownParameters: ['exchange', 'size_usd', 'min_volume_usdt'],
    switches,
    job: 'depth',
    columns: columnsFor(sizeText(Number(size ?? DEFAULT_SIZE_USD)), size),
    // The link of a row has the size.
    extend: (row) => row,
    rowVariant: () => size ?? '',
  };
}

function switches({ sent, entrance }: PageContext): Html {
  const venues = openVenues(entrance).map(({ facts }) => facts.exchange);
  return html`${venuePicker(venues.toSorted(byName), sent)}
    ${segment('size_usd', 'Order', SIZES, sent)}
    ${segment('min_volume_usdt', 'Volume', VOLUMES, sent)}`;
}

function columnsFor(size: string, sizeUsd: string | undefined): PageColumn[] {
  return [
    { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
    {
      field: 'exchange',
      label: 'Contract',
      format: (_value, row) => contractCell(row, sizeUsd),
      sorts: ['exchange_asc'],
    },
    { field: 'mid_price', label: 'Mid price', isNumber: true, isDeskOnly: true, format: price },
    {
      field: 'bid_ask_spread_pct',
      label: 'Spread',
      small: 'best ask − bid',
      title: '(best ask − best bid) ÷ mid price',
      isNumber: true,
      isDeskOnly: true,
      format: cost,
      sorts: ['bid_ask_spread_asc', 'bid_ask_spread_desc'],
    },
    costColumn('buy', size),
    costColumn('sell', size),
    {
      field: 'buy_cost_24h_worst_pct',
      label: 'Worst 5 %',
      small: '24 h, buy · sell',
      title: `What ${size} cost at most in 95 % of the last 24 hours: to buy, and to sell`,
      isNumber: true,
      isDeskOnly: true,
      format: (value, row) =>
        html`${cost(value)}<small class="at">${cost(row.sell_cost_24h_worst_pct)}</small>`,
    },
    bandColumn(2),
    bandColumn(10),
    bandColumn(50),
    {
      field: 'volume_24h_usdt',
      label: 'Volume',
      small: '24 h',
      isNumber: true,
      isDeskOnly: true,
      format: usdt,
      sorts: ['volume_desc', 'volume_asc'],
    },
    {
      field: 'book_age_seconds',
      label: 'Age',
      small: 'of the book',
      isNumber: true,
      format: (value, row) =>
        html`<span title="${periodText(row.period_seconds)}">${durationText(value)}</span>`,
      sorts: ['age_asc', 'age_desc'],
    },
  ];
}

function contractCell(row: Row, sizeUsd: string | undefined): Html {
  const [coin, exchange, symbol] = [String(row.coin), String(row.exchange), String(row.symbol)];
  return html`<a class="ven" href="${contractLink({ coin, exchange, symbol }, sizeUsd)}">
    ${venueMark(exchange)}<span>${exchange}<small class="way">${symbol}</small></span>
  </a>`;
}

function costColumn(what: 'buy' | 'sell', size: string): PageColumn {
  return {
    field: `${what}_cost_pct`,
    label: what === 'buy' ? `Buy ${size}` : `Sell ${size}`,
    small: 'cost now',
    title: 'Average price of the order against the mid price, by walking the book, before fees',
    isNumber: true,
    isDeskOnly: what === 'sell',
    format: (value, row) => html`<b>${cost(value)}</b>${what === 'buy' ? sellOnPhone(row) : null}`,
    sorts: [`${what}_cost_asc`],
  };
}

/** A phone has no room for a column of its own. */
function sellOnPhone({ sell_cost_pct: pct }: Row): Html {
  return html`<small class="at m">sell ${cost(pct)}</small>`;
}

/** What can be bought within a band, and below it what can be sold. */
function bandColumn(bp: BandBp): PageColumn {
  return {
    field: `ask_${bp}bp_usd`,
    label: `Within ${bp} bp`,
    small: 'buy · sell',
    title: `USD that can be bought, and below it sold, at prices within ${(bp / 100).toFixed(2)} % of the mid. ≥: the levels received end before`,
    isNumber: true,
    isDeskOnly: true,
    format: (_value, row) =>
      html`${bandText(row, 'ask', bp)}<small class="at">${bandText(row, 'bid', bp)}</small>`,
    sorts: [`depth_${bp}bp_desc`],
  };
}

function cost(pct: unknown): Html {
  return typeof pct === 'number'
    ? html`${costText(pct)}`
    : html`<span class="mut" title="The levels received do not fill the size">unknown</span>`;
}
