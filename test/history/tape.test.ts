import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, isoTime, MINUTE_MS } from '../../src/base/times.ts';
import { collectOnce, type Reply, type Running, rowsOf, runService } from '../support/service.ts';

/** Six minutes before an hour, so that steps of five minutes and of an hour begin and end. */
const START_MS = Date.UTC(2026, 10, 14, 9, 54);
const MINUTES = 13;
/** No snapshot is published in this minute. */
const GAP = 4;
const RUNNING = '/api/v1/funding/running';
const INTEREST = '/api/v1/open-interest/history';

type Row = Record<string, unknown>;
interface Series {
  exchange: string;
  symbol: string;
  points: Row[];
}
interface Answered {
  coin: string;
  step: string;
  from: string;
  to: string;
  series: Series[];
  total: Row[];
}
const dataOf = (reply: Reply): Answered => {
  assert.equal(reply.status, 200, reply.text.slice(0, 300));
  return (reply.body as { data: Answered }).data;
};
const problemOf = (reply: Reply) => reply.body as { code: string; detail: string; status: number };

suite('the tape on simulated venues', () => {
  let running: Running;
  const clock = new ManualClock(START_MS);
  const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-tape-'));
  /** What /funding answered last in each minute. */
  const answered = new Map<number, Row[]>();
  const minuteAt = (place: number) => START_MS / MINUTE_MS + place;
  const textAt = (place: number) => isoTime(START_MS + place * MINUTE_MS);
  const rowAt = (place: number, exchange: string, symbol = 'BTC-USDT') =>
    answered.get(minuteAt(place))?.find((row) => row.exchange === exchange && row.symbol === symbol) ??
    assert.fail(`no row of ${exchange} ${symbol} in minute ${place}`);
  const get = async (path: string, query: string, plan: 'demo' | 'developer' | 'business' = 'business') =>
    await running.get(`${path}?${query}`, { plan });

  before(async () => {
    running = await runService({ venues: ['binance', 'bybit', 'okx'], coins: 6, clock, dataDir });
    for (let place = 0; place < MINUTES; place++) {
      if (place === GAP) continue;
      // Two snapshots a minute: the second is what the minute was.
      for (const second of [10, 45]) {
        const atMs = START_MS + place * MINUTE_MS + second * 1000;
        clock.setMs(atMs);
        await collectOnce(running, { latestMs: atMs + 10_000 });
        answered.set(minuteAt(place), rowsOf(await running.get('/api/v1/funding?limit=500')));
      }
    }
    clock.setMs(START_MS + MINUTES * MINUTE_MS);
    await collectOnce(running, { latestMs: START_MS + MINUTES * MINUTE_MS });
  });
  after(async () => {
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('200: every minute of every contract is what /funding answered last in it, and a gap is a gap', async () => {
    let compared = 0;
    const contracts = new Set([...answered.values()].flat().map((row) => `${row.coin} ${row.venue_symbol}`));
    for (const contract of contracts) {
      const [coin = '', symbol = ''] = contract.split(' ');
      const query = `coin=${coin}&symbol=${encodeURIComponent(symbol)}&step=1m&from=${textAt(0)}`;
      for (const { exchange, points } of dataOf(await get(RUNNING, query)).series) {
        const wanted = [...answered].flatMap(([minute, rows]) => {
          const row = rows.find((one) => one.exchange === exchange && one.venue_symbol === symbol);
          if (!row) return [];
          const { rate_pct, interval_hours, next_funding_at } = row;
          const at = isoTime(minute * MINUTE_MS);
          return [{ at, rate_pct, low_rate_pct: null, high_rate_pct: null, interval_hours, next_funding_at }];
        });
        if (wanted.length === 0) continue;
        assert.deepEqual(points, wanted, `${exchange} ${symbol}`);
        compared += points.length;
      }
    }
    assert.ok(compared >= 12 * 15, `${compared} minutes compared`);
  });

  test('200: a longer step has the last value, the lowest and the highest of its minutes', async () => {
    const { series, ...fields } = dataOf(
      await get(RUNNING, `coin=btc&exchange=OKX&step=5m&from=${textAt(0)}&to=${textAt(MINUTES)}`),
    );
    assert.deepEqual([fields.coin, fields.step, fields.from], ['BTC', '5m', textAt(0)]);
    assert.deepEqual([series.length, series[0]?.exchange, series[0]?.symbol], [1, 'OKX', 'BTC-USDT']);
    // The step that contains the start has begun before it; the last one is not over.
    const steps = [
      [1, 2, 3, 5],
      [6, 7, 8, 9, 10],
      [11, 12],
    ];
    const wanted = steps.map((places) => {
      const rates = places.map((place) => Number(rowAt(place, 'OKX').rate_pct));
      const { interval_hours, next_funding_at } = rowAt(places.at(-1) ?? 0, 'OKX');
      return {
        ...{ at: textAt(places[0] ?? 0), rate_pct: rates.at(-1) },
        ...{ low_rate_pct: Math.min(...rates), high_rate_pct: Math.max(...rates) },
        ...{ interval_hours, next_funding_at },
      };
    });
    assert.deepEqual(series[0]?.points, wanted);
  });

  test('200: hours are the default, and venues the names of which are not given are all there', async () => {
    const { series, step } = dataOf(await get(RUNNING, 'coin=BTC'));
    assert.equal(step, '1h');
    assert.deepEqual(
      series.map(({ exchange }) => exchange),
      ['Binance', 'Bybit', 'OKX'],
    );
    for (const { exchange, points } of series) {
      assert.deepEqual(
        points.map(({ at, rate_pct }) => [at, rate_pct]),
        [
          ['2026-11-14T09:00:00Z', rowAt(5, exchange).rate_pct],
          ['2026-11-14T10:00:00Z', rowAt(12, exchange).rate_pct],
        ],
      );
    }
    const day = dataOf(await get(RUNNING, 'coin=BTC&exchange=OKX&step=1d')).series[0]?.points;
    assert.deepEqual(
      day?.map(({ at, rate_pct }) => [at, rate_pct]),
      [['2026-11-14T00:00:00Z', rowAt(12, 'OKX').rate_pct]],
    );
  });

  test('200: open interest, mark, premium and volume by five minutes, and their sums with the venues in them', async () => {
    const { series, total } = dataOf(await get(INTEREST, `coin=BTC&step=5m&from=${textAt(0)}`));
    const premiumOf = ({ mark_price, index_price }: Row) =>
      mark_price === null || index_price === null
        ? null
        : Number(((Number(mark_price) / Number(index_price) - 1) * 100).toFixed(3)) + 0;
    const digits = (value: unknown, count: number) =>
      value === null ? null : Number(Number(value).toPrecision(count));
    for (const { exchange, points } of series) {
      assert.deepEqual(
        points.map(({ at }) => at),
        [textAt(1), textAt(6), textAt(11)],
      );
      const last = rowAt(10, exchange);
      const point = points[1] ?? {};
      assert.deepEqual(
        [point.open_interest_usdt, point.mark_price, point.volume_24h_usdt, point.premium_pct],
        [
          digits(last.open_interest_usdt, 5),
          digits(last.mark_price, 7),
          digits(last.volume_24h_usdt, 5),
          premiumOf(last),
        ],
      );
      const premiums = [6, 7, 8, 9, 10].map((place) => Number(premiumOf(rowAt(place, exchange))));
      if (point.premium_pct !== null)
        assert.deepEqual(
          [point.low_premium_pct, point.high_premium_pct],
          [Math.min(...premiums), Math.max(...premiums)],
        );
      // One value of five minutes is the lowest and the highest.
      assert.deepEqual([point.low_mark_price, point.high_mark_price], [point.mark_price, point.mark_price]);
    }
    const known = series.flatMap(({ points }) => points[1]?.open_interest_usdt ?? []).map(Number);
    assert.ok(known.length >= 2);
    assert.equal(total.length, 3);
    assert.equal(total[1]?.at, textAt(6));
    assert.equal(total[1]?.open_interest_venues, known.length);
    const sum = known.reduce((all, one) => all + one, 0);
    assert.ok(Math.abs(Number(total[1]?.open_interest_usdt) - sum) < 0.01);
    assert.equal(total[1]?.volume_venues, 3);
  });

  test('200: by minute the premium is in every entry, the rest in the last of five minutes', async () => {
    const { series } = dataOf(await get(INTEREST, `coin=BTC&exchange=Binance&step=1m&from=${textAt(6)}`));
    const points = series[0]?.points ?? [];
    assert.deepEqual(
      points.map(({ mark_price }) => mark_price !== null),
      [false, false, false, false, true, false, false],
    );
    assert.ok(
      points.every(({ premium_pct, low_premium_pct }) => premium_pct !== null && low_premium_pct === null),
    );
  });

  test('CSV and Parquet have the rows of the venues', async () => {
    const query = `coin=BTC&exchange=Binance,OKX&step=1m&from=${textAt(11)}`;
    const csv = await get(RUNNING, `${query}&format=csv`);
    const lines = csv.text.trimEnd().split('\r\n');
    assert.equal(
      lines[0],
      'coin,exchange,symbol,venue_symbol,is_inverse,at,rate_pct,low_rate_pct,high_rate_pct,interval_hours,next_funding_at',
    );
    assert.equal(lines.length, 1 + 2 * 2);
    const { rate_pct, interval_hours, next_funding_at } = rowAt(11, 'Binance');
    assert.equal(
      lines[1],
      `BTC,Binance,BTC-USDT,BTCUSDT,false,${textAt(11)},${rate_pct},,,${interval_hours},${next_funding_at}`,
    );
    for (const path of [RUNNING, INTEREST]) {
      const reply = await fetch(`${running.service.baseUrl}${path}?${query}&format=parquet`, {
        headers: { authorization: `Bearer ${running.keys.business}` },
      });
      assert.equal(reply.status, 200);
      const rows = await parquetReadObjects({ file: await reply.arrayBuffer() });
      assert.equal(rows.length, 4);
      assert.deepEqual(rows[0]?.at, new Date(textAt(11)));
    }
  });

  test('304: an answer is the same until there is a new minute, whatever the time; as_of is the end of the newest one', async () => {
    const paths = [RUNNING, INTEREST].flatMap((path) =>
      ['1m', '5m', '1h', '1d'].flatMap((step) => [
        `${path}?coin=BTC&step=${step}`,
        `${path}?coin=BTC&step=${step}&days=2`,
      ]),
    );
    const startMs = clock.nowMs();
    const first = await Promise.all(paths.map((path) => running.get(path)));
    try {
      for (const laterMs of [11_000, 20 * MINUTE_MS]) {
        clock.setMs(startMs + laterMs);
        for (const [i, path] of paths.entries()) {
          const { headers, body } = first[i] as Reply;
          assert.equal((body as { meta: { as_of: string } }).meta.as_of, textAt(MINUTES));
          const etag = headers.get('etag') ?? '';
          const known = await running.get(path, { headers: { 'if-none-match': etag } });
          assert.equal(known.status, 304, `${path} after ${laterMs} ms`);
        }
      }
    } finally {
      clock.setMs(startMs);
    }
  });

  test('a refusal names a call that works', async () => {
    for (const path of [RUNNING, INTEREST])
      for (const query of [
        'coin=BTC&step=1m&days=31',
        `coin=BTC&step=1m&from=${isoTime(START_MS - 20 * DAY_MS)}`,
      ]) {
        const { detail } = problemOf(await get(path, query));
        const named = / this call works: (\S+)$/.exec(detail)?.[1] ?? assert.fail(detail);
        assert.equal((await running.get(`/api/v1${named}`)).status, 200, named);
        const tooLong = problemOf(await get(path, `${query.replace('31', '32')}&exchange=OKX`)).detail;
        const start = /start at (\S+) or later/.exec(tooLong)?.[1];
        if (start) dataOf(await get(path, `coin=BTC&exchange=OKX&step=1m&from=${start}`));
      }
  });

  test('Demo sees minutes that ended 900 s ago', async () => {
    clock.setMs(START_MS + 2 * MINUTE_MS + 15 * MINUTE_MS);
    const later = dataOf(await get(RUNNING, 'coin=BTC&exchange=OKX&step=1m&days=1', 'demo'));
    assert.deepEqual(
      later.series[0]?.points.map(({ at }) => at),
      [textAt(0), textAt(1)],
    );
  });

  const BAD: readonly [name: string, query: string, detail: RegExp, code?: string][] = [
    ['no coin', '', /"coin"/],
    ['an unknown coin', 'coin=NOPE', /NOPE/, 'unknown-coin'],
    ['an unknown venue', 'coin=BTC&exchange=Nowhere', /Nowhere/, 'unknown-exchange'],
    ['a venue in another case', 'coin=BTC&exchange=okx', /okx/, 'unknown-exchange'],
    ['an unknown contract', 'coin=BTC&symbol=BTC-EUR', /"symbol" names no contract on BTC/],
    ['an empty symbol', 'coin=BTC&symbol=', /"symbol"/],
    ['an unknown step', 'coin=BTC&step=2h', /"step" must be one of 1m, 5m, 1h, 1d/],
    ['an empty step', 'coin=BTC&step=', /"step"/],
    ['two steps', 'coin=BTC&step=1m&step=5m', /"step"/],
    ['no whole number of days', 'coin=BTC&days=1.5', /"days" must be an integer from 1 to 180/],
    ['no day', 'coin=BTC&days=0', /"days" must be an integer from 1 to 180/],
    ['too many days', 'coin=BTC&days=181', /"days" must be an integer from 1 to 180/],
    ['a time that is none', 'coin=BTC&from=yesterday', /"from" must be an ISO 8601/],
    ['from after to', 'coin=BTC&from=2026-11-14&to=2026-11-13', /"from" .* must not be after "to"/],
    ['from in the future', 'coin=BTC&from=2026-12-01', /"from" .* must not be after "to"/],
    ['more than 31 days by minute', 'coin=BTC&exchange=OKX&step=1m&days=32', /more than 31 days.*step=1m/],
    ['more than 92 days by five minutes', 'coin=BTC&exchange=OKX&step=5m&days=93', /more than 92 days/],
    [
      'too many points',
      'coin=BTC&step=1m&days=31',
      /133\d{3} points \(3 venues, step=1m\).*at most 45000 points/,
    ],
    ['an unknown format', 'coin=BTC&format=xml', /"format"/],
  ];
  for (const path of [RUNNING, INTEREST])
    for (const [name, query, detail, code = 'invalid-parameter'] of BAD)
      test(`${path}: ${name}`, async () => {
        const reply = await get(path, query);
        const problem = problemOf(reply);
        assert.deepEqual([problem.code, reply.status], [code, code.startsWith('unknown') ? 404 : 400]);
        assert.match(problem.detail, detail);
      });

  test('403: a window deeper than the plan, but the default window is narrowed', async () => {
    for (const path of [RUNNING, INTEREST]) {
      const reply = await get(path, `coin=BTC&from=${isoTime(START_MS - 100 * DAY_MS)}`, 'developer');
      assert.deepEqual([reply.status, problemOf(reply).code], [403, 'plan-limit']);
      dataOf(await get(path, 'coin=BTC&step=1d', 'demo'));
    }
  });

  test('403: a key without the scope history:read', async () => {
    const { accounts, keys } = running.service.accounts;
    const account = await accounts.create({ name: 'narrow', plan: 'business' });
    const { text } = await keys.create({
      ...{ accountId: account.id, name: 'narrow', kind: 'test' },
      scopes: ['funding:read'],
    });
    for (const path of [RUNNING, INTEREST]) {
      const reply = await get(path, 'coin=BTC');
      assert.equal(reply.status, 200);
      const refused = await running.get(`${path}?coin=BTC`, { headers: { authorization: `Bearer ${text}` } });
      assert.equal(refused.status, 403);
    }
  });

  test('after a restart the tape is the same', async () => {
    const query = `coin=ETH&exchange=Bybit&step=1m&from=${textAt(0)}&to=${textAt(MINUTES)}`;
    const before = dataOf(await get(RUNNING, query));
    assert.equal(before.series[0]?.points.length, MINUTES - 1);
    await running.stop();
    running = await runService({ venues: ['binance', 'bybit', 'okx'], coins: 6, clock, dataDir });
    assert.deepEqual(dataOf(await get(RUNNING, query)), before);
  });
});
