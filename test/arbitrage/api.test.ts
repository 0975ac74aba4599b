import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, isoTime } from '../../src/base/times.ts';
import type { ForecastAccuracy } from '../../src/operations/forecast-accuracy/forecast-accuracy.ts';
import type { PresentModel } from '../../src/operations/forecast-accuracy/present-models.ts';
import { collectOnce, type Reply, type Running, rowsOf, runService, until } from '../support/service.ts';

import { tablesOf, words } from '../web/page-text.ts';
import { assertShown, digits } from '../web/shown.ts';

const START_MS = Date.UTC(2026, 10, 14, 18, 30);
const PATH = '/api/v1/arbitrage';
/** Both sides round to eight decimals. */
const ROUNDING = 2e-8;

type Row = Record<string, unknown>;
interface Pairs {
  withheld_top: number;
  hold_days: number;
  slippage_bp: number;
  pairs: Row[];
}
interface Print {
  time: string;
  rate_pct: number;
  interval_hours: number | null;
}
const dataOf = (reply: Reply): Pairs => {
  assert.equal(reply.status, 200, reply.text.slice(0, 300));
  return (reply.body as { data: Pairs }).data;
};
const metaOf = (reply: Reply) =>
  (reply.body as { meta: { as_of: string; total: number; next_cursor?: string } }).meta;
const costOf = (row: Row) =>
  Number(row.fee_pct_round_trip) - Number(row.entry_spread_pct) - Number(row.exit_spread_pct);
const nameOf = (row: Row) => `${row.coin} ${row.long_exchange} ${row.short_exchange}`;

suite('GET /arbitrage', () => {
  let running: Running;
  let clock: ManualClock;
  let pump: NodeJS.Timeout;
  before(async () => {
    clock = new ManualClock(START_MS);
    running = await runService({
      clock,
      // 8 h and 4 h, 1 h at Kraken and Hyperliquid, continuous at Deribit.
      venues: ['binance', 'bybit', 'okx', 'kraken', 'hyperliquid', 'deribit'],
      coins: 16,
      settings: { HISTORY_DAYS: '100', HISTORY_PACED: 'false' },
    });
    running.sim.time.holdAt(START_MS);
    await collectOnce(running);
    await watchGaps();
    running.service.history.startVenues();
    pump = setInterval(() => clock.advanceMs(50), 10);
    await until(() => running.service.history.isBackfilled(), 'the backfill');
    clearInterval(pump);
    // The 30-day figures are made once a minute, for a bounded time; on a busy machine they take several minutes.
    await until(async () => {
      clock.advanceMs(61_000);
      running.sim.time.holdAt(clock.nowMs());
      await collectOnce(running);
      await watchGaps();
      const settled = (await all()).filter((row) => row.realised_30d_pct !== null);
      return settled.length > 0 && settled.every((row) => row.positive_hours_30d_pct !== null);
    }, 'the 30-day figures');
  });
  after(async () => {
    clearInterval(pump);
    await running.stop();
  });
  /** Every price gap that was shown, seen from the venue that comes first, with its time; quotes over 30 s old do not count. */
  const gaps = new Map<string, { asOfMs: number; pct: number }[]>();
  const pairOf = (row: Row) =>
    [`${row.long_exchange} ${row.long_symbol}`, `${row.short_exchange} ${row.short_symbol}`].sort().join();
  const reversed = (pct: number) => -pct / (1 + pct / 100);
  const isFirstLong = (row: Row) => String(row.long_exchange) < String(row.short_exchange);
  const watchGaps = async () => {
    const asOfMs = Date.parse(metaOf(await running.get(`${PATH}?limit=1`)).as_of);
    for (const row of await all()) {
      if (asOfMs - Date.parse(String(row.updated_at)) > 30_000) continue;
      const pct = Number(row.price_gap_pct);
      const seen = { asOfMs, pct: isFirstLong(row) ? pct : reversed(pct) };
      gaps.set(pairOf(row), [...(gaps.get(pairOf(row)) ?? []), seen]);
    }
  };
  const all = async (query = ''): Promise<Row[]> => {
    const rows: Row[] = [];
    let cursor: string | undefined;
    do {
      const reply = await running.get(
        `${PATH}?limit=500${query}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      );
      rows.push(...dataOf(reply).pairs);
      cursor = metaOf(reply).next_cursor;
    } while (cursor);
    return rows;
  };
  const problem = async (query: string) => {
    const reply = await running.get(`${PATH}?${query}`);
    const { code, detail, suggestions } = reply.body as {
      code: string;
      detail: string;
      suggestions?: string[];
    };
    return { status: reply.status, code, detail, suggestions };
  };

  test('200: rates, intervals and next settlements are those of /funding at the same time', async () => {
    const rows = await all();
    assert.ok(rows.length > 60, `${rows.length} rows`);
    const funding = new Map(
      rowsOf(await running.get('/api/v1/funding?limit=500&is_inverse=false')).map((row) => [
        `${row.exchange} ${row.symbol}`,
        row,
      ]),
    );
    for (const row of rows)
      for (const leg of ['long', 'short']) {
        const contract = funding.get(`${row[`${leg}_exchange`]} ${row[`${leg}_symbol`]}`);
        assert.ok(contract, nameOf(row));
        for (const name of ['rate_pct', 'interval_hours', 'next_funding_at'])
          assert.equal(row[`${leg}_${name}`], contract[name], `${name} of ${nameOf(row)}`);
      }
  });

  test('200: every running figure follows from the row and the quotes of /spreads', async () => {
    const spreads = new Map(
      rowsOf(await running.get('/api/v1/spreads?limit=500')).map((row) => [
        `${row.coin} ${row.exchange_a} ${row.exchange_b}`,
        row,
      ]),
    );
    let compared = 0;
    for (const row of await all()) {
      const near = (name: string, value: number) =>
        assert.ok(
          Math.abs(Number(row[name]) - value) <= ROUNDING * Math.max(1, Math.abs(value)),
          `${name} of ${JSON.stringify(row)}: ${value}`,
        );
      const daily = (leg: string) =>
        (Number(row[`${leg}_rate_pct`]) * 24) / Number(row[`${leg}_interval_hours`]);
      const carry = daily('short') - daily('long');
      assert.ok(carry >= 0, 'the row has the direction that earns');
      near('carry_pct_day', carry);
      near('gross_apr_pct', carry * 365);
      near('fee_pct_round_trip', 2 * (Number(row.long_taker_fee_pct) + Number(row.short_taker_fee_pct)));
      const [a, b] = [String(row.long_exchange), String(row.short_exchange)].sort();
      const spread = spreads.get(`${row.coin} ${a} ${b}`);
      if (spread) {
        const isLongA = row.long_exchange === a;
        near('entry_spread_pct', Number(spread[isLongA ? 'long_a_short_b_pct' : 'short_a_long_b_pct']));
        const quote = (name: string, leg: 'long' | 'short') =>
          Number(spread[`${name}_${(leg === 'long') === isLongA ? 'a' : 'b'}`]);
        const [longBid, longAsk] = [quote('bid', 'long'), quote('ask', 'long')];
        near('exit_spread_pct', ((longBid - quote('ask', 'short')) / longAsk) * 100);
        // Opened and closed now at the tops, a pair loses its fees and the widths of both books, whatever their distance.
        const widths = longAsk - longBid + quote('ask', 'short') - quote('bid', 'short');
        near('cost_pct_round_trip', Number(row.fee_pct_round_trip) + (widths / longAsk) * 100);
        const [longMid, shortMid] = [longBid + longAsk, quote('bid', 'short') + quote('ask', 'short')];
        near('price_gap_pct', ((shortMid - longMid) / longMid) * 100);
        compared++;
      }
      near('cost_pct_round_trip', costOf(row));
      near('net_apr_pct', ((carry * 30 - Number(row.cost_pct_round_trip)) / 30) * 365);
    }
    assert.ok(compared > 60, `${compared} compared with /spreads`);
  });

  test('200: no pair earns only because leaving is free: some that would are negative, and closing costs what the books say', async () => {
    const asIfFree = (row: Row) =>
      Number(row.carry_pct_day) * 7 - Number(row.fee_pct_round_trip) + Number(row.entry_spread_pct);
    let mended = 0;
    for (const row of await all('&hold_days=7')) {
      const left = Number(row.carry_pct_day) * 7 - costOf(row);
      assert.equal(Number(row.net_apr_pct) > 0, left > 0, nameOf(row));
      assert.ok(
        Number(row.entry_spread_pct) + Number(row.exit_spread_pct) <= ROUNDING,
        `the price gap of ${nameOf(row)} is no gain`,
      );
      if (asIfFree(row) > 0 && left <= 0) mended++;
    }
    assert.ok(mended > 0, 'pairs that earned only because leaving was free');
  });

  test('200: no pair breaks even before a leg settles: payments are counted when they come', async () => {
    const asOfMs = Date.parse(metaOf(await running.get(`${PATH}?limit=1`)).as_of);
    let [covered, early] = [0, 0];
    for (const row of await all()) {
      const settlements = new Map<number, number>();
      for (const [leg, sign] of [
        ['long', -1],
        ['short', 1],
      ] as const) {
        const everyMs = Number(row[`${leg}_interval_hours`]) * HOUR_MS;
        const next = row[`${leg}_next_funding_at`];
        const firstMs = next === null ? asOfMs + everyMs : Date.parse(String(next));
        for (let timeMs = firstMs; timeMs <= asOfMs + 365 * DAY_MS; timeMs += everyMs)
          settlements.set(timeMs, (settlements.get(timeMs) ?? 0) + sign * Number(row[`${leg}_rate_pct`]));
      }
      const times = [...settlements.keys()].sort((a, b) => a - b);
      let total = 0;
      const atMs = times.find((timeMs) => {
        total += settlements.get(timeMs) ?? 0;
        return total >= Number(row.cost_pct_round_trip) - 1e-9;
      });
      if (Number(row.cost_pct_round_trip) <= 0) assert.equal(row.break_even_hours, 0, nameOf(row));
      else if (atMs === undefined) assert.equal(row.break_even_hours, null, nameOf(row));
      else {
        const hours = (atMs - asOfMs) / HOUR_MS;
        assert.ok(Math.abs(Number(row.break_even_hours) - hours) <= 1e-4, `${nameOf(row)}: ${hours}`);
        covered++;
        const accruedHours = (Number(row.cost_pct_round_trip) * 24) / Number(row.carry_pct_day);
        if (asOfMs + accruedHours * HOUR_MS < (times[0] ?? 0)) early++;
      }
    }
    assert.ok(covered > 60, `${covered} pairs break even`);
    assert.ok(early > 0, 'pairs that a carry without settlements would pay back before the first one');
  });

  test('200: realised figures equal a recomputation from /funding/history, print by print', async () => {
    const asOfMs = Date.parse(metaOf(await running.get(`${PATH}?limit=1`)).as_of);
    const prints = new Map<string, Print[]>();
    const printsOf = async (coin: string, exchange: string, symbol: string): Promise<Print[]> => {
      const key = `${exchange} ${symbol}`;
      const known = prints.get(key);
      if (known) return known;
      const query = `coin=${coin}&exchange=${exchange}&symbol=${symbol}&resolution=settlement`;
      const found: Print[] = [];
      // 92 days are the most of one call; the interval of the first print of a window is a guess.
      const fromMs = asOfMs - 91.9 * DAY_MS;
      const reply = await running.get(`/api/v1/funding/history?${query}&from=${isoTime(fromMs)}`);
      const { series } = (reply.body as { data: { series: { settlements: Print[] }[] } }).data;
      found.push(...(series[0]?.settlements ?? []));
      prints.set(key, found);
      return found;
    };
    const sum = (all: readonly Print[], until: unknown, days: number): number | null => {
      if (until === null) return null;
      const untilMs = Date.parse(String(until));
      const inside = all.filter(
        ({ time }) => Date.parse(time) > untilMs - days * DAY_MS && Date.parse(time) <= untilMs,
      );
      const hours = inside.reduce((total, print) => total + (print.interval_hours ?? 0), 0);
      return hours < days * 24 * 0.95 ? null : inside.reduce((total, print) => total + print.rate_pct, 0);
    };
    let known = 0;
    for (const row of await all()) {
      const long = await printsOf(String(row.coin), String(row.long_exchange), String(row.long_symbol));
      const short = await printsOf(String(row.coin), String(row.short_exchange), String(row.short_symbol));
      for (const days of [1, 7, 30, 90]) {
        const [paid, received] = [
          sum(long, row.long_covered_until, days),
          sum(short, row.short_covered_until, days),
        ];
        const shown = row[`realised_${days}d_pct`];
        if (paid === null || received === null) assert.equal(shown, null, `${nameOf(row)} ${days} d`);
        else {
          assert.ok(Math.abs(Number(shown) - (received - paid)) <= ROUNDING, `${nameOf(row)} ${days} d`);
          known++;
        }
      }
    }
    assert.ok(known > 200, `${known} figures compared`);
  });

  /** Settled funding by hour since 1970, each print spread over its interval. */
  const hoursOf = async (row: Row, leg: string, asOfMs: number): Promise<Map<number, number>> => {
    const query = `coin=${row.coin}&exchange=${row[`${leg}_exchange`]}&symbol=${row[`${leg}_symbol`]}`;
    const reply = await running.get(
      `/api/v1/funding/history?${query}&resolution=settlement&from=${isoTime(asOfMs - 34 * DAY_MS)}`,
    );
    const { series } = (reply.body as { data: { series: { settlements: Print[] }[] } }).data;
    const hours = new Map<number, number>();
    for (const { time, rate_pct, interval_hours } of series[0]?.settlements ?? [])
      for (let i = 1; i <= (interval_hours ?? 0); i++)
        hours.set(Date.parse(time) / HOUR_MS - i, rate_pct / (interval_hours ?? 1));
    return hours;
  };

  test('200: the 30-day figures equal a recomputation hour by hour', async () => {
    const asOfMs = Date.parse(metaOf(await running.get(`${PATH}?limit=1`)).as_of);
    const lastHour = Math.floor(asOfMs / HOUR_MS);
    const today = Math.floor(lastHour / 24);
    let compared = 0;
    for (const row of (await all('&coin=BTC,ETH')).slice(0, 24)) {
      const [long, short] = [await hoursOf(row, 'long', asOfMs), await hoursOf(row, 'short', asOfMs)];
      const gains: number[] = [];
      for (let hour = lastHour - 720; hour < lastHour; hour++) {
        const [paid, received] = [long.get(hour), short.get(hour)];
        if (paid !== undefined && received !== undefined) gains.push(received - paid);
      }
      if (gains.length < 720 * 0.95) {
        assert.equal(row.positive_hours_30d_pct, null, nameOf(row));
        continue;
      }
      compared++;
      const positive = gains.filter((gain) => gain > 1e-6).length;
      assert.ok(
        Math.abs(Number(row.positive_hours_30d_pct) - (positive / gains.length) * 100) < 0.5,
        `${nameOf(row)}: ${row.positive_hours_30d_pct}, ${(positive / gains.length) * 100}`,
      );
      let [total, peak, fall] = [0, 0, 0];
      for (const gain of gains) {
        total += gain;
        peak = Math.max(peak, total);
        fall = Math.max(fall, peak - total);
      }
      assert.ok(
        Math.abs(Number(row.max_drawdown_30d_pct) - fall) < 1e-4,
        `${nameOf(row)}: fall ${fall}, ${row.max_drawdown_30d_pct}`,
      );
      const days = Array.from({ length: 30 }, (_, i) => {
        let sum = 0;
        for (let hour = (today - 30 + i) * 24; hour < (today - 29 + i) * 24; hour++)
          sum += (short.get(hour) ?? Number.NaN) - (long.get(hour) ?? Number.NaN);
        return sum;
      }).filter((sum) => !Number.isNaN(sum));
      assert.ok(
        Math.abs(Number(row.worst_day_30d_pct) - Math.min(...days)) < 1e-4,
        `${nameOf(row)}: worst day`,
      );
    }
    assert.ok(compared > 5, `${compared} pairs compared`);
  });

  test('200: the hours above the fee equal a recomputation from /funding/history', async () => {
    const asOfMs = Date.parse(metaOf(await running.get(`${PATH}?limit=1`)).as_of);
    const lastHour = Math.floor(asOfMs / HOUR_MS);
    let [medians, nowAbove] = [0, 0];
    for (const row of (await all('&coin=BTC,ETH,SOL')).slice(0, 36)) {
      const [long, short] = [await hoursOf(row, 'long', asOfMs), await hoursOf(row, 'short', asOfMs)];
      const limit = Number(row.fee_pct_round_trip) / 720;
      let letters = '';
      for (let hour = lastHour - 720; hour < lastHour; hour++) {
        const gain = (short.get(hour) ?? Number.NaN) - (long.get(hour) ?? Number.NaN);
        letters += Number.isNaN(gain) ? '?' : gain > limit ? 'a' : 'n';
      }
      letters = letters.replace(/\?+$/, '');
      if (letters.replaceAll('?', '').length < 684) {
        assert.equal(row.times_above_fee, null, nameOf(row));
        continue;
      }
      const lengths = [...letters.matchAll(/(?<=n)a+(?=n)/g)]
        .map(([run]) => run.length)
        .sort((a, b) => a - b);
      const [low, high] = [lengths.at((lengths.length - 1) / 2), lengths.at(lengths.length / 2)];
      const median = lengths.length < 3 ? null : (Number(low) + Number(high)) / 2;
      assert.deepEqual(
        [row.times_above_fee, row.median_hours_above_fee, row.hours_above_fee_now],
        [lengths.length, median, /a*$/.exec(letters)?.[0].length],
        nameOf(row),
      );
      if (median !== null) medians++;
      if (row.hours_above_fee_now !== 0) nowAbove++;
    }
    assert.ok(medians > 5 && nowAbove > 0, `${medians} medians, ${nowAbove} above the fee now`);
  });

  test('200: /funding/{coin} has the hours above the fee of its best venues', async () => {
    const figures = ['median_hours_above_fee', 'times_above_fee', 'hours_above_fee_now'];
    // It has the figures that were known before its snapshot.
    clock.advanceMs(61_000);
    running.sim.time.holdAt(clock.nowMs());
    await collectOnce(running);
    await watchGaps();
    let compared = 0;
    const rows = await all();
    for (const coin of new Set(rows.map((row) => String(row.coin)))) {
      const { data } = (await running.get(`/api/v1/funding/${coin}`)).body as { data: Row };
      const pair = rows.find(
        (row) =>
          row.coin === coin &&
          row.long_exchange === data.best_long_exchange &&
          row.short_exchange === data.best_short_exchange,
      );
      if (!pair) continue;
      for (const name of figures) assert.equal(data[name], pair[name], `${name} of ${nameOf(pair)}`);
      if (pair.times_above_fee !== null) compared++;
    }
    assert.ok(compared > 1, `${compared} coins compared`);
  });

  test('200: expected figures agree with each other, with the cost of the row and with hold_days', async () => {
    const byHold = new Map<number, Map<string, Row>>();
    for (const days of [7, 30, 90])
      byHold.set(days, new Map((await all(`&hold_days=${days}`)).map((row) => [nameOf(row), row])));
    const rows = [...(byHold.get(30)?.values() ?? [])];
    const expected = rows.filter((row) => row.expected_net_apr_pct !== null);
    assert.ok(expected.length > 20, `${expected.length} forecasts`);
    for (const row of rows)
      assert.equal(row.expected_carry_7d_pct === null, row.realised_30d_pct === null, nameOf(row));
    for (const [days, column, periods] of [
      [7, 'expected_carry_7d_pct', 1],
      [30, 'expected_carry_30d_pct', 1],
      [90, 'expected_carry_30d_pct', 3],
    ] as const)
      for (const { coin, long_exchange, short_exchange } of expected) {
        const row = byHold.get(days)?.get(nameOf({ coin, long_exchange, short_exchange }));
        assert.ok(row);
        const carry = Number(row[column]) * periods;
        const net = ((carry - costOf(row)) / days) * 365;
        assert.ok(
          Math.abs(Number(row.expected_net_apr_pct) - net) < 1e-5,
          `${nameOf(row)} over ${days} days`,
        );
        const [low, high] = [Number(row.expected_low_pct), Number(row.expected_high_pct)];
        assert.ok(low < carry && carry < high, `${low} < ${carry} < ${high}`);
        const probability = Number(row.probability_net_positive);
        assert.ok(probability >= 0.01 && probability <= 0.99, `${probability}`);
        if (low > costOf(row))
          assert.ok(probability >= 0.9, `${probability} with ${low} over ${costOf(row)}`);
        if (high < costOf(row))
          assert.ok(probability <= 0.1, `${probability} with ${high} under ${costOf(row)}`);
      }
  });

  test('200: forecasts, ranges and probabilities are recomputed from the published models and rows', async () => {
    const reply = await running.get('/api/v1/forecasts/accuracy?days=7');
    assert.equal(reply.status, 200, reply.text.slice(0, 300));
    const { horizons, models, model_version } = (
      reply.body as {
        data: Pick<ForecastAccuracy, 'horizons' | 'models' | 'model_version'>;
      }
    ).data;
    assert.equal(model_version, '2');
    assert.deepEqual(
      horizons.map(({ days, observations, model }) => [days, observations, model]),
      // Nothing is a day old yet.
      [
        [1, 0, 'fitted'],
        [7, 0, 'fitted'],
        [30, 0, 'fitted'],
      ],
    );
    assert.deepEqual(
      models.pairs.map(({ days, weights }) => [days, weights]),
      horizons.map(({ days, weights }) => [days, weights]),
    );
    const rates = new Map<string, Row>();
    const coinOf = async (coin: unknown) => {
      const { data } = (await running.get(`/api/v1/funding/${coin}`)).body as { data: { rates: Row[] } };
      for (const rate of data.rates)
        if (rate.is_inverse === false) rates.set(`${coin} ${rate.exchange} ${rate.symbol}`, rate);
    };
    const rows = (await all()).filter((row) => row.realised_30d_pct !== null);
    for (const coin of new Set(rows.map(({ coin }) => coin))) await coinOf(coin);
    const figuresOf = (rate: Row | undefined) => {
      assert.ok(rate);
      return {
        now: (Number(rate.rate_pct) * 24) / Number(rate.interval_hours),
        mean_1d: Number(rate.sum_1d_pct),
        mean_7d: Number(rate.sum_7d_pct) / 7,
        mean_30d: Number(rate.sum_30d_pct) / 30,
      };
    };
    const legOf = (model: PresentModel, rate: Row | undefined) =>
      Object.entries(figuresOf(rate)).reduce((sum, [name, value]) => {
        const limit = ((model.feature_limit ?? Number.NaN) * Number(rate?.absolute_30d_pct)) / 30;
        return sum + Math.max(-limit, Math.min(limit, value)) * (model.weights[name] ?? Number.NaN);
      }, 0) * model.days;
    const errorAt = (model: PresentModel, level: number) =>
      model.error_quantiles.find((one) => one.level === level)?.error ?? Number.NaN;
    /** Linear between the quantiles; 0.01 and 0.99 beyond them. */
    const shareBelow = ({ error_quantiles: list }: PresentModel, error: number) => {
      const above = list.findIndex((one) => one.error > error);
      const [low, high] = [list[above - 1], list[above]];
      if (above < 0) return 0.99;
      if (!low || !high) return 0.01;
      return low.level + ((error - low.error) / (high.error - low.error)) * (high.level - low.level);
    };
    let compared = 0;
    for (const row of rows) {
      const [long, short] = ['long', 'short'].map((leg) =>
        rates.get(`${row.coin} ${row[`${leg}_exchange`]} ${row[`${leg}_symbol`]}`),
      );
      for (const model of models.pairs) {
        const expected = legOf(model, short) - legOf(model, long);
        const shown = Number(row[`expected_carry_${model.days}d_pct`]);
        assert.ok(
          Math.abs(shown - expected) < 1e-6,
          `${nameOf(row)} over ${model.days} days: ${shown} is not ${expected}`,
        );
        if (model.days !== 30 || row.expected_low_pct === null) continue;
        const width = Number(row.expected_scale_pct_day) * 30;
        const [low, high] = [errorAt(model, 0.1) * width, errorAt(model, 0.9) * width];
        const wanted = shown < 0 ? [shown - high, shown - low] : [shown + low, shown + high];
        assert.ok(Math.abs(Number(row.expected_low_pct) - (wanted[0] ?? 0)) < 1e-6, `${nameOf(row)} low`);
        assert.ok(Math.abs(Number(row.expected_high_pct) - (wanted[1] ?? 0)) < 1e-6, `${nameOf(row)} high`);
        const error = (Number(row.cost_pct_round_trip) - shown) / width;
        const share = shown < 0 ? shareBelow(model, -error) : 1 - shareBelow(model, error);
        assert.ok(
          Math.abs(Number(row.probability_net_positive) - share) < 2e-4,
          `${nameOf(row)} probability`,
        );
        // How far the pair stands from its 30 days is in the scale.
        const [paid, received] = [figuresOf(long), figuresOf(short)];
        const gap = (name: 'now' | 'mean_1d' | 'mean_30d') => received[name] - paid[name];
        const jump = Math.max(
          Math.abs(gap('now') - gap('mean_30d')),
          Math.abs(gap('mean_1d') - gap('mean_30d')),
        );
        const spread = Number(row.expected_scale_pct_day) - model.jump_share * jump;
        assert.ok(spread >= Math.abs(gap('mean_30d')) * 0.9 - 1e-6, `${nameOf(row)} spread ${spread}`);
        compared++;
      }
    }
    assert.ok(compared > 20, `${compared} forecasts compared`);
  });

  test('200: the forecast of A − B plus that of B − C is that of A − C', async () => {
    // A venue may meet others with different contracts, so legs are contracts.
    const carry = new Map<string, Map<string, number>>();
    const add = (long: string, short: string, pct: number) =>
      carry.set(long, (carry.get(long) ?? new Map<string, number>()).set(short, pct));
    for (const row of await all()) {
      if (row.expected_carry_30d_pct === null) continue;
      const [long, short] = ['long', 'short'].map(
        (leg) => `${row.coin} ${row[`${leg}_exchange`]} ${row[`${leg}_symbol`]}`,
      );
      add(String(long), String(short), Number(row.expected_carry_30d_pct));
      add(String(short), String(long), -Number(row.expected_carry_30d_pct));
    }
    let compared = 0;
    for (const [a, others] of carry)
      for (const [b, ab] of others)
        for (const [c, bc] of carry.get(b) ?? []) {
          const ac = others.get(c);
          if (ac === undefined) continue;
          assert.ok(Math.abs(ab + bc - ac) < 3e-8, `${a}, ${b}, ${c}: ${ab} + ${bc} = ${ac}`);
          compared++;
        }
    assert.ok(compared > 0);
  });

  test('200: expected_low_net_apr_pct is the lower end less the costs, expected_low_net_desc sorts by it, unknown last', async () => {
    for (const query of ['', '&hold_days=7', '&fees=Binance:0.01']) {
      const holdDays = query.includes('hold_days') ? 7 : 30;
      const rows = await all(`&sort=expected_low_net_desc${query}`);
      const figures = rows.map((row) => row.expected_low_net_apr_pct);
      const known = figures.filter((value) => value !== null).map(Number);
      assert.ok(known.length > 20, `${known.length} known with ${query}`);
      assert.deepEqual(
        known,
        known.toSorted((a, b) => b - a),
        query,
      );
      assert.ok(figures.slice(known.length).every((value) => value === null));
      for (const row of rows) {
        const { expected_low_pct: low, cost_pct_round_trip: cost, expected_low_net_apr_pct: net } = row;
        if (low === null || cost === null) assert.equal(net, null, nameOf(row));
        else {
          const wanted = ((Number(low) - Number(cost)) / holdDays) * 365;
          assert.ok(Math.abs(Number(net) - wanted) < 1e-5, `${nameOf(row)}: ${net}, not ${wanted}`);
        }
      }
      const least = known[Math.floor(known.length / 2)] as number;
      const bounded = await all(`&min_expected_low_net_apr_pct=${least}${query}`);
      assert.equal(bounded.length, known.filter((value) => value >= least).length);
    }
    const usual = (await all()).map((row) => row.net_apr_pct).map(Number);
    assert.deepEqual(
      usual,
      usual.toSorted((a, b) => b - a),
      'the default of the API stays',
    );
  });

  test('200: expected_net_desc sorts by what is expected, min_expected_net_apr_pct is its bound', async () => {
    const sorted = (await all('&sort=expected_net_desc')).map((row) => row.expected_net_apr_pct);
    const known = sorted.filter((value) => value !== null).map(Number);
    assert.deepEqual(
      known,
      known.toSorted((a, b) => b - a),
    );
    assert.ok(
      sorted.slice(known.length).every((value) => value === null),
      'unknown last',
    );
    const least = known[Math.floor(known.length / 2)] as number;
    const bounded = await all(`&min_expected_net_apr_pct=${least}`);
    assert.equal(bounded.length, known.filter((value) => value >= least).length);
    const { model, model_version, model_date } = dataOf(
      await running.get(`${PATH}?limit=1`),
    ) as unknown as Row;
    assert.deepEqual(
      [model, model_version, model_date],
      ['fitted', '2', isoTime(clock.nowMs()).slice(0, 10)],
    );
  });

  test('200: own fees change every net figure and the order, and nothing else', async () => {
    const usual = new Map((await all()).map((row) => [nameOf(row), row]));
    const own = await all('&fees=Binance:0.02,Bybit:0');
    assert.equal(own.length, usual.size);
    const fees = new Map<unknown, number>([
      ['Binance', 0.02],
      ['Bybit', 0],
    ]);
    let changed = 0;
    for (const row of own) {
      const before = usual.get(nameOf(row));
      assert.ok(before);
      for (const [name, value] of Object.entries(row))
        if (
          !/fee_pct|^cost_pct_round_trip$|^break_even_hours$|net_apr_pct$|^probability_net_positive$/.test(
            name,
          )
        )
          assert.deepEqual(value, before[name], `${name} of ${nameOf(row)}`);
      for (const leg of ['long', 'short']) {
        const [name, exchange] = [`${leg}_taker_fee_pct`, row[`${leg}_exchange`]];
        assert.equal(row[name], fees.get(exchange) ?? before[name], `${name} of ${nameOf(row)}`);
      }
      if (fees.has(row.long_exchange) && fees.has(row.short_exchange)) {
        assert.equal(row.fee_pct_round_trip, 0.04);
        changed++;
      }
      const cost = costOf(row);
      const net = ((Number(row.carry_pct_day) * 30 - cost) / 30) * 365;
      assert.ok(Math.abs(Number(row.net_apr_pct) - net) < 1e-6, nameOf(row));
    }
    assert.ok(changed > 5, `${changed} pairs with two own fees`);
    const net = own.map((row) => Number(row.net_apr_pct));
    assert.deepEqual(
      net,
      net.toSorted((a, b) => b - a),
      'best first',
    );
  });

  test('200: pages of own fees fit together, also with filters', async () => {
    const query = 'fees=OKX:0.01&min_net_apr_pct=-100&exchange=OKX';
    const whole = (await all(`&${query}`)).map(nameOf);
    const paged: string[] = [];
    let cursor = '';
    do {
      const reply = await running.get(`${PATH}?limit=7&${query}${cursor}`);
      paged.push(...dataOf(reply).pairs.map(nameOf));
      const next = metaOf(reply).next_cursor;
      cursor = next ? `&cursor=${encodeURIComponent(next)}` : '';
    } while (cursor !== '');
    assert.ok(whole.length > 10);
    assert.deepEqual(paged, whole);
  });

  test('200: hold_days and slippage_bp are answered and used', async () => {
    const week = dataOf(await running.get(`${PATH}?hold_days=7&slippage_bp=10&limit=500`));
    assert.deepEqual([week.hold_days, week.slippage_bp, week.withheld_top], [7, 10, 0]);
    const month = new Map((await all()).map((row) => [nameOf(row), row]));
    let larger = 0;
    for (const row of week.pairs) {
      const usual = month.get(nameOf(row));
      const cost = costOf(row);
      const net = ((Number(row.carry_pct_day) * 7 - cost) / 7) * 365;
      assert.ok(Math.abs(Number(row.net_apr_pct) - net) < 1e-6);
      if (row.capacity_usd === null) continue;
      assert.ok(Number(row.capacity_usd) >= Number(usual?.capacity_usd));
      if (Number(row.capacity_usd) > Number(usual?.capacity_usd)) larger++;
    }
    assert.ok(larger >= 0);
  });

  test('200: a capacity of the top alone is a lower bound, which min_possible_capacity_usd keeps and min_capacity_usd drops', async () => {
    const rows = await all();
    const lower = rows.filter((row) => row.capacity_is_lower_bound === true);
    assert.ok(lower.length > 0, 'no book is fetched where the best prices hold 500 USD');
    assert.ok(lower.every((row) => typeof row.capacity_usd === 'number'));
    const least = Math.max(...lower.map((row) => Number(row.capacity_usd))) + 1;
    const stated = rows.filter((row) => Number(row.capacity_usd ?? -1) >= least);
    assert.deepEqual((await all(`&min_capacity_usd=${least}`)).map(nameOf), stated.map(nameOf));
    const possible = rows.filter((row) => stated.includes(row) || lower.includes(row));
    assert.deepEqual((await all(`&min_possible_capacity_usd=${least}`)).map(nameOf), possible.map(nameOf));
  });

  test('200: filters keep what they say', async () => {
    const rows = await all();
    const same = await all('&same_interval=true');
    assert.ok(same.length > 0 && same.length < rows.length);
    assert.ok(same.every((row) => row.long_interval_hours === row.short_interval_hours));
    const soon = await all('&max_break_even_hours=200&min_volume_usdt=1000000');
    assert.deepEqual(
      soon.map(nameOf),
      rows
        .filter((row) => row.break_even_hours !== null && Number(row.break_even_hours) <= 200)
        .filter((row) => Number(row.volume_usdt) >= 1e6)
        .map(nameOf),
    );
    const both = await all('&exchange=Binance,OKX&exchange_match=all');
    assert.ok(both.length > 0);
    for (const row of both)
      assert.deepEqual([row.long_exchange, row.short_exchange].sort(), ['Binance', 'OKX']);
  });

  test('200: the range of the price gap is that of every minute since price_gap_from, in the direction of the row', async () => {
    // Ranges are read again every ten minutes.
    clock.advanceMs(11 * 60_000);
    running.sim.time.holdAt(clock.nowMs());
    await collectOnce(running);
    await watchGaps();
    let [moved, reverse] = [0, 0];
    for (const row of await all()) {
      const seen = gaps.get(pairOf(row));
      if (!seen) continue;
      const pcts = seen.map(({ pct }) => (isFirstLong(row) ? pct : reversed(pct)));
      const [low, high] = [Math.min(...pcts), Math.max(...pcts)];
      const isNear = (name: string, value: number) =>
        assert.ok(Math.abs(Number(row[name]) - value) < 1e-6, `${name} of ${JSON.stringify(row)}: ${value}`);
      isNear('price_gap_30d_low_pct', low);
      isNear('price_gap_30d_high_pct', high);
      assert.equal(Date.parse(String(row.price_gap_from)), seen[0]?.asOfMs, nameOf(row));
      if (high > low) moved++;
      if (!isFirstLong(row)) reverse++;
    }
    assert.ok(moved > 60 && reverse > 10, `${moved} moved, ${reverse} in the other direction`);
  });

  test('200: Demo gets the delayed rows without the best five', async () => {
    clock.advanceMs(901_000);
    await collectOnce(running);
    const demo = dataOf(await running.get(`${PATH}?limit=50`, { plan: 'demo' }));
    assert.equal(demo.withheld_top, 5);
    assert.ok(demo.pairs.length > 0);
  });

  test('the page opens a row to the weights and figures whose sum is its forecast', async () => {
    const read = async (path: string) => (await running.get(path, { plan: 'demo' })).body as { data: never };
    const query = 'min_possible_capacity_usd=50000&limit=50&sort=expected_low_net_desc';
    const { pairs } = (await read(`${PATH}?${query}`)).data as Pairs;
    const { horizons } = (await read('/api/v1/forecasts/accuracy')).data as {
      horizons: { days: number; weights: Record<string, number> }[];
    };
    const pageOf = async (address: string) => (await fetch(`${running.service.baseUrl}${address}`)).text();
    const list = (tablesOf(await pageOf('/arbitrage?view=pairs'))[0] ?? []).map((cells) => cells[5]);
    assert.equal(list.length, pairs.length);
    for (const [i, { expected_net_apr_pct: net, expected_low_net_apr_pct: low }] of pairs.entries()) {
      const [range, expected] = (list[i] ?? '').split('exp. ');
      assertShown(expected, digits(net, 1), `row ${i} in the order of what is likely at least`);
      if (low === null) continue;
      assertShown(range?.split(' to ')[0], digits(low, 0), `the lower end of row ${i}`);
    }
    for (const [holdDays, horizon] of [
      [7, 7],
      [30, 30],
      [90, 30],
    ] as const) {
      const view = `${PATH}?${query}&hold_days=${holdDays}`;
      const [row] = ((await read(view)).data as Pairs).pairs;
      assert.ok(row && row.expected_net_apr_pct !== null);
      const open = `${row.coin}-${row.long_exchange}-${row.short_exchange}`;
      const page = await pageOf(`/arbitrage?open=${open}${holdDays === 30 ? '' : `&hold_days=${holdDays}`}`);
      const card =
        new RegExp(`Expected, next ${holdDays} days.*?<dl class="rcpt">(.*?)</dl>`, 's').exec(page)?.[1] ??
        '';
      const parts = [...card.matchAll(/<dd[^>]*>(.*?)<\/dd>/gs)].map(([, part = '']) => words(part));
      const [now, day, week, month] = [
        'carry_pct_day',
        'realised_1d_pct',
        'realised_7d_pct',
        'realised_30d_pct',
      ].map((field) => Number(row[field])) as [number, number, number, number];
      const figures: Record<string, number> = { now, mean_1d: day, mean_7d: week / 7, mean_30d: month / 30 };
      const weights = horizons.find(({ days }) => days === horizon)?.weights ?? {};
      const terms = Object.entries(weights).filter(([, weight]) => weight !== 0);
      // What limits take off has a line of its own where it is large enough to be seen.
      const plain = terms.reduce((total, [feature, weight]) => total + weight * (figures[feature] ?? 0), 0);
      const limited = Number(row[`expected_carry_${horizon}d_pct`]) * (holdDays / horizon) - plain * holdDays;
      const hasLimit = Math.abs(limited) >= 0.0005;
      assert.equal(parts.length, terms.length + 5 + Number(hasLimit), card);
      if (hasLimit) assertShown(parts[terms.length], digits(limited, 3), 'limited');
      for (const [i, [feature, weight]] of terms.entries())
        assertShown(parts[i], digits(weight * (figures[feature] ?? Number.NaN) * holdDays, 3), feature);
      const [sum, range, costs, net, chance] = parts.slice(terms.length + Number(hasLimit));
      const carry = Number(row[`expected_carry_${horizon}d_pct`]) * (holdDays / horizon);
      assertShown(sum, digits(carry, 3), 'expected carry');
      assertShown(range?.split(' to ')[0], digits(row.expected_low_pct, 2), 'low end');
      assertShown(range?.split(' to ')[1], digits(row.expected_high_pct, 2), 'high end');
      assertShown(costs, digits(-Number(row.cost_pct_round_trip), 3), 'costs');
      assertShown(net, digits(row.expected_net_apr_pct, 1), 'expected net APR');
      assertShown(chance, digits(Number(row.probability_net_positive) * 100, 0), 'chance');
      assert.match(page, /Weights fitted on payments held here up to 2026-11-/);
    }
  });

  test('the pages of a pair, of an opened row and of a coin say how long spreads above the fee lasted', async () => {
    const read = async (path: string) => (await running.get(path, { plan: 'demo' })).body as { data: never };
    const sentenceOf = async (address: string) => {
      const page = await (await fetch(`${running.service.baseUrl}${address}`)).text();
      const [found = ''] = /Spreads above the fee lasted [^<]+/.exec(page) ?? [];
      return found.replaceAll('\u00a0', ' ');
    };
    const duration = (hours: unknown) =>
      Number(hours) < 72 ? `${Number(hours).toFixed(0)} h` : `${(Number(hours) / 24).toFixed(1)} d`;
    const expected = (row: Row) => {
      const now = Number(row.hours_above_fee_now);
      const present =
        now === 0 ? 'now it is not above the fee' : `this one has lasted ${duration(now)} so far`;
      return `Spreads above the fee lasted ${duration(row.median_hours_above_fee)} (median of ${row.times_above_fee} times in 30 days); ${present}.`;
    };
    const { pairs } = (await read(`${PATH}?limit=50`)).data as Pairs;
    const row = pairs.find((one) => one.median_hours_above_fee !== null);
    assert.ok(row);
    const { coin, long_exchange: long, short_exchange: short } = row;
    const pair = `/arbitrage/pair?coin=${coin}&long_exchange=${long}&short_exchange=${short}`;
    assert.equal(await sentenceOf(pair), expected(row));
    const opened = `/arbitrage?min_possible_capacity_usd=0&coin=${coin}&open=${coin}-${long}-${short}`;
    assert.equal(await sentenceOf(opened), expected(row));
    const coins = new Set(pairs.map((one) => String(one.coin)));
    const known: Row[] = [];
    for (const one of coins) known.push((await read(`/api/v1/funding/${one}`)).data as Row);
    const best = known.find((data) => data.median_hours_above_fee !== null);
    assert.ok(best);
    assert.equal(await sentenceOf(`/funding/${best.coin}`), expected(best));
  });

  for (const [query, code, status, named] of [
    ['fees=Binanc:0.02', 'unknown-exchange', 404, 'Binanc'],
    ['fees=binance:0.02', 'unknown-exchange', 404, 'binance'],
    ['fees=Binance:-0.01', 'invalid-parameter', 400, 'Binance:-0.01'],
    ['fees=Binance:5.1', 'invalid-parameter', 400, 'Binance:5.1'],
    ['fees=Binance:0.02,Binance:0.03', 'invalid-parameter', 400, 'Binance'],
    ['fees=Binance', 'invalid-parameter', 400, 'Binance'],
    ['fees=0.02', 'invalid-parameter', 400, '0.02'],
    ['fees=Binance:x', 'invalid-parameter', 400, 'Binance:x'],
    ['fees=Binance:0.02,', 'invalid-parameter', 400, '""'],
    ['fees=', 'invalid-parameter', 400, 'fees'],
    ['hold_days=8', 'invalid-parameter', 400, '7, 30, 90'],
    ['slippage_bp=3', 'invalid-parameter', 400, '2, 5, 10'],
  ] as const)
    test(`${status}: ${query}`, async () => {
      const answer = await problem(query);
      assert.deepEqual([answer.status, answer.code], [status, code]);
      assert.ok(answer.detail.includes(named), answer.detail);
    });
});
