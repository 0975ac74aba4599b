import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { roundPercent } from '../../src/base/numbers.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../src/base/times.ts';
import { aprPct } from '../../src/engines/funding/table.ts';
import { emptyBatch } from '../../src/venues/observations.ts';
import { callTool } from '../mcp/rpc.ts';
import { collectOnce, type Reply, type Running, rowsOf, runService, until } from '../support/service.ts';
import { venueOf } from './keeping.ts';

const START_MS = Date.UTC(2026, 10, 14, 18, 30);
const PATH = '/api/v1/funding/history';

interface Series {
  exchange: string;
  symbol: string;
  venue_symbol: string;
  is_inverse: boolean;
  price_outlier: boolean;
  taker_fee_pct: number;
  held_since: string | null;
  daily: { day: string; apr_pct: number | null }[] | null;
  settlements: { time: string; rate_pct: number; interval_hours: number | null }[] | null;
}
interface History {
  coin: string;
  resolution: string;
  from: string;
  to: string;
  series: Series[];
}
const historyOf = (reply: Reply): History => {
  assert.equal(reply.status, 200, reply.text.slice(0, 300));
  return (reply.body as { data: History }).data;
};
const problemOf = (reply: Reply) =>
  reply.body as { code: string; detail: string; status: number; suggestions?: string[] };

suite('GET /funding/history', () => {
  let running: Running;
  let clock: ManualClock;
  let pump: NodeJS.Timeout;
  const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-history-'));
  const start = () =>
    runService({
      clock,
      dataDir,
      venues: ['binance', 'bybit', 'okx', 'kraken', 'hyperliquid'],
      coins: 8,
      settings: { HISTORY_DAYS: '200', HISTORY_PACED: 'false' },
    });
  before(async () => {
    clock = new ManualClock(START_MS);
    running = await start();
    await collectOnce(running);
    running.service.history.startVenues();
    pump = setInterval(() => clock.advanceMs(50), 10);
    await until(() => running.service.history.isBackfilled(), 'the backfill');
    clearInterval(pump);
    await running.service.publisher.publish(clock.nowMs());
  });
  after(async () => {
    clearInterval(pump);
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const request = (query: string, plan: 'demo' | 'developer' | 'pro' | 'business' = 'business') =>
    running.get(`${PATH}?${query}`, { plan });
  const record = (slug: string, venueSymbol: string, fromMs: number, toMs: number) => {
    const view = running.sim.view(slug);
    const contract = view.find(venueSymbol);
    return contract ? view.settlements(contract, fromMs, toMs) : [];
  };

  test('200: settlement returns every print of the window, both ends included, oldest first', async () => {
    const [fromMs, toMs] = [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 11)];
    const history = historyOf(
      await request(
        `coin=btc&exchange=Binance&resolution=settlement&from=${isoTime(fromMs)}&to=${isoTime(toMs)}`,
      ),
    );
    assert.deepEqual(
      [history.coin, history.resolution, history.from, history.to],
      ['BTC', 'settlement', '2026-11-01T00:00:00Z', '2026-11-11T00:00:00Z'],
    );
    const [series, ...others] = history.series;
    assert.deepEqual(others, []);
    assert.deepEqual([series?.exchange, series?.symbol, series?.daily], ['Binance', 'BTC-USDT', null]);
    const wanted = record('binance', 'BTCUSDT', fromMs, toMs);
    assert.equal(wanted[0]?.settledAtMs, fromMs, 'a print is on the edge of the window');
    assert.deepEqual(
      series?.settlements,
      wanted.map((print) => ({
        time: isoTime(print.settledAtMs),
        rate_pct: print.rateE8 / 1e6,
        interval_hours: print.intervalHours,
      })),
    );
  });

  test('200: a contract that is most likely another coin is served, and marked, if its venue is named', async () => {
    const okx = venueOf('okx');
    const { market } = running.service.context;
    const quoteTimes = async (factor: number) => {
      const states = market.statesOf(okx).filter(({ contract }) => contract.base === 'SOL');
      assert.ok(states.length > 0);
      const bookTops = states.flatMap(({ top }) =>
        top ? [{ ...top, bidPrice: top.bidPrice * factor, askPrice: top.askPrice * factor }] : [],
      );
      clock.advanceMs(1000);
      running.service
        .collectorOptions(okx)
        .accept(okx, { ...emptyBatch(), bookTops }, clock.nowMs(), new Map());
      await running.service.publisher.publish(clock.nowMs());
    };
    const before = historyOf(await request('coin=SOL&exchange=OKX&resolution=settlement&days=3')).series[0];
    assert.equal(before?.price_outlier, false);
    await quoteTimes(3);
    try {
      for (const query of ['resolution=settlement', 'resolution=1d']) {
        const { series } = historyOf(await request(`coin=SOL&exchange=OKX&days=3&${query}`));
        assert.equal(series.length, 1, query);
        assert.equal(series[0]?.price_outlier, true, query);
        assert.ok((series[0]?.settlements ?? series[0]?.daily ?? []).length >= 3, query);
        if (series[0]?.settlements) assert.deepEqual(series[0].settlements, before?.settlements);
      }
      const csv = await request('coin=SOL&exchange=OKX&resolution=settlement&days=3&format=csv');
      const [head, first] = csv.text.split('\r\n');
      assert.match(head ?? '', /,price_outlier,taker_fee_pct$/);
      assert.match(first ?? '', /,true,0\.05$/);
      const all = historyOf(await request('coin=SOL&days=3')).series;
      assert.ok(all.length > 1 && all.every((one) => one.price_outlier === false && one.exchange !== 'OKX'));
      const pair = await running.get(
        '/api/v1/arbitrage/history?coin=SOL&long_exchange=OKX&short_exchange=Binance',
      );
      assert.equal(pair.status, 400, pair.text);
      assert.match(problemOf(pair).detail, /another coin \(price_outlier\)/);
    } finally {
      await quoteTimes(1 / 3);
    }
    const after = historyOf(await request('coin=SOL&exchange=OKX&resolution=settlement&days=3')).series[0];
    assert.equal(after?.price_outlier, false);
  });

  test('200: fields keeps only these on every point; meta counts the series', async () => {
    const query = 'coin=BTC&exchange=Binance&resolution=settlement&days=3';
    const whole = historyOf(await request(query)).series[0]?.settlements ?? [];
    const reply = await request(`${query}&fields=rate_pct,time`);
    const { series, ...rest } = historyOf(reply);
    assert.deepEqual(Object.keys(rest), ['coin', 'resolution', 'from', 'to']);
    assert.ok(whole.length > 0);
    assert.deepEqual(
      series[0]?.settlements,
      whole.map(({ time, rate_pct }) => ({ time, rate_pct })),
    );
    const daily = await request('coin=ETH&days=2&fields=day');
    assert.deepEqual(Object.keys(historyOf(daily).series[0]?.daily?.[0] ?? {}), ['day']);
    const { count, total } = (daily.body as { meta: { count: number; total: number } }).meta;
    assert.deepEqual([count, total], [5, 5]);
  });

  test('400: fields of the other resolution are none of these points', async () => {
    const reply = await request('coin=BTC&fields=rate_pct');
    assert.equal(reply.status, 400);
    assert.match(problemOf(reply).detail, /unknown name "rate_pct"; the row's fields are day, apr_pct\./);
  });

  test('200: /funding has the newest print that had settled by as_of, as history has it', async () => {
    const rows = rowsOf(
      await running.get('/api/v1/funding?coin=BTC,ETH,SOL&limit=100', { plan: 'business' }),
    );
    assert.ok(rows.length > 10);
    for (const { exchange, coin, venue_symbol: symbol, last_rate_pct, last_funding_at } of rows) {
      const query = `coin=${coin}&exchange=${exchange}&symbol=${symbol}&resolution=settlement&order=desc&limit=1`;
      const [print] = historyOf(await request(query)).series[0]?.settlements ?? [];
      assert.deepEqual(
        [last_funding_at, last_rate_pct],
        [print?.time, print?.rate_pct],
        `${exchange} ${symbol}`,
      );
    }
  });

  test('200: 1d returns one point per day and venue, from the same prints', async () => {
    const history = historyOf(await request('coin=ETH&days=60'));
    assert.deepEqual(
      history.series.map(({ exchange }) => exchange),
      ['Binance', 'Bybit', 'Hyperliquid', 'Kraken', 'OKX'],
    );
    for (const { exchange, venue_symbol, daily, settlements, is_inverse } of history.series) {
      assert.equal(settlements, null);
      assert.equal(is_inverse, false);
      assert.equal(daily?.length, 60, exchange);
      const slug = exchange.toLowerCase();
      const fee = venueOf(slug).facts.takerFeePct.value;
      for (const { day, apr_pct } of daily ?? []) {
        const startMs = Date.parse(day);
        const prints = record(slug, venue_symbol, startMs, startMs + DAY_MS - 1);
        const sumPct = prints.reduce((sum, print) => sum + print.rateE8, 0) / 1e6;
        const hours = prints.reduce((sum, print) => sum + print.intervalHours, 0);
        assert.equal(apr_pct, hours < 12 ? null : aprPct(sumPct, hours, fee), `${exchange} ${day}`);
      }
    }
  });

  test('200: the default window is the last 30 days for 1d and the last 7 days for settlement', async () => {
    const daily = historyOf(await request('coin=BTC'));
    // It ends with the newest print of any of the venues, not at the time of the request.
    assert.equal(daily.to, isoTime(newestPrintMs() + 1000));
    assert.equal(Date.parse(daily.to) - Date.parse(daily.from), 30 * DAY_MS);
    const prints = historyOf(await request('coin=BTC&exchange=Kraken&resolution=settlement'));
    assert.equal(Date.parse(prints.to) - Date.parse(prints.from), 7 * DAY_MS);
    assert.equal(prints.series[0]?.settlements?.length, 7 * 24);
  });

  test('200: to in the future is clipped to the newest print', async () => {
    const history = historyOf(await request('coin=BTC&to=2027-05-01T00:00:00Z&days=3'));
    assert.equal(history.to, isoTime(newestPrintMs() + 1000));
  });

  /** When the newest print of the contracts on BTC that the answers have settled. */
  const newestPrintMs = () => {
    const { directory } = running.service.history.keeper;
    const contracts = [
      ['Binance', 'BTCUSDT'],
      ['Bybit', 'BTCUSDT'],
      ['OKX', 'BTC-USDT-SWAP'],
      ['Kraken', 'PF_XBTUSD'],
      ['Hyperliquid', 'BTC'],
    ] as const;
    return Math.max(
      ...contracts.map(([exchange, symbol]) => directory.find(exchange, symbol)?.lastPrintMs ?? 0),
    );
  };
  const HISTORIES = [
    `${PATH}?coin=BTC`,
    `${PATH}?coin=BTC&days=3`,
    `${PATH}?coin=BTC&to=2027-05-01T00:00:00Z`,
    `${PATH}?coin=BTC&from=2026-11-10T00:00:00Z`,
    `${PATH}?coin=BTC&exchange=Binance&resolution=settlement`,
    `${PATH}?coin=BTC&exchange=Binance&resolution=settlement&days=2`,
    '/api/v1/arbitrage/history?coin=BTC&long_exchange=OKX&short_exchange=Binance',
    '/api/v1/arbitrage/history?coin=BTC&long_exchange=OKX&short_exchange=Binance&days=2',
  ];
  for (const plan of ['demo', 'business'] as const)
    test(`304: on the ${plan} plan an answer is the same until there is a new print, whatever the time`, async () => {
      const startMs = clock.nowMs();
      const first = await Promise.all(HISTORIES.map((path) => running.get(path, { plan })));
      try {
        // Answers are cached for ten seconds; twenty minutes are more than the delay of the Demo plan.
        for (const laterMs of [11_000, 20 * 60_000]) {
          clock.setMs(startMs + laterMs);
          for (const [i, path] of HISTORIES.entries()) {
            const { text, headers } = first[i] as Reply;
            const again = await running.get(path, { plan });
            assert.equal(again.text, text, `${path} after ${laterMs} ms`);
            const known = await running.get(path, {
              plan,
              headers: { 'if-none-match': headers.get('etag') ?? '' },
            });
            assert.equal(known.status, 304, path);
          }
        }
      } finally {
        clock.setMs(startMs);
      }
    });

  test('200: as_of is when the newest print settled, and of a window that has ended its end', async () => {
    const asOf = async (query: string) =>
      ((await request(query)).body as { meta: { as_of: string } }).meta.as_of;
    assert.equal(await asOf('coin=BTC'), isoTime(newestPrintMs()));
    const binance = running.service.history.keeper.directory.find('Binance', 'BTCUSDT');
    assert.equal(
      await asOf('coin=BTC&exchange=Binance&resolution=settlement'),
      isoTime(binance?.lastPrintMs ?? 0),
    );
    assert.equal(await asOf('coin=BTC&from=2026-11-01&to=2026-11-05T03:00:00Z'), '2026-11-05T03:00:00Z');
  });

  test('200: the window that an answer states has the same rows', async () => {
    for (const query of [
      'coin=BTC&days=5',
      'coin=BTC&exchange=Kraken&resolution=settlement',
      'coin=BTC&exchange=Binance&resolution=settlement&days=2',
    ])
      for (const plan of ['demo', 'business'] as const) {
        const stated = historyOf(await request(query, plan));
        const again = historyOf(await request(`${query}&from=${stated.from}&to=${stated.to}`, plan));
        assert.deepEqual(again, stated, `${query} on ${plan}`);
      }
  });

  for (const [what, days, argument] of [
    ['a good one', 'days=5', 5],
    ['a word', 'days=abc', 'abc'],
    ['an empty one', 'days=', ''],
    ['0', 'days=0', 0],
    ['one above the most', 'days=181', 181],
    ['a fraction', 'days=1.5', 1.5],
    ['a repeated one', 'days=5&days=6', [5, 6]],
    ['no text and no number', 'days=%7B%7D', {}],
  ] as const) {
    test(`200: days is ignored when from is given: ${what}`, async () => {
      const alone = await request('coin=BTC&from=2026-11-01');
      const reply = await request(`coin=BTC&${days}&from=2026-11-01`);
      assert.equal(historyOf(reply).from, '2026-11-01T00:00:00Z');
      assert.deepEqual(reply.body, alone.body, 'the same answer, with the same meta.url');
      const args = { coin: 'BTC', days: argument, from: '2026-11-01' };
      const tool = await callTool(
        running.service.baseUrl,
        running.keys.business,
        'svc_get_funding_history',
        args,
      );
      assert.deepEqual(tool.structuredContent, alone.body);
      const pair = await running.get(
        `/api/v1/arbitrage/history?coin=BTC&long_exchange=OKX&short_exchange=Kraken&from=2026-11-01&${days}`,
      );
      assert.equal(historyOf(pair).from, '2026-11-01T00:00:00Z');
      for (const path of [
        '/funding/BTC/history',
        '/funding/BTC/history.csv',
        '/funding/BTC/history.md',
        '/arbitrage/pair.csv',
      ]) {
        const both = 'coin=BTC&long_exchange=OKX&short_exchange=Kraken';
        const page = await running.get(`${path}?${both}&${days}&from=2026-11-10`);
        assert.equal(page.status, 200, `${path}: ${page.text.slice(0, 300)}`);
      }
    });
  }

  test('200: limit applies after ordering, per series', async () => {
    const all = historyOf(await request('coin=BTC&days=20')).series[0]?.daily ?? [];
    const newest = historyOf(await request('coin=BTC&days=20&order=desc&limit=3'));
    assert.deepEqual(newest.series[0]?.daily, all.toReversed().slice(0, 3));
    for (const { daily } of newest.series) assert.equal(daily?.length, 3);
    const oldest = historyOf(await request('coin=BTC&days=20&limit=3'));
    assert.deepEqual(oldest.series[0]?.daily, all.slice(0, 3));
  });

  test('200: exchange and exclude_exchange choose the venues of 1d', async () => {
    const some = historyOf(await request('coin=BTC&exchange=OKX,Kraken&exclude_exchange=Kraken'));
    assert.deepEqual(
      some.series.map(({ exchange }) => exchange),
      ['OKX'],
    );
  });

  test('200: symbol selects a contract by symbol or by venue symbol', async () => {
    const inverse = historyOf(await request('coin=BTC&exchange=Binance&symbol=btc-usd&days=3'));
    assert.deepEqual(
      inverse.series.map((one) => [one.venue_symbol, one.is_inverse]),
      [['BTCUSD_PERP', true]],
    );
    const own = historyOf(await request('coin=BTC&exchange=Kraken&symbol=PI_XBTUSD&resolution=settlement'));
    assert.deepEqual(
      own.series.map((one) => [one.venue_symbol, one.is_inverse]),
      [['PI_XBTUSD', true]],
    );
    assert.ok((own.series[0]?.settlements?.length ?? 0) > 100);
  });

  test('200: a venue without prints in the window has an empty series, a venue without the coin has none', async () => {
    const early = historyOf(
      await request('coin=BTC&exchange=OKX&resolution=settlement&from=2026-05-01&to=2026-05-02'),
    );
    assert.deepEqual(
      early.series.map(({ exchange, settlements }) => [exchange, settlements]),
      [['OKX', []]],
    );
    const daily = historyOf(await request('coin=BTC&exchange=OKX&from=2026-05-01&to=2026-05-20'));
    assert.deepEqual(
      daily.series.map(({ daily: points }) => points),
      [[]],
    );
  });

  test('200: a contract younger than the window starts with its first day', async () => {
    const young = rowsOf(await running.get('/api/v1/coins?q=NEW&limit=50')).map((row) => String(row.coin));
    assert.ok(young.length > 0);
    let checked = 0;
    for (const coin of young) {
      const { series } = historyOf(await request(`coin=${coin}&days=180`));
      for (const { held_since, daily } of series) {
        if (!daily || daily.length === 0) continue;
        assert.equal(daily[0]?.day, held_since?.slice(0, 10));
        assert.ok(daily.length < 100);
        checked++;
      }
    }
    assert.ok(checked > 0);
  });

  test('200: held_since is the time of the first stored print', async () => {
    const [okx] = historyOf(await request('coin=BTC&exchange=OKX')).series;
    const agoDays = (clock.nowMs() - Date.parse(okx?.held_since ?? '')) / DAY_MS;
    assert.ok(agoDays > 88 && agoDays < 91, `OKX keeps three months, we have ${agoDays} days`);
  });

  test('200: on the Demo plan the last 15 minutes are in neither the prints nor the current day', async () => {
    const nowMs = Math.ceil(clock.nowMs() / HOUR_MS) * HOUR_MS + 5 * 60_000;
    running.sim.time.holdAt(nowMs);
    clock.setMs(nowMs);
    const settled = () =>
      running.service.history.keeper.directory.find('Kraken', 'PF_XBTUSD')?.lastPrintMs ===
      nowMs - 5 * 60_000;
    pump = setInterval(() => clock.advanceMs(20), 10);
    await until(settled, 'the print of the hour');
    clearInterval(pump);
    running.sim.time.runLive();
    const query = 'coin=BTC&exchange=Kraken&resolution=settlement&days=1&order=desc&limit=1';
    const newest = (history: History) => history.series[0]?.settlements?.[0]?.time;
    assert.equal(newest(historyOf(await request(query))), isoTime(nowMs - 5 * 60_000));
    const delayed = await request(query, 'demo');
    assert.equal(newest(historyOf(delayed)), isoTime(nowMs - 5 * 60_000 - HOUR_MS));
    assert.equal((delayed.body as { meta: { delayed_seconds: number } }).meta.delayed_seconds, 900);
    const today = async (plan: 'demo' | 'business') =>
      historyOf(await request('coin=BTC&exchange=Kraken&days=1', plan)).series[0]?.daily?.at(-1)?.apr_pct;
    assert.notEqual(await today('demo'), await today('business'));
  });

  test('sums of funding rows are the sums of the prints of the same window', async () => {
    await running.service.publisher.publish(clock.nowMs());
    const reply = await running.get('/api/v1/funding?limit=500');
    let checked = 0;
    for (const row of rowsOf(reply)) {
      for (const [field, days] of [
        ['sum_7d_pct', 7],
        ['sum_30d_pct', 30],
      ] as const) {
        // A row without sums does not say when its prints end: everything is complete here.
        const untilMs = Date.parse(String(row.covered_until ?? row.last_funding_at));
        const from = isoTime(untilMs - days * DAY_MS);
        const prints = historyOf(
          await request(
            `coin=${row.coin}&exchange=${row.exchange}&symbol=${row.venue_symbol}&resolution=settlement&from=${from}&to=${isoTime(untilMs)}`,
          ),
        ).series[0]?.settlements;
        const inside = (prints ?? []).filter(({ time }) => Date.parse(time) > untilMs - days * DAY_MS);
        const hours = inside.reduce((sum, print) => sum + (print.interval_hours ?? 0), 0);
        const sum = roundPercent(inside.reduce((total, print) => total + print.rate_pct, 0));
        const what = `${row.exchange} ${row.venue_symbol} ${field}`;
        if (hours < days * 24 * 0.95) assert.equal(row[field], null, what);
        else {
          assert.equal(row[field], sum, what);
          checked++;
        }
      }
    }
    assert.ok(checked > 150, `${checked} sums`);
    const young = rowsOf(await running.get('/api/v1/funding?limit=500')).filter(
      (row) => row.sum_30d_pct === null,
    );
    assert.ok(young.length > 0, 'some contract is too young for a sum');
  });

  test('a repeated request returns the same bytes until a new print is stored', async () => {
    const first = await request('coin=BTC&days=2');
    assert.equal((await request('coin=BTC&days=2')).headers.get('etag'), first.headers.get('etag'));
    const known = await running.get(`${PATH}?coin=BTC&days=2`, {
      headers: { 'if-none-match': first.headers.get('etag') ?? '' },
    });
    assert.equal(known.status, 304);
  });

  for (const [query, pattern] of [
    ['', /"coin" is required/],
    ['coin=BTC&resolution=1h', /"resolution" must be one of 1d, settlement; got "1h"/],
    ['coin=BTC&resolution=settlement', /"exchange" must name exactly one venue.*got none/],
    ['coin=BTC&resolution=settlement&exchange=OKX,Kraken', /"exchange" must name exactly one venue.*got 2/],
    [
      'coin=BTC&resolution=settlement&exchange=OKX&exclude_exchange=Kraken',
      /"exclude_exchange" goes with resolution=1d/,
    ],
    ['coin=BTC&days=0', /"days" must be an integer from 1 to 180/],
    ['coin=BTC&days=181', /"days" must be an integer from 1 to 180/],
    ['coin=BTC&limit=0', /"limit" must be an integer from 1 to 5000/],
    ['coin=BTC&limit=5001', /"limit" must be an integer from 1 to 5000/],
    ['coin=BTC&order=up', /"order" must be one of asc, desc/],
    ['coin=BTC&from=yesterday', /"from" must be an ISO 8601 UTC time/],
    ['coin=BTC&to=2026-13-01', /"to" must be an ISO 8601 UTC time/],
    ['coin=BTC&from=2026-11-10&to=2026-11-01', /"from" \(2026-11-10T00:00:00Z\) must not be after "to"/],
    ['coin=BTC&from=2027-01-01', /"from" .* must not be after "to"/],
    ['coin=BTC&from=2026-01-01', /"from" asks for more than 180 days/],
    ['coin=BTC&exchange=OKX&resolution=settlement&days=93', /"days" asks for more than 92 days/],
    ['coin=BTC&exchange=OKX&resolution=settlement&from=2026-08-01', /"from" asks for more than 92 days/],
    ['coin=BTC&symbol=ETH-USDT', /"symbol" names no contract on BTC; its symbols are .*BTC-USDT/],
    ['coin=BTC&symbol=', /"symbol" is empty/],
    ['coin=BTC&coin=ETH', /"coin" was sent 2 times/],
  ] as const) {
    test(`400: ${query === '' ? 'no parameters' : query}`, async () => {
      const reply = await request(query);
      assert.equal(reply.status, 400, reply.text);
      assert.equal(problemOf(reply).code, 'invalid-parameter');
      assert.match(problemOf(reply).detail, pattern);
    });
  }

  for (const [plan, days] of [
    ['demo', 7],
    ['developer', 90],
  ] as const) {
    test(`403: a window beyond the ${plan} plan; the detail names the earliest from, which works`, async () => {
      const refused = await request(`coin=BTC&days=${days + 1}`, plan);
      assert.equal(refused.status, 403);
      assert.equal(problemOf(refused).code, 'plan-limit');
      const earliest = /the earliest "from" is (\S+Z)\./.exec(problemOf(refused).detail)?.[1] ?? '';
      assert.equal((await request(`coin=BTC&from=${earliest}`, plan)).status, 200);
      assert.equal(
        (await request(`coin=BTC&days=${days}`, plan)).status,
        200,
        'exactly the depth is included',
      );
      const explicit = isoTime(Math.floor(clock.nowMs() / 1000) * 1000 - (days + 1) * DAY_MS);
      assert.equal((await request(`coin=BTC&from=${explicit}`, plan)).status, 403);
      assert.equal(
        (await request(`coin=BTC&to=${explicit}`, plan)).status,
        403,
        'a window wholly beyond the depth',
      );
    });
  }

  test('200: without from and days the window is narrowed to the plan', async () => {
    const history = historyOf(await request('coin=BTC', 'demo'));
    // Whole days: the first one that begins in the last seven.
    const earliestMs = clock.nowMs() - 900_000 - 7 * DAY_MS;
    assert.equal(Date.parse(history.from), Math.ceil(earliestMs / DAY_MS) * DAY_MS);
    const prints = historyOf(await request('coin=BTC&exchange=Kraken&resolution=settlement', 'demo'));
    assert.equal(prints.from, prints.series[0]?.settlements?.[0]?.time);
    assert.ok(Date.parse(prints.from) >= earliestMs && Date.parse(prints.from) < earliestMs + HOUR_MS);
  });

  test('200: the Business plan reads the whole history', async () => {
    assert.equal((await request('coin=BTC&from=2026-05-20&to=2026-11-01')).status, 200);
  });

  test('404: an unknown coin, with suggestions of the same beginning', async () => {
    const reply = await request('coin=BTX');
    assert.deepEqual([reply.status, problemOf(reply).code], [404, 'unknown-coin']);
    assert.ok(problemOf(reply).suggestions?.includes('BTC'));
  });

  test('404: an unknown exchange, with the right spelling first', async () => {
    const reply = await request('coin=BTC&exchange=binance');
    assert.deepEqual([reply.status, problemOf(reply).code], [404, 'unknown-exchange']);
    assert.equal(problemOf(reply).suggestions?.[0], 'Binance');
  });

  test('before the first snapshot after a start the same contracts are chosen', async () => {
    const rows = rowsOf(await running.get('/api/v1/funding?limit=500'));
    // Which contract is another coin under the same ticker is known from prices only.
    const outliers = new Set(rows.flatMap(({ coin, price_outlier }) => (price_outlier ? [coin] : [])));
    const coins = [...new Set(rows.map(({ coin }) => coin))].filter((coin) => !outliers.has(coin));
    const chosen = async () => {
      const all = await Promise.all(
        coins.map(async (coin) => historyOf(await request(`coin=${coin}&days=7`))),
      );
      return all.flatMap(({ coin, series }) =>
        series.map(({ exchange, venue_symbol }) => `${coin} ${exchange} ${venue_symbol}`),
      );
    };
    const before = await chosen();
    const held = running.service.history.keeper.directory.all();
    assert.ok(held.every(({ volume24hUsdt }) => (volume24hUsdt ?? 0) > 0));
    await running.stop();
    // The stored snapshots are too old for the restart.
    clock.advanceMs(3 * HOUR_MS);
    running = await start();
    assert.equal((await running.get('/api/v1/funding')).status, 503, 'there is no snapshot');
    assert.deepEqual(await chosen(), before);
  });
});

suite('GET /funding/history before any data', () => {
  test('503: before the first snapshot', async () => {
    const running = await runService({ venues: ['binance'], coins: 5 });
    const reply = await running.get(`${PATH}?coin=BTC`);
    assert.deepEqual([reply.status, problemOf(reply).code], [503, 'snapshot-unavailable']);
    await running.stop();
  });

  test('faults of the request take precedence: 400 for the window, 403 for the plan, then 503', async () => {
    const running = await runService({ venues: ['binance'], coins: 5 });
    const answerTo = async (query: string) => {
      const reply = await running.get(`${PATH}?coin=BTC&${query}`, { plan: 'demo' });
      return [reply.status, problemOf(reply).code];
    };
    assert.deepEqual(await answerTo('from=2026-11-10&to=2026-11-01'), [400, 'invalid-parameter']);
    assert.deepEqual(await answerTo('days=8'), [403, 'plan-limit']);
    assert.deepEqual(await answerTo('days=7'), [503, 'snapshot-unavailable']);
    await running.stop();
  });
});
