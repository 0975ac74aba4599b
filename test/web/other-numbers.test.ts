import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { ForecastAccuracy } from '../../src/operations/forecast-accuracy/forecast-accuracy.ts';
import type { GroupAccuracy } from '../../src/operations/forecast-accuracy/summary.ts';
import { VENUES } from '../../src/venues/registry.ts';
import type { Venue } from '../../src/venues/venue.ts';
import { type FilledMarket, filledMarket, HELD_AT_MS } from './filled-market.ts';
import { keepScores } from './made-scores.ts';
import { VENUE_PATH } from './market-paths.ts';
import { markdownTables, tablesOf, words } from './page-text.ts';
import {
  asMarkdown,
  assertShown,
  comparedRates,
  dataOf,
  demoAnswer,
  digits,
  markdownOf,
  type Row,
  textAt,
} from './shown.ts';

suite('other pages and their Markdown files show the numbers of the API', () => {
  let market: FilledMarket;
  before(async () => {
    market = await filledMarket({ heldAtMs: HELD_AT_MS });
  });
  after(() => market.stop());
  const textOf = (path: string) => textAt(market, path);
  const api = (path: string) => demoAnswer(market, path);

  /** The values of the strip of figures, with the line below each. */
  const strip = (page: string) =>
    [...page.matchAll(/<dt>([^<]*)<\/dt><dd[^>]*>(.*?)<\/dd><dd>(.*?)<\/dd>/gs)].map(
      ([, label = '', value = '', meaning = '']) => ({ label, value: words(value), meaning: words(meaning) }),
    );

  test('/funding/BTC: ranking, position calculator and twin', async () => {
    const data = dataOf(await api('/api/v1/funding/BTC')) as Row & { rates: Row[] };
    const exchanges = dataOf(await api('/api/v1/exchanges')) as Row[];
    const perHour = (row: Row) => Number(row.rate_pct) / Number(row.interval_hours);
    for (const isInverse of [false, true]) {
      const rows = data.rates.filter((row) => row.is_inverse === isInverse && row.interval_hours !== null);
      const page = await textOf(`/funding/BTC${isInverse ? '?contracts=inverse' : ''}`);
      const [shown = []] = tablesOf(page);
      assert.equal(shown.length, rows.length);
      const sorted = rows.toSorted(
        (a, b) => perHour(b) - perHour(a) || Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt),
      );
      for (const [i, row] of sorted.entries()) {
        const cells = shown[i] ?? [];
        assert.ok(cells[0]?.startsWith(String(row.exchange)), `${cells[0]} for ${row.exchange}`);
        assertShown(cells[1], digits(perHour(row) * 8, 4), 'rate per 8 h');
        assertShown(cells[3], digits(perHour(row) * 8760, 1), 'APR before fees');
        assertShown(cells[4], `${row.interval_hours}\u00a0h`, 'interval');
        assertShown(cells[6], digits(row.sum_30d_pct, 3), '30 d');
        assertShown(cells[7], digits(row.expected_30d_pct, 3), '30 d expected');
        assertShown(cells[8], { about: row.volume_24h_usdt }, 'volume');
      }
    }
    const page = await textOf('/funding/BTC?side=long&size=20000&held=10');
    const results = [...page.matchAll(/<li data-key="([^"]+)">.*?<b[^>]*>([^<]*)<\/b>/gs)];
    const linear = data.rates.filter((row) => row.is_inverse === false);
    assert.equal(results.length, new Set(linear.map((row) => row.exchange)).size, 'one answer a venue');
    for (const [, exchange = '', text = ''] of results) {
      const [row] = linear
        .filter((one) => one.exchange === exchange)
        .toSorted((a, b) => Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt));
      const fee = Number(exchanges.find((one) => one.exchange === exchange)?.taker_fee_pct);
      const usd = 20_000 * ((-perHour(row ?? {}) * 24 * 10) / 100 - (2 * fee) / 100);
      assert.equal(text, `${usd < 0 ? 'pays' : 'earns'} $${Math.abs(usd).toFixed(2)}`, exchange);
    }
    const [summary, contracts] = markdownTables(await textOf('/funding/BTC.md'));
    assert.equal(summary?.[0]?.spread_pct, String(data.spread_pct));
    assert.equal(summary?.[0]?.total_volume_24h_usdt, String(data.total_volume_24h_usdt));
    assert.deepEqual(
      contracts?.map((row) => [row.exchange, row.symbol, row.rate_pct, row.apr_pct]),
      data.rates.map((row) => [row.exchange, row.symbol, String(row.rate_pct), markdownOf(row.apr_pct)]),
    );
    const csv = (await textOf('/funding/BTC.csv')).trim().split('\r\n');
    assert.equal(csv.length, data.rates.length + 1);
  });

  test('coin pages compare rates per hour: the description names the venues of the figures', async () => {
    const coins = (dataOf(await api('/api/v1/coins?limit=30')) as Row[]).map((row) => String(row.coin));
    const seen = { unlike: 0, net: 0 };
    for (const coin of coins) {
      const data = dataOf(await api(`/api/v1/funding/${coin}`)) as Row & {
        rates: Row[];
        highest: Row | null;
      };
      if (data.best_short_exchange === null) continue;
      if (data.highest?.exchange !== data.best_short_exchange) seen.unlike++;
      const page = await textOf(`/funding/${coin}`);
      const [average, high, low, carry, volume] = strip(page);
      const linear = data.rates.filter((row) => row.is_inverse === false && row.interval_hours !== null);
      const rateOf = (row: Row) => Number(row.rate_pct) / Number(row.interval_hours);
      const byVolume = (a: Row, b: Row) => Number(b.volume_24h_usdt) - Number(a.volume_24h_usdt);
      const compared = comparedRates(data.rates);
      const perHour = compared.map(rateOf);
      // Of equal rates the most traded counts.
      const short = String(compared.toSorted((a, b) => rateOf(b) - rateOf(a) || byVolume(a, b))[0]?.exchange);
      const long = String(compared.toSorted((a, b) => rateOf(a) - rateOf(b) || byVolume(a, b))[0]?.exchange);
      const said =
        /highest rate is on (\S+) \((\S+).%\/h, every \d+ h: .*?, the lowest on (\S+) \((\S+).%\/h, every \d+ h:/.exec(
          page,
        );
      assert.deepEqual([said?.[1], said?.[3]], [short, long], coin);
      assert.deepEqual(
        [high?.meaning, low?.meaning],
        [
          `${short} ${Math.max(...perHour) < 0 ? 'no venue pays shorts now' : 'short here'}`,
          `${long} ${Math.min(...perHour) > 0 ? 'no venue pays longs now' : 'long here'}`,
        ],
        coin,
      );
      assertShown(said?.[2], digits(Math.max(...perHour), 4), `${coin}, highest`);
      assertShown(high?.value, digits(Math.max(...perHour) * 8, 4), `${coin}, highest per 8 h`);
      assertShown(low?.value, digits(Math.min(...perHour) * 8, 4), `${coin}, lowest per 8 h`);
      if (perHour.length > 1) {
        const gross = (Math.max(...perHour) - Math.min(...perHour)) * 365 * 24;
        assertShown(carry?.value, digits(gross, 1), `${coin}, carry`);
        const { pairs } = dataOf(
          await api(`/api/v1/arbitrage?coin=${coin}&exchange=${long},${short}&exchange_match=all`),
        ) as { pairs: Row[] };
        const [pair] = pairs;
        // The operation may pair another contract of a venue, of the same quote as the other leg.
        if (pair && Math.abs(Number(pair.gross_apr_pct) - gross) < 1e-6) {
          assertShown(carry?.meaning, digits(pair.net_apr_pct, 1), `${coin}, net carry`);
          seen.net++;
        }
      }
      const volumes = linear.map((row) => Number(row.volume_24h_usdt));
      const sum = volumes.reduce((total, one) => total + one, 0);
      const mean = linear.reduce((total, row, i) => total + rateOf(row) * (volumes[i] ?? 0), 0) / sum;
      assertShown(average?.value, digits(mean * 8, 4), `${coin}, average`);
      assertShown(volume?.value, { about: data.total_volume_24h_usdt }, `${coin}, volume`);
      assert.doesNotMatch(page, /As paid, highest minus lowest/, 'it would compare unlike intervals');
    }
    assert.ok(seen.unlike > 0, 'some coins have unlike intervals');
    assert.ok(seen.net > 0, 'some net carries are those of /arbitrage');
  });

  test('/exchanges/{venue}: contracts, intervals, fees, health and accuracy, in Markdown too', async () => {
    const exchange = VENUE_PATH.slice('/exchanges/'.length);
    const reply = await api(`/api/v1/funding?exchange=${exchange}&sort=volume_desc`);
    const rows = dataOf(reply) as Row[];
    const { total } = (reply.body as { meta: { total: number } }).meta;
    const page = await textOf(VENUE_PATH);
    const tables = tablesOf(page);
    const [intervals = [], fees = [], accuracy = [], contracts = []] = tables.slice(-4);
    const extremes = tables.slice(0, -4).flat();
    assert.ok(extremes.length > 0, 'the highest and the lowest funding');
    for (const [contract = '', rate, apr] of extremes) {
      const row = rows.find(({ symbol }) => symbol === contract);
      assertShown(rate?.split(' /')[0], digits(row?.rate_pct, 4), contract);
      assertShown(apr, digits((Number(row?.rate_pct) / Number(row?.interval_hours)) * 8760, 1), contract);
    }
    const contractsIn = (table: string[][]) => table.reduce((sum, cells) => sum + Number(cells[1]), 0);
    assert.deepEqual([contractsIn(intervals), contractsIn(fees)], [total, total]);
    assert.deepEqual(
      intervals.map(([every]) => every),
      [...new Set(rows.map((row) => Number(row.interval_hours)))]
        .toSorted((a, b) => a - b)
        .map((hours) => `${hours} h`),
    );
    assert.deepEqual(fees[0]?.[0]?.replace('\u00a0', ' '), '0.050 %');
    assert.match(page, /<dd><span class="hst">.*?working<\/span><\/dd>/s);
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
    const { facts } = VENUES.find((venue) => venue.facts.exchange === exchange) as Venue;
    assert.ok(facts.unknown.length > 0);
    for (const path of [VENUE_PATH, `${VENUE_PATH}.md`]) {
      const text = await textOf(path);
      assert.ok(text.includes('What no source confirms'), path);
      for (const sentence of facts.unknown) assert.ok(words(text).includes(words(sentence)), sentence);
    }
  });

  test('/exchanges/{venue} refuses what is no venue', async () => {
    const reply = await fetch(`${market.service.baseUrl}/exchanges/Nowhere`, {
      headers: { accept: 'text/html' },
    });
    assert.equal(reply.status, 404);
  });

  test('/funding/BTC/history: per day, on the page, as CSV and in Markdown', async () => {
    const data = dataOf(await api('/api/v1/funding/history?coin=BTC&days=7')) as {
      series: { exchange: string; symbol: string; daily: { day: string; apr_pct: number | null }[] }[];
    };
    const grossOf = async (exchange: string) => {
      const reply = await api(
        `/api/v1/funding/history?coin=BTC&exchange=${exchange}&resolution=settlement&days=7`,
      );
      const { series } = dataOf(reply) as {
        series: { settlements: { time: string; rate_pct: number; interval_hours: number }[] }[];
      };
      const byDay = Map.groupBy(series[0]?.settlements ?? [], ({ time }) => time.slice(0, 10));
      return (day: string) => {
        const prints = byDay.get(day) ?? [];
        const sum = prints.reduce((total, { rate_pct }) => total + rate_pct, 0);
        const hours = prints.reduce((total, { interval_hours }) => total + interval_hours, 0);
        return Number(((sum / hours) * 8760).toFixed(4));
      };
    };
    const points: { coin: string; exchange: string; symbol: string; day: string; apr_pct: number | null }[] =
      [];
    for (const { exchange, symbol, daily } of data.series) {
      const gross = await grossOf(exchange);
      for (const { day, apr_pct } of daily)
        points.push({ coin: 'BTC', exchange, symbol, day, apr_pct: apr_pct === null ? null : gross(day) });
    }
    assert.ok(points.length > 10);
    const lines = (await textOf('/funding/BTC/history.csv?days=7')).trim().split('\r\n');
    // The page has the most traded venue first, the API goes by name.
    assert.deepEqual(
      lines.slice(1).toSorted(),
      points.map((point) => Object.values(point).join(',')).toSorted(),
    );
    const twin = markdownTables(await textOf('/funding/BTC/history.md?days=7'))[0] ?? [];
    const inOrder = (rows: Record<string, string>[]) =>
      rows.map((row) => Object.values(row).join(' ')).toSorted();
    assert.deepEqual(inOrder(twin), inOrder(points.map(asMarkdown)));
    assert.equal(lines[0], 'coin,exchange,symbol,day,gross_apr_pct');
    const page = await textOf('/funding/BTC/history?days=7');
    const shown = tablesOf(page)[1] ?? [];
    const venues = [
      ...page.slice(page.indexOf('id="figures"')).matchAll(/settled payment of [^"]*">([^<]*)<\/a><\/th>/g),
    ].map(([, name]) => name);
    assert.equal(venues.length, data.series.length);
    for (const { exchange, day, apr_pct } of points) {
      const row = shown.find((cells) => cells[0] === day);
      assertShown(row?.[venues.indexOf(exchange) + 1], digits(apr_pct, 1), `${exchange} ${day}`);
    }
  });

  test('/funding/BTC/history: per settlement and cumulative, with sums and averages of the API', async () => {
    const { series } = dataOf(
      await api('/api/v1/funding/history?coin=BTC&exchange=Bybit&resolution=settlement&days=7'),
    ) as { series: { settlements: { time: string; rate_pct: number; interval_hours: number }[] }[] };
    const prints = series[0]?.settlements ?? [];
    assert.ok(prints.length > 15);
    const one = '?exchange=Bybit&resolution=settlement';
    const csv = (await textOf(`/funding/BTC/history.csv${one}`)).trim().split('\r\n');
    assert.equal(csv[0], 'coin,exchange,symbol,time,rate_pct,interval_hours');
    assert.deepEqual(
      csv.slice(1),
      prints.map(
        ({ time, rate_pct, interval_hours }) => `BTC,Bybit,BTC-USDT,${time},${rate_pct},${interval_hours}`,
      ),
    );
    const page = await textOf(`/funding/BTC/history${one}`);
    assert.match(page, /title="Every settled payment of BTC-USDT">Bybit<\/a><small>per 8 h<\/small>/);
    const [totals = [], figures = []] = tablesOf(page);
    const sum = prints.reduce((total, { rate_pct }) => total + rate_pct, 0);
    const hours = prints.reduce((total, { interval_hours }) => total + interval_hours, 0);
    const rates = prints.map(({ rate_pct }) => rate_pct);
    const [row = []] = totals;
    assert.equal(row[0], 'Bybit');
    assertShown(row[2], digits(sum, 3), 'sum');
    assertShown(row[3], digits((sum / hours) * 8760, 1), 'average APR');
    assertShown(row[4], digits((sum / hours) * 8, 4), 'average per 8 h');
    assertShown(row[5], digits(Math.max(...rates), 4), 'highest');
    assertShown(row[6], digits(Math.min(...rates), 4), 'lowest');
    assert.equal(
      row[7],
      `${Math.round((rates.filter((rate) => rate > 0).length / rates.length) * 100)}\u00a0%`,
    );
    assert.equal(row[8], String(prints.length));
    assert.deepEqual(
      figures.map(([time]) => time),
      prints.toReversed().map(({ time }) => `${time.slice(0, 16).replace('T', ' ')} UTC`),
    );
    const added = await textOf('/funding/BTC/history.csv?exchange=Bybit&resolution=cumulative');
    const last = added.trim().split('\r\n').at(-1)?.split(',') ?? [];
    assert.equal(last[3], prints.at(-1)?.time);
    assert.equal(Number(last[4]).toFixed(6), sum.toFixed(6), 'the whole sum at the end');
  });

  test('/: every board has the first rows of a list of the API, and the cut has the cells of the matrix', async () => {
    const page = await textOf('/');
    const { meta } = (await api('/api/v1/funding?limit=1')).body as { meta: { total: number } };
    assert.ok(page.includes(`${meta.total.toLocaleString('en-US')} contracts on 5 venues`));
    const boards = tablesOf(page.slice(page.indexOf('id="boards"')));
    const rowsAt = async (path: string) => {
      const data = dataOf(await api(path));
      const rows = (Array.isArray(data) ? data : (data as { pairs: Row[] }).pairs) as Row[];
      const sound = rows.filter((row) => row.price_outlier !== true);
      // The calendar has events; the other boards have one row per coin.
      const isFirst = (row: Row, i: number) => sound.findIndex(({ coin }) => coin === row.coin) === i;
      return (path.includes('/listings') ? sound : sound.filter(isFirst)).slice(0, 5);
    };
    const filters = 'min_volume_usdt=1000000&is_inverse=false';
    const [carry, high, low, spread, listing] = await Promise.all(
      [
        '/api/v1/arbitrage?min_possible_capacity_usd=50000&sort=expected_low_net_desc',
        `/api/v1/funding?sort=gross_apr_desc&${filters}`,
        `/api/v1/funding?sort=gross_apr_asc&${filters}`,
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
        assertShown(table?.[i]?.[column], digits(figureOf(row, field), decimals), `${field} ${i}`);
    };
    const figureOf = (row: Row, field: string) =>
      field === 'gross APR' ? (Number(row.rate_pct) / Number(row.interval_hours)) * 8760 : row[field];
    // A board without rows has no table.
    const tables = [...boards];
    if (carry?.length) {
      const best = tables.shift();
      figures(carry, best, 3, 'net_apr_pct', 1);
      for (const [i, row] of carry.entries()) {
        if (row.asset_class === 'stock') continue;
        const [range, expected] = (best?.[i]?.[4] ?? '').split('exp.');
        assertShown(expected, digits(row.expected_net_apr_pct, 1), `expected ${i}`);
        if (row.expected_low_net_apr_pct === null) continue;
        const low = digits(row.expected_low_net_apr_pct, 0);
        assertShown(range?.split(' to ')[0], low, `likely ${i}`);
      }
    }
    figures(high, tables.shift(), 1, 'gross APR', 1);
    figures(low, tables.shift(), 1, 'gross APR', 1);
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
        matrix[i]?.slice(6, 6 + cells.length).map((cell) => cell.split(' ')[0]),
      );
    const twin = markdownTables(await textOf('/index.md'));
    assert.equal(twin[0]?.[0]?.contracts, String(meta.total));
    assert.equal(twin[1]?.[0]?.apr_pct, String(high?.[0]?.apr_pct));
  });

  test('/accuracy/forecasts says that there are no scores, then has those of the API, by horizon, venue, class and order', async () => {
    const empty = await textOf('/accuracy/forecasts');
    assert.match(empty, /There are no scores yet/);
    assert.match(await textOf('/accuracy/forecasts.md'), /There are no scores yet/);
    await keepScores(market);
    const { horizons, models } = dataOf(await api('/api/v1/forecasts/accuracy')) as ForecastAccuracy;
    const figures = (group: GroupAccuracy) => [
      group.observations,
      ...Object.values(group.mean_error_bp),
      group.bias_bp,
      group.coverage_pct,
    ];
    const assertFigures = (cells: readonly string[] | undefined, group: GroupAccuracy, where: string) => {
      for (const [i, value] of figures(group).entries())
        assertShown(cells?.[i], digits(value, i === 0 ? 0 : i === 7 ? 1 : 2), `${where}, figure ${i}`);
      assert.equal(cells?.[1]?.includes('worse than nothing'), group.is_worse_than_zero, where);
    };
    for (const { days, by_exchange: venues, by_asset_class: classes } of horizons) {
      const page = await textOf(`/accuracy/forecasts${days === 7 ? '' : `?horizon=${days}`}`);
      assert.doesNotMatch(page, /There are no scores yet/);
      assert.match(page, /Over 1 day the forecast was worse than expecting nothing/);
      assert.doesNotMatch(page, /Over (7|30) days the forecast was worse/);
      const [errors, top, places, groups, weights, quantiles] = tablesOf(page);
      for (const [i, horizon] of horizons.entries()) {
        assertFigures(errors?.[i]?.slice(2), horizon, `${horizon.days} days`);
        for (const [k, order] of Object.values(horizon.top_ten).entries()) {
          const [, , picks, promised, apr, earned, cost] = top?.[4 * i + k] ?? [];
          assertShown(picks, digits(order.picks, 0), 'followed');
          assertShown(promised, digits(order.promised_apr_pct, 1), 'promised');
          assertShown(apr, digits(order.earned_apr_pct, 1), 'earned a year');
          assertShown(earned, digits(order.earned_pct, 3), 'earned');
          assertShown(cost, digits(order.cost_pct, 3), 'costs');
        }
      }
      for (const [i, model] of [...models.pairs, ...models.contracts].entries()) {
        for (const [k, weight] of Object.values(model.weights).entries())
          assertShown(weights?.[i]?.[3 + k], digits(weight, 3), 'weight');
        for (const [k, { error }] of model.error_quantiles.entries())
          assertShown(quantiles?.[i]?.[2 + k], digits(error, 2), 'error');
      }
      const orders = Object.values(horizons.find((one) => one.days === days)?.by_place ?? {});
      assert.equal(orders.length, 4);
      for (const [i, order] of orders.entries())
        for (const [k, one] of Object.values(order).entries()) {
          const [, , picks, promised, earned, inside, below] = places?.[4 * i + k] ?? [];
          // Two of the three days have places.
          assert.equal(one.picks, [2, 20, 200, 1400][k]);
          assertShown(picks, digits(one.picks, 0), 'followed');
          assertShown(promised, digits(one.promised_bp, 2), 'promised');
          assertShown(earned, digits(one.earned_bp, 2), 'earned');
          assertShown(inside, digits(one.inside_pct, 1), 'inside');
          assertShown(below, digits(one.below_costs_pct, 1), 'below costs');
        }
      const named = [
        ...classes.map((one) => [one.asset_class, one] as const),
        ...venues.map((one) => [one.exchange, one] as const),
      ];
      assert.deepEqual(
        groups?.map(([name]) => name),
        named.map(([name]) => name),
      );
      for (const [i, [name, group]] of named.entries()) assertFigures(groups?.[i]?.slice(1), group, name);
    }
    const twin = await textOf('/accuracy/forecasts.md');
    assert.match(twin, /by place in the list/);
    assert.match(twin, /## Errors of past forecasts/);
    const [errors] = markdownTables(twin);
    assert.deepEqual(
      errors?.map(({ days, expected, coverage_pct }) => [days, expected, coverage_pct]),
      horizons.map(({ days, mean_error_bp, coverage_pct }) => [
        String(days),
        String(mean_error_bp.expected),
        String(coverage_pct),
      ]),
    );
  });
});
