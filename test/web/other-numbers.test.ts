import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { type FilledMarket, filledMarket } from './filled-market.ts';
import { VENUE_PATH } from './market-paths.ts';
import { markdownTables, tablesOf, words } from './page-text.ts';
import {
  asMarkdown,
  assertShown,
  dataOf,
  demoAnswer,
  digits,
  markdownOf,
  type Row,
  textAt,
} from './shown.ts';

suite('other pages and their Markdown twins show the numbers of the API', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket();
  });
  after(() => market.stop());
  const textOf = (path: string) => textAt(market, path);
  const api = (path: string) => demoAnswer(market, path);

  test('/funding/BTC: ranking, summary and dollars a day', async () => {
    const data = dataOf(await api('/api/v1/funding/BTC')) as Row & { rates: Row[] };
    const page = await textOf('/funding/BTC');
    const shown = tablesOf(page).flat();
    const linearFirst = data.rates.toSorted((a, b) => Number(a.is_inverse) - Number(b.is_inverse));
    assert.equal(shown.length, linearFirst.length);
    for (const [i, row] of linearFirst.entries()) {
      const cells = shown[i] ?? [];
      assert.deepEqual(cells.slice(0, 2), [row.exchange, row.symbol]);
      assertShown(cells[2], digits(row.rate_pct, 4), 'rate');
      assertShown(cells[4], digits(Number(row.rate_pct) / Number(row.interval_hours), 4), 'per hour');
      assertShown(cells[5], digits(row.apr_pct, 1), 'APR');
      const perDay = (Number(row.rate_pct) / 100) * 10_000 * (24 / Number(row.interval_hours));
      const word = perDay < 0 ? /^pays/ : /^earns/;
      if (Math.abs(perDay) >= 0.005) {
        assert.match(cells[8] ?? '', word, 'a short earns when longs pay');
        assert.ok((cells[8] ?? '').includes(`${Math.abs(perDay).toFixed(2)} USD a day`));
      }
    }
    const figures = [...page.matchAll(/<p class="figure">(.*?)<\/p>/g)].map(([, figure = '']) => figure);
    assert.equal(figures[0], data.best_short_exchange);
    assert.equal(figures[1], data.best_long_exchange);
    const [summary, contracts] = markdownTables(await textOf('/funding/BTC.md'));
    assert.equal(summary?.[0]?.spread_pct, String(data.spread_pct));
    assert.equal(summary?.[0]?.total_volume_24h_usdt, String(data.total_volume_24h_usdt));
    assert.deepEqual(
      contracts?.map((row) => [row.exchange, row.symbol, row.rate_pct, row.apr_pct]),
      data.rates.map((row) => [row.exchange, row.symbol, String(row.rate_pct), markdownOf(row.apr_pct)]),
    );
  });

  test('coin pages compare rates per hour: the sentence names the venues of the cards', async () => {
    const coins = (dataOf(await api('/api/v1/coins?limit=30')) as Row[]).map((row) => String(row.coin));
    const seen = { unlike: 0 };
    for (const coin of coins) {
      const data = dataOf(await api(`/api/v1/funding/${coin}`)) as Row & {
        rates: Row[];
        highest: Row | null;
      };
      if (data.best_short_exchange === null) continue;
      if (data.highest?.exchange !== data.best_short_exchange) seen.unlike++;
      const page = await textOf(`/funding/${coin}`);
      const figures = [...page.matchAll(/<p class="figure">(.*?)<\/p>/g)].map(([, figure = '']) =>
        words(figure),
      );
      const perHour = data.rates
        .filter((row) => row.is_inverse === false && row.interval_hours !== null)
        .map((row) => Number(row.rate_pct) / Number(row.interval_hours));
      const said =
        /highest rate is on (\S+) \((\S+).% per hour: .*?, the lowest on (\S+) \((\S+).% per hour/.exec(page);
      assert.deepEqual([said?.[1], said?.[3]], [data.best_short_exchange, data.best_long_exchange], coin);
      assert.deepEqual(figures.slice(0, 2), [data.best_short_exchange, data.best_long_exchange], coin);
      assertShown(said?.[2], digits(Math.max(...perHour), 4), `${coin}, highest`);
      assertShown(said?.[4], digits(Math.min(...perHour), 4), `${coin}, lowest`);
      const carry = (Math.max(...perHour) - Math.min(...perHour)) * 365 * 24;
      assertShown(figures[2], digits(carry, 1), `${coin}, carry`);
      assertShown(figures[3], digits(data.spread_pct, 4), `${coin}, spread_pct`);
    }
    assert.ok(seen.unlike > 0, 'some coins have unlike intervals');
  });

  test('/exchanges/{venue}: contracts, intervals, fees, health and accuracy, in Markdown too', async () => {
    const exchange = VENUE_PATH.slice('/exchanges/'.length);
    const reply = await api(`/api/v1/funding?exchange=${exchange}&sort=volume_desc`);
    const rows = dataOf(reply) as Row[];
    const { total } = (reply.body as { meta: { total: number } }).meta;
    const page = await textOf(VENUE_PATH);
    const [intervals = [], fees = [], health = [], accuracy = [], contracts = []] = tablesOf(page);
    const contractsIn = (table: string[][]) => table.reduce((sum, cells) => sum + Number(cells[1]), 0);
    assert.deepEqual([contractsIn(intervals), contractsIn(fees)], [total, total]);
    assert.deepEqual(
      intervals.map(([every]) => every).toSorted(),
      [...new Set(rows.map((row) => `${row.interval_hours} h`))].toSorted(),
    );
    assert.deepEqual(fees[0]?.[0], '0.05 %');
    assert.equal(health[0]?.[0], 'working');
    assert.deepEqual(
      accuracy.map(([window]) => window),
      ['Last 24 hours', 'Last 7 days', 'Last 30 days'],
    );
    assert.equal(contracts.length, rows.length);
    for (const [i, row] of rows.entries()) {
      const cells = contracts[i] ?? [];
      assert.deepEqual(cells.slice(0, 2), [row.coin, row.symbol]);
      assertShown(cells[2], digits(row.rate_pct, 4), 'rate');
      assertShown(cells[5], digits(row.last_rate_pct, 4), 'last settled');
      assertShown(cells[7], { about: row.volume_24h_usdt }, 'volume');
      assertShown(cells[8], { about: row.open_interest_usdt }, 'open interest');
    }
    const twin = markdownTables(await textOf(`${VENUE_PATH}.md`));
    assert.equal(twin[0]?.[0]?.exchange, exchange);
    assert.deepEqual(
      twin.at(-1)?.map((row) => row.venue_symbol),
      rows.map((row) => row.venue_symbol),
    );
    const [row] = (dataOf(await api('/api/v1/exchanges')) as Row[]).filter(
      (one) => one.exchange === exchange,
    );
    assert.equal(row?.page_url, `${market.service.baseUrl}${VENUE_PATH}`);
  });

  test('/exchanges/{venue} refuses what is no venue', async () => {
    const reply = await fetch(`${market.service.baseUrl}/exchanges/Nowhere`, {
      headers: { accept: 'text/html' },
    });
    assert.equal(reply.status, 404);
  });

  test('/funding/BTC/history: every day of every venue, on the page, as CSV and in Markdown', async () => {
    const data = dataOf(await api('/api/v1/funding/history?coin=BTC&days=7')) as {
      series: { exchange: string; symbol: string; daily: { day: string; apr_pct: number | null }[] }[];
    };
    const points = data.series.flatMap(({ exchange, symbol, daily }) =>
      daily.map(({ day, apr_pct }) => ({ coin: 'BTC', exchange, symbol, day, apr_pct })),
    );
    assert.ok(points.length > 10);
    const csv = await textOf('/funding/BTC/history.csv?days=7');
    assert.deepEqual(
      csv.trim().split('\r\n').slice(1),
      points.map((point) => Object.values(point).join(',')),
    );
    const twin = markdownTables(await textOf('/funding/BTC/history.md?days=7'))[0];
    assert.deepEqual(twin, points.map(asMarkdown));
    const page = await textOf('/funding/BTC/history?days=7');
    const shown = tablesOf(page)[0] ?? [];
    const venues = data.series.filter(({ daily }) => daily.length > 0).map(({ exchange }) => exchange);
    for (const { exchange, day, apr_pct } of points) {
      const row = shown.find((cells) => cells[0] === day);
      assertShown(row?.[venues.indexOf(exchange) + 1], digits(apr_pct, 1), `${exchange} ${day}`);
    }
  });

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
        assertShown(page[i]?.[column + 5], digits(perHour, 4), `${coin} ${exchange}`);
      }
      const ranked = [...perHours].toSorted((a, b) => a[1] - b[1]);
      const [low, high] = [ranked[0], ranked.at(-1)];
      if (!low || !high || ranked.length < 2) continue;
      assert.deepEqual([long_at, short_at], [low[0], high[0]], `${coin}: legs`);
      assert.equal(Number(carry).toFixed(1), ((high[1] - low[1]) * 8760).toFixed(1), `${coin}: carry`);
      assertShown(page[i]?.[1], digits((high[1] - low[1]) * 8760, 1), `${coin}: best carry`);
    }
  });

  test('/: every board has the first rows of a list of the API, and the cut has the cells of the matrix', async () => {
    const page = await textOf('/');
    const { meta } = (await api('/api/v1/funding?limit=1')).body as { meta: { total: number } };
    assert.ok(page.includes(`${meta.total.toLocaleString('en-US')} contracts on 5 venues`));
    const boards = tablesOf(page.slice(page.indexOf('id="boards"')));
    const rowsAt = async (path: string) => {
      const data = dataOf(await api(path));
      const rows = (Array.isArray(data) ? data : (data as { pairs: Row[] }).pairs) as Row[];
      return rows.filter((row) => row.price_outlier !== true).slice(0, 5);
    };
    const filters = 'min_volume_usdt=1000000&is_inverse=false';
    const [carry, high, low, spread, listing] = await Promise.all(
      [
        '/api/v1/arbitrage?min_capacity_usd=50000',
        `/api/v1/funding?sort=apr_desc&${filters}`,
        `/api/v1/funding?sort=apr_asc&${filters}`,
        '/api/v1/spreads?sort=net_spread_desc',
        '/api/v1/listings?days_ahead=30',
      ].map(rowsAt),
    );
    const figures = (
      rows: Row[] | undefined,
      table: string[][] | undefined,
      column: number,
      field: string,
      decimals: number,
    ) => {
      assert.equal(table?.length, rows?.length, field);
      for (const [i, row] of (rows ?? []).entries())
        assertShown(table?.[i]?.[column], digits(row[field], decimals), `${field} ${i}`);
    };
    // A board without rows has no table.
    const tables = [...boards];
    if (carry?.length) figures(carry, tables.shift(), 3, 'net_apr_pct', 1);
    figures(high, tables.shift(), 1, 'apr_pct', 1);
    figures(low, tables.shift(), 1, 'apr_pct', 1);
    if (spread?.length) figures(spread, tables.shift(), 3, 'net_spread_pct', 3);
    const shown = tables.shift() ?? [];
    assert.deepEqual(
      shown.map(([coin, exchange]) => [coin, exchange]),
      listing?.map((row) => [row.coin, row.exchange]),
    );
    const cut = tablesOf(page)[0] ?? [];
    const matrix = tablesOf(await textOf('/funding'))[0] ?? [];
    assert.deepEqual(
      cut.map(([coin]) => coin),
      matrix.slice(0, cut.length).map(([coin]) => coin?.replace(/\$.*/, '')),
    );
    for (const [i, [, ...cells]] of cut.entries())
      assert.deepEqual(
        cells,
        matrix[i]?.slice(5, 5 + cells.length).map((cell) => cell.split(' ')[0]),
      );
    const twin = markdownTables(await textOf('/index.md'));
    assert.equal(twin[0]?.[0]?.contracts, String(meta.total));
    assert.equal(twin[1]?.[0]?.apr_pct, String(high?.[0]?.apr_pct));
  });

  test('the calendar of /listings has the dated rows of its month, and no others', async () => {
    const at = new Date(market.clock.nowMs() + 86_400_000).toISOString().slice(0, 10);
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

  test('/status and its twin show the same values for each venue', async () => {
    const page = tablesOf(await textOf('/status'))[0] ?? [];
    const twin = markdownTables(await textOf('/status.md'))[0] ?? [];
    assert.deepEqual(
      page.map((cells) => [cells[0], cells[1], cells[2], cells[4]]),
      twin.map((row) => [row.exchange, row.state, row.contracts, row.rows_kept_out]),
    );
    assert.equal(page.length, market.service.collectors.length);
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
});
