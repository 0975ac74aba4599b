import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { markdownTables, tablesOf } from './page-text.ts';
import {
  asMarkdown,
  assertShown,
  dataOf,
  demoAnswer,
  digits,
  type Row,
  type Shown,
  textAt,
} from './shown.ts';

interface ListCase {
  page: string;
  query: string;
  api: string;
  rowsOf?: (data: unknown) => Row[];
  /** Expected cells by the number of the column. */
  cells: (row: Row) => Record<number, Shown>;
  /** Fields of the page that the API does not have. */
  more?: readonly string[];
  /** Further parameters of the page, not of the API. */
  view?: string;
  /** Which table of the page holds the rows. */
  table?: number;
}

const smaller = (row: Row) => Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));

/** Hours below three days, then days. */
function breakEven(value: unknown): Shown {
  if (value === null) return 'never';
  const hours = Number(value);
  if (hours > 0 && hours < 1) return 'under 1\u00a0h';
  return hours < 72 ? digits(hours, 0) : digits(hours / 24, 1);
}

const LISTS: readonly ListCase[] = [
  {
    page: '/funding',
    query: 'coin=BTC,ETH,PEPE&sort=apr_desc&exclude_exchange=Kraken',
    api: '/api/v1/funding',
    view: '&view=table',
    cells: (row) => ({
      0: String(row.coin),
      1: String(row.exchange),
      3: digits((Number(row.rate_pct) / Number(row.interval_hours)) * 8, 4),
      4: digits(row.apr_pct, 1),
      5: digits(row.rate_pct, 4),
      7: digits(row.sum_7d_pct, 3),
      8: digits(row.sum_30d_pct, 3),
      10: { about: row.volume_24h_usdt },
      11: { about: row.open_interest_usdt },
      12: digits(row.last_rate_pct, 4),
      13: { about: row.mark_price },
    }),
  },
  {
    page: '/spreads',
    query: 'min_strength=1&sort=volume_desc&exchange=OKX',
    api: '/api/v1/spreads',
    view: '&view=pairs',
    cells: (row) => ({
      1: String(row.coin),
      4: digits(row.net_spread_pct, 3),
      5: digits(row.spread_pct, 3),
      8: { about: smaller(row) },
      9: `${String(row.updated_at).slice(11, 19)} UTC`,
    }),
  },
  {
    page: '/arbitrage',
    query: 'min_volume_usdt=1&sort=volume_desc&hold_days=90&slippage_bp=10&exchange=OKX',
    api: '/api/v1/arbitrage',
    rowsOf: (data) => (data as { pairs: Row[] }).pairs,
    cells: (row) => ({
      1: String(row.coin),
      4: digits(row.net_apr_pct, 1),
      5: digits(row.realised_7d_pct === null ? null : (Number(row.realised_7d_pct) / 7) * 365, 1),
      6: digits(row.realised_30d_pct === null ? null : (Number(row.realised_30d_pct) / 30) * 365, 1),
      7: digits(row.fee_pct_round_trip, 2),
      8: breakEven(row.break_even_hours),
      9: digits(row.positive_hours_30d_pct, 0),
      10: { about: row.capacity_usd },
    }),
  },
  {
    page: '/spreads/backtest',
    query: 'size_usd=500&sort=cycles_desc&min_cycles=2',
    api: '/api/v1/spreads/backtest',
    rowsOf: (data) => (data as { spreads: Row[] }).spreads,
    cells: (row) => ({
      0: String(row.coin),
      1: `${row.exchange_a} – ${row.exchange_b}`,
      2: digits(row.est_profit_pct, 3),
      3: digits(row.avg_profit_pct, 3),
      4: String(row.cycles),
      5: `${row.confidence} of 100`,
      6: digits(row.fee_pct_cycle, 3),
      7: digits(row.spread_range_pct, 3),
      8: { about: smaller(row) },
    }),
  },
  {
    page: '/listings',
    query: 'sort=detected_desc&type=listing',
    api: '/api/v1/listings',
    table: 1,
    cells: (row) => ({
      1: '▲ listing',
      2: String(row.exchange),
      3: String(row.symbol),
      4: String(row.coin),
      5: String(row.status ?? '–'),
    }),
  },
  {
    page: '/coins',
    query: 'min_venues=3&sort=volume_asc',
    api: '/api/v1/coins',
    more: [
      'name',
      'average_apr_pct',
      'highest_apr_pct',
      'highest_exchange',
      'lowest_apr_pct',
      'lowest_exchange',
      'best_carry_apr_pct',
    ],
    cells: (row) => ({
      5: { about: row.volume_24h_usdt },
      6: digits(row.venue_count, 0),
      7: (row.exchanges as string[]).join(', '),
    }),
  },
  {
    page: '/exchanges',
    query: 'sort=fee_asc',
    api: '/api/v1/exchanges',
    more: ['data_state', 'data_age_seconds'],
    cells: (row) => ({
      0: String(row.exchange),
      1: digits(row.tracked_instruments, 0),
      2: digits(row.taker_fee_pct, 3),
      3: digits(row.max_leverage, 0),
      4: row.has_spot ? 'yes' : 'no',
      5: 'working',
    }),
  },
];

suite('lists and their Markdown twins show the numbers of the API', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket();
  });
  after(() => market.stop());
  const textOf = (path: string) => textAt(market, path);
  const api = (path: string) => demoAnswer(market, path);

  for (const { page, query, api: apiPath, rowsOf, cells, more = [], view = '', table = 0 } of LISTS) {
    test(`${page}: every row and cell, under the same filters`, async () => {
      const reply = await api(`${apiPath}?${query}`);
      const rows = rowsOf ? rowsOf(dataOf(reply)) : (dataOf(reply) as Row[]);
      assert.ok(rows.length > 1, `${rows.length} rows to compare`);
      const shown = tablesOf(await textOf(`${page}?${query}${view}`))[table] ?? [];
      assert.equal(shown.length, rows.length);
      for (const [i, row] of rows.entries()) {
        for (const [column, wanted] of Object.entries(cells(row)))
          assertShown(shown[i]?.[Number(column)], wanted, `row ${i} column ${column}`);
      }
    });

    test(`${page}.md: every field of every row, as the API writes it`, async () => {
      const reply = await api(`${apiPath}?${query}`);
      const rows = rowsOf ? rowsOf(dataOf(reply)) : (dataOf(reply) as Row[]);
      const text = await textOf(`${page}.md?${query}`);
      const twin = (markdownTables(text)[0] ?? []).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !more.includes(name))),
      );
      assert.deepEqual(twin, rows.map(asMarkdown));
      const { meta } = reply.body as { meta: { as_of: string; url: string } };
      assert.ok(text.includes(`As of ${meta.as_of}, source Perpwire: <${meta.url}>.`), text.slice(0, 900));
      assert.match(text, /Delayed by 900 seconds/);
    });
  }
});
