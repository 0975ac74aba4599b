import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { availabilityText, type VenueStatus } from '../../src/doors/web/pages/venues/venue-status.ts';
import { type FilledMarket, filledMarket, HELD_AT_MS } from './filled-market.ts';
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
  cells: (row: Row, asOf: string) => Record<number, Shown>;
  /** Fields of the page that the API does not have. */
  more?: readonly string[];
  /** Further parameters of the page, not of the API. */
  view?: string;
  /** Which table of the page holds the rows. */
  table?: number;
}

const smaller = (row: Row) => Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));

const HOLD_DAYS = 90;

/** Payments of the last days a year, less the costs, spread over the days held. */
/** The lower end of what is likely a year, after costs. */
const likely = ({ expected_low_net_apr_pct: low }: Row) => digits(low, 0);

function realisedNetApr(row: Row, days: number): number | null {
  const paid = row[`realised_${days}d_pct`];
  if (paid === null) return null;
  return (Number(paid) / days - Number(row.cost_pct_round_trip) / HOLD_DAYS) * 365;
}

/** Hours below three days, then days. A gap above the costs pays them if it closes. */
function breakEven({ break_even_hours: value, price_gap_pct: gap, cost_pct_round_trip: cost }: Row): Shown {
  const gapWords = gap !== null && Number(gap) >= Number(cost) ? 'at once if the gap closes' : '';
  if (value === null) return `never${gapWords}`;
  const hours = Number(value);
  if (hours === 0) return 'at once';
  const shown = hours >= 72 ? `${(hours / 24).toFixed(1)}\u00a0d` : `${hours.toFixed(0)}\u00a0h`;
  return `${hours < 1 ? 'under 1\u00a0h' : shown}${gapWords}`;
}

const LISTS: readonly ListCase[] = [
  {
    page: '/funding',
    query: 'coin=BTC,ETH,PEPE&sort=gross_apr_desc&exclude_exchange=OKX',
    api: '/api/v1/funding',
    view: '&view=table',
    cells: (row) => ({
      0: String(row.coin),
      1: String(row.exchange),
      3: digits((Number(row.rate_pct) / Number(row.interval_hours)) * 8, 4),
      4: digits(row.gross_apr_pct, 1),
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
    query: 'min_strength=1&sort=volume_desc&exchange=OKX&leg_closed=false',
    api: '/api/v1/spreads',
    view: '&view=pairs',
    cells: (row, asOf) => ({
      1: String(row.coin),
      4: digits(row.net_spread_pct, 3),
      5: digits(row.spread_pct, 3),
      8: { about: smaller(row) },
      9: `${Math.round((Date.parse(asOf) - Date.parse(String(row.updated_at))) / 1000)}\u00a0s`,
    }),
  },
  {
    page: '/arbitrage',
    query: 'min_volume_usdt=1&sort=volume_desc&hold_days=90&slippage_bp=10&exchange=OKX&leg_closed=false',
    api: '/api/v1/arbitrage',
    rowsOf: (data) => (data as { pairs: Row[] }).pairs,
    view: '&view=pairs',
    cells: (row) => ({
      1: String(row.coin),
      4: digits(row.net_apr_pct, 1),
      // Forecasts of shares are no better than nothing: the mean of 30 days stands there.
      5: row.asset_class === 'stock' ? digits(realisedNetApr(row, 30), 1) : likely(row),
      6: digits(realisedNetApr(row, 7), 1),
      7: digits(realisedNetApr(row, 30), 1),
      8: digits(row.fee_pct_round_trip, 2),
      9: breakEven(row),
      10: digits(row.price_gap_pct, 2),
      11: digits(row.positive_hours_30d_pct, 0),
      12: { about: row.capacity_usd, isLowerBound: row.capacity_is_lower_bound === true },
    }),
  },
  {
    page: '/spreads/backtest',
    query: 'size_usd=500&sort=cycles_desc&min_cycles=2',
    api: '/api/v1/spreads/backtest',
    rowsOf: (data) => (data as { spreads: Row[] }).spreads,
    cells: (row) => ({
      0: String(row.coin),
      1: `${row.exchange_a} – ${row.exchange_b}${boughtText(row)}`,
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
      'mark_price',
      'open_interest_usdt',
      'best_carry_apr_pct',
    ],
    cells: (row) => ({
      2: row.change_24h_pct === null ? 'unknown' : digits(row.change_24h_pct, 2),
      7: { about: row.volume_24h_usdt },
      9: digits(row.venue_count, 0),
    }),
  },
  {
    page: '/exchanges',
    query: 'sort=fee_asc',
    api: '/api/v1/exchanges',
    more: ['maker_fee_pct', 'data_state', 'data_age_seconds'],
    cells: (row) => ({
      0: String(row.exchange),
      1: digits(row.tracked_instruments, 0),
      2: digits(row.taker_fee_pct, 3),
      4: digits(row.max_leverage, 0),
      5: row.has_spot ? 'yes' : 'no',
      6: 'working',
    }),
  },
];

/** Which venue was bought how often, the more frequent one first. */
function boughtText({ exchange_a, exchange_b, cycles, long_a_cycles }: Row): string {
  const [a, b] = [Number(long_a_cycles), Number(cycles) - Number(long_a_cycles)];
  const [ofA, ofB] = [`${exchange_a} ${a}\u00a0×`, `${exchange_b} ${b}\u00a0×`];
  if (a === 0 || b === 0) return `long ${a === 0 ? ofB : ofA}`;
  return `long ${a >= b ? `${ofA}, ${ofB}` : `${ofB}, ${ofA}`}`;
}

suite('lists and their Markdown files show the numbers of the API', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({ heldAtMs: HELD_AT_MS });
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
      const { as_of: asOf } = (reply.body as { meta: { as_of: string } }).meta;
      for (const [i, row] of rows.entries()) {
        for (const [column, wanted] of Object.entries(cells(row, asOf)))
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

  test('/funding, the matrix: rates per hour of the largest linear contract of coin and venue', async () => {
    const rows: Row[] = [];
    for (let cursor = ''; ; ) {
      const reply = await api(`/api/v1/funding?is_inverse=false&sort=volume_desc${cursor}`);
      rows.push(...(dataOf(reply) as Row[]));
      const next = (reply.body as { meta: { next_cursor?: string } }).meta.next_cursor;
      if (next === undefined) break;
      cursor = `&cursor=${next}`;
    }
    const map = markdownTables(await textOf('/funding.md?view=matrix&unit=1h&min_volume_usdt=0'))[0] ?? [];
    const page = tablesOf(await textOf('/funding?unit=1h&min_volume_usdt=0'))[0] ?? [];
    assert.ok(map.length > 10);
    for (const [
      i,
      { coin, best_carry_gross_apr_pct: carry, long_at, short_at, ...venues },
    ] of map.entries()) {
      const perHours = new Map<string, number>();
      for (const [column, [exchange, twinCell]] of Object.entries(venues).entries()) {
        const row = rows.find(
          (one) =>
            one.coin === coin &&
            one.exchange === exchange &&
            one.price_outlier === false &&
            one.interval_hours !== null,
        );
        const perHour = row ? Number(row.rate_pct) / Number(row.interval_hours) : null;
        if (perHour !== null) perHours.set(exchange, perHour);
        assert.equal(
          twinCell,
          perHour === null ? '–' : String(Number(perHour.toFixed(4))),
          `${coin} ${exchange}`,
        );
        assertShown(page[i]?.[column + 6], digits(perHour, 4), `${coin} ${exchange}`);
      }
      const ranked = [...perHours].toSorted((a, b) => a[1] - b[1]);
      const [low, high] = [ranked[0], ranked.at(-1)];
      if (!low || !high || ranked.length < 2) continue;
      assert.deepEqual([long_at, short_at], [low[0], high[0]], `${coin}: legs`);
      assert.equal(Number(carry).toFixed(1), ((high[1] - low[1]) * 8760).toFixed(1), `${coin}: carry`);
      assertShown(page[i]?.[1], digits((high[1] - low[1]) * 8760, 1), `${coin}: best carry`);
    }
  });

  test('the calendar of /listings has the dated rows of its month, and no others', async () => {
    const listings = dataOf(await api('/api/v1/listings?limit=50')) as Row[];
    const dated = listings.find(({ effective_at }) => effective_at !== null) ?? assert.fail('no dated event');
    const at = String(dated.effective_at).slice(0, 10);
    const week = await textOf(`/listings?view=week&at=${at}`);
    const monday = new Date(Date.parse(at) - ((new Date(at).getUTCDay() + 6) % 7) * 86_400_000);
    const sunday = new Date(monday.getTime() + 7 * 86_400_000);
    const rows = dataOf(
      await api(`/api/v1/listings?from=${monday.toISOString()}&to=${sunday.toISOString()}`),
    ) as Row[];
    assert.ok(rows.length > 0);
    const cells = (tablesOf(week)[0] ?? []).flat().join(' ');
    for (const row of rows) assert.ok(cells.includes(String(row.symbol)), `${row.symbol} in ${cells}`);
    assert.equal([...cells.matchAll(/[▲▼]/g)].length, rows.length);
  });

  test('a wrong day or view of the calendar is refused', async () => {
    for (const [query, wanted] of [
      ['at=2026-02-30', /&quot;at&quot; must be a day/],
      ['at=tomorrow', /&quot;at&quot; must be a day/],
      ['view=year', /&quot;view&quot; must be month or week/],
    ] as const) {
      const reply = await fetch(`${market.service.baseUrl}/listings?${query}`);
      assert.equal(reply.status, 400, query);
      assert.match(await reply.text(), wanted);
    }
  });

  test('a cached page follows its data, and gets 304 while nothing changed', async () => {
    const url = `${market.service.baseUrl}/exchanges`;
    const first = await fetch(url);
    const etag = first.headers.get('etag') ?? '';
    await first.text();
    const again = await fetch(url, { headers: { 'if-none-match': etag } });
    assert.equal(again.status, 304);
    market.clock.advanceMs(5000);
    const later = await fetch(url, { headers: { 'if-none-match': etag } });
    assert.equal(later.status, 200);
    await later.text();
  });

  test('/status and its twin show the same values for each venue', async () => {
    const page = tablesOf(await textOf('/status'))[0] ?? [];
    const twin = markdownTables(await textOf('/status.md'))[0] ?? [];
    assert.deepEqual(
      page.map((cells) => [cells[0], cells[1], cells[5], cells[6]]),
      twin.map((row) => [row.exchange, row.state, row.contracts, row.rows_kept_out]),
    );
    assert.equal(page.length, market.service.collectors.length);
    assert.deepEqual(
      page.map((cells) => /^[\d.–]+/.exec(cells[3] ?? '')?.[0]),
      twin.map((row) => row.available_24h_pct),
      'with the same digits',
    );
  });

  test('figures of twins that the API does not have show the digits of their pages', async () => {
    const stored = availabilityText({ availabilityPct: 300 / 11 } as VenueStatus);
    assert.equal(stored, '27.3');
    for (const path of ['/status.md', '/accuracy.md', '/exchanges/Binance.md']) {
      const twin = (await textOf(path)).split('## Contracts')[0] ?? '';
      const long = [...twin.matchAll(/\| (-?\d+\.\d{5,}) /g)].map(([, number]) => number);
      assert.deepEqual(long, [], path);
    }
  });
});
