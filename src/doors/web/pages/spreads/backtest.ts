import { SIZES_USD, type SizeUsd } from '../../../../history/samples/model.ts';
import { spreadBacktest } from '../../../../operations/spread-backtest.ts';
import { pageParameters } from '../../layout/page-parameters.ts';
import type { PageList } from '../../layout/visitor.ts';
import { percent, plain, time, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import { coinCell, venueMark } from '../../markup/icons/marks.ts';
import type { ListPage } from '../lists/list-page.ts';
import type { PageContext } from '../page-context.ts';
import { pairsOf } from './pair-chart-cache.ts';
import { pairPath } from './paths.ts';
import { spreadTabs } from './tabs.ts';

export const BACKTEST_PARAMETERS = pageParameters(spreadBacktest, ['page']);
export const DEFAULT_SIZE_USD: SizeUsd = 100;

/** One page per order size: the link to a row's chart needs the size, which the row does not have. */
const PAGES = new Map(SIZES_USD.map((sizeUsd) => [String(sizeUsd), pageOf(sizeUsd)]));
const DEFAULT_PAGE = pageOf(DEFAULT_SIZE_USD);

export function backtestPage({ sent, prefetchPairs }: PageContext): ListPage {
  const page = PAGES.get(sent.get('size_usd')?.[0] ?? '') ?? DEFAULT_PAGE;
  return {
    ...page,
    prepare: async (list) => {
      prefetchPairs(pairsOf(list.rows, Number(list.fields.size_usd) as SizeUsd));
      return { html: beforeTable(list), markdown: `${withheld(list)}\n\n` };
    },
  };
}

function pageOf(sizeUsd: SizeUsd): ListPage {
  return {
    path: '/spreads/backtest',
    operation: spreadBacktest,
    title: 'Spread backtest',
    description: 'What pairs of venues would have earned against their real order books',
    lead: html`What each pair would have earned in the last seven days at the prices an order would have got, per
      round trip after four taker fills. Funding is not
      included. <a class="lnk" href="/developers/backtest">The rule</a>`,
    noun: 'pairs',
    job: 'backtest',
    tabs: spreadTabs('backtest'),
    mainParameters: ['coin', 'exchange', 'min_confidence', 'min_cycles'],
    ownParameters: ['size_usd'],
    switches: sizeSwitch,
    spell: withoutUsualSize,
    columns: [
      { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
      {
        field: 'exchange_a',
        label: 'Venues',
        format: (_value, row) => {
          const [a, b] = [String(row.exchange_a), String(row.exchange_b)];
          return html`<a class="duo" href="${pairPath(row, sizeUsd)}">
            ${venueMark(a, 18)}
            <span>${a}<span class="dash"> – </span></span>
            ${venueMark(b, 18)}
            <span>${b}</span>
          </a>`;
        },
      },
      {
        field: 'est_profit_pct',
        label: 'Median profit',
        small: 'a round trip, after fees',
        isNumber: true,
        format: (value) => html`<b class="apr">${percent(value, 3)}</b>`,
        sorts: ['profit_desc', 'profit_asc'],
      },
      {
        field: 'avg_profit_pct',
        label: 'Mean profit',
        small: 'after fees',
        isNumber: true,
        format: (value) => percent(value, 3),
        sorts: ['avg_profit_desc'],
      },
      {
        field: 'cycles',
        label: 'Cycles',
        small: '7 days',
        isNumber: true,
        format: plain,
        sorts: ['cycles_desc'],
      },
      {
        field: 'confidence',
        label: 'Confidence',
        isNumber: true,
        format: (value) => html`${String(value)} of 100`,
        sorts: ['confidence_desc'],
      },
      {
        field: 'fee_pct_cycle',
        label: 'Fees',
        small: 'four fills',
        isNumber: true,
        format: (value) => html`${Number(value).toFixed(3)} %`,
      },
      {
        field: 'spread_range_pct',
        label: 'Spread range',
        small: '7 days',
        isNumber: true,
        format: (value) => html`${Number(value).toFixed(3)} %`,
        sorts: ['spread_range_desc'],
      },
      {
        field: 'volume_a_usdt',
        label: 'Volume',
        small: '24 h, smaller leg',
        isNumber: true,
        format: (_value, row) => usdt(Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt))),
        sorts: ['volume_desc'],
      },
      { field: 'symbol', label: 'Symbol', format: plain },
      { field: 'last_cycle_at', label: 'Last cycle', format: time, sorts: ['last_cycle_desc'] },
    ],
  };
}

/** The size of a page that names none is not part of its address. */
function withoutUsualSize(sent: Map<string, string[]>): Map<string, string[]> {
  const isUsual = sent.get('size_usd')?.[0] === String(DEFAULT_SIZE_USD);
  return isUsual ? new Map([...sent].filter(([name]) => name !== 'size_usd')) : sent;
}

function sizeSwitch({ sent }: PageContext): Html {
  const chosen = sent.get('size_usd')?.[0] ?? String(DEFAULT_SIZE_USD);
  return html`<span class="lab mainf1">Order size <fieldset class="seg"><legend class="vh">Order size</legend>${SIZES_USD.map(
    (size) =>
      html`<label><input type="radio" name="size_usd" value="${size}"${String(size) === chosen ? html` checked` : null}><span>$${size}</span></label>`,
  )}</fieldset></span>`;
}

function beforeTable(list: PageList): Html {
  const plans = Number(list.fields.withheld_top) === 0 ? null : html` <a class="lnk" href="/plans">Plans</a>`;
  return html`<p class="mut">${withheld(list)}${plans}</p>`;
}

function withheld({ fields }: PageList): string {
  const size = `Priced for an order of $${Number(fields.size_usd)}.`;
  const count = Number(fields.withheld_top);
  if (count === 0) return size;
  return `${size} The best ${count} pairs are left out here; with a plan they are shown, live.`;
}
