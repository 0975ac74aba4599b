import { SIZES_USD, type SizeUsd } from '../../../../history/samples/model.ts';
import { spreadBacktest } from '../../../../operations/spread-backtest.ts';
import { coinCell } from '../../icons/marks.ts';
import type { ListPage } from '../../lists/list-page.ts';
import type { PageContext } from '../../market-page.ts';
import { percent, plain, time, usdt } from '../../markup/format.ts';
import { type Html, html } from '../../markup/html.ts';
import type { PageList, Row } from '../../visitor.ts';
import { pairsOf } from './pair-chart-cache.ts';

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

export function pairPath(row: Row, sizeUsd: number): string {
  const query = new URLSearchParams({
    coin: String(row.coin),
    exchange_a: String(row.exchange_a),
    exchange_b: String(row.exchange_b),
    size_usd: String(sizeUsd),
  });
  return `/spreads/backtest/pair?${query}`;
}

function pageOf(sizeUsd: SizeUsd): ListPage {
  return {
    path: '/spreads/backtest',
    operation: spreadBacktest,
    title: 'Spread backtest',
    description: 'What pairs of venues would have earned against their real order books',
    lead: html`Every pair of venues on a coin, walked minute by minute through the last seven days at the prices an order of the chosen size would have filled at. Profits are per round trip after the taker fees of all four trades; funding paid while a position is open is not in them. <a href="/developers/backtest">The rule</a>, or <a href="/spreads">what can be entered now</a>.`,
    noun: 'pairs',
    mainParameters: ['size_usd', 'coin', 'exchange', 'exchange_match', 'min_confidence', 'min_cycles'],
    columns: [
      { field: 'coin', label: 'Coin', format: coinCell, sorts: ['coin_asc'] },
      {
        field: 'exchange_a',
        label: 'Pair',
        format: (_value, row) =>
          html`<a href="${pairPath(row, sizeUsd)}">${String(row.exchange_a)} – ${String(row.exchange_b)}</a>`,
      },
      {
        field: 'est_profit_pct',
        label: 'Median profit',
        isNumber: true,
        format: (value) => percent(value, 3),
        sorts: ['profit_desc', 'profit_asc'],
      },
      {
        field: 'avg_profit_pct',
        label: 'Mean profit',
        isNumber: true,
        format: (value) => percent(value, 3),
        sorts: ['avg_profit_desc'],
      },
      { field: 'cycles', label: 'Cycles', isNumber: true, format: plain, sorts: ['cycles_desc'] },
      {
        field: 'confidence',
        label: 'Confidence',
        isNumber: true,
        format: (value) => html`${String(value)} of 100`,
        sorts: ['confidence_desc'],
      },
      {
        field: 'fee_pct_cycle',
        label: 'Fees of a cycle',
        isNumber: true,
        format: (value) => html`${Number(value).toFixed(3)} %`,
      },
      {
        field: 'spread_range_pct',
        label: 'Spread range',
        isNumber: true,
        format: (value) => html`${Number(value).toFixed(3)} %`,
        sorts: ['spread_range_desc'],
      },
      {
        field: 'volume_a_usdt',
        label: 'Smaller 24 h volume',
        isNumber: true,
        format: (_value, row) => usdt(Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt))),
        sorts: ['volume_desc'],
      },
      { field: 'symbol', label: 'Symbol', format: plain },
      { field: 'last_cycle_at', label: 'Last cycle', format: time, sorts: ['last_cycle_desc'] },
    ],
  };
}

function beforeTable(list: PageList): Html {
  return html`<p class="as-of">${withheld(list)}</p>`;
}

function withheld({ fields }: PageList): string {
  const size = `Priced for an order of ${Number(fields.size_usd)} USD.`;
  const count = Number(fields.withheld_top);
  if (count === 0) return size;
  return `${size} The best ${count} rows of each size are withheld without a plan.`;
}
