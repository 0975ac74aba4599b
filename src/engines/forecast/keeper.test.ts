import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { madeHistories, madeLegs } from '../../../test/operations/made-arbitrage.ts';
import { createLog } from '../../base/log.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import { ForecastStore } from '../../history/forecasts/store.ts';
import { SettlementSums } from '../../history/settlements/sums.ts';
import { decodeTable } from '../../market/tables/table-codec.ts';
import { horizonAccuracy } from '../../operations/forecast-accuracy/summary.ts';
import { ALWAYS_HELD, type EngineLease } from '../../storage/engine-lease.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { HistoryLookup } from '../arbitrage/histories.ts';
import { PairMaker } from '../arbitrage/pairs.ts';
import { ForecastKeeper, type ForecastMarket } from './keeper.ts';
import { HORIZONS_DAYS, type HorizonModel, QUANTILE_LEVELS } from './model.ts';
import type { ForecastModels } from './models.ts';
import { FORECAST_CONTRACTS_TABLE, FORECAST_PAIRS_TABLE } from './published.ts';

const TODAY = Math.floor(Date.UTC(2026, 10, 1) / DAY_MS);
const NOON_MS = TODAY * DAY_MS + 12 * HOUR_MS;
const DAY_MINUTES = 1440;
const COINS = ['BTC', 'ETH', 'SOL'];
const EXCHANGES = ['A', 'B', 'C', 'D'];
const log = createLog('silent');

type Print = { minute: number; ratePct: number };

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('nothing is stored');
  return value;
}

/** Prints every eight hours, up to and including the last one before the end. */
function printsUntil(contract: number, fromDay: number, toMs: number): Print[] {
  const prints: Print[] = [];
  for (let minute = fromDay * DAY_MINUTES; minute * MINUTE_MS <= toMs; minute += 480)
    prints.push({
      minute,
      ratePct: Number(
        (
          0.01 * Math.sin(minute / (9000 + contract * 700)) +
          0.0003 * ((minute / 480) % (3 + contract))
        ).toFixed(6),
      ),
    });
  return prints;
}

suite('forecasts of a day', () => {
  let storage: Storage;
  let store: ForecastStore;
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-forecast-'));
  const contracts = COINS.flatMap((coin) => EXCHANGES.map((exchange) => `${exchange}/${coin}USDT`));
  before(async () => {
    storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'data.sqlite'), log });
    store = new ForecastStore(storage);
  });
  after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const sumsUntil = (toMs: number): SettlementSums => {
    const sums = new SettlementSums();
    for (const [i, key] of contracts.entries()) sums.put(key, printsUntil(i, TODAY - 80, toMs));
    return sums;
  };
  const keeperOf = (sums: SettlementSums, engineLease: EngineLease = ALWAYS_HELD) =>
    new ForecastKeeper({ storage, sums, engineLease, log });
  /** The legs with the sums of the prints of a time. */
  const marketAt = (sums: SettlementSums, asOfMs: number): ForecastMarket => {
    const legs = madeLegs({ coins: COINS, exchanges: EXCHANGES, asOfMs });
    const settled = sums.at(asOfMs);
    for (let leg = 0; leg < legs.rowCount; leg++) {
      const own = settled.get(legs.text('contract', leg));
      for (const [name, sum] of [
        ['sum_1d_pct', own?.sum1dPct],
        ['sum_7d_pct', own?.sum7dPct],
        ['sum_30d_pct', own?.sum30dPct],
        ['absolute_30d_pct', own?.absolute30dPct],
      ] as const)
        legs.numbers(name)[leg] = sum ?? Number.NaN;
    }
    return {
      legs,
      pairs: new PairMaker().pairsOf(legs),
      histories: HistoryLookup.of(madeHistories(legs)),
      asOfMs,
    };
  };

  test('nothing is stored before the prints of midnight have arrived, or by a process that is not active', async () => {
    const sums = sumsUntil(TODAY * DAY_MS);
    await keeperOf(sums).observe(marketAt(sums, TODAY * DAY_MS + 24 * MINUTE_MS));
    const standby = keeperOf(sums, { ...ALWAYS_HELD, isHeld: () => false });
    await standby.observe(marketAt(sums, NOON_MS));
    assert.equal(await store.newest(TODAY + 1), null);
  });

  test('the weights are fitted and the features stored are those of the settled prints', async () => {
    const sums = sumsUntil(NOON_MS);
    const keeper = keeperOf(sums);
    await keeper.observe(marketAt(sums, NOON_MS));
    assert.deepEqual(
      keeper.models.pairs.map(({ kind }) => kind),
      ['fitted', 'fitted', 'fitted'],
    );
    assert.equal(keeper.models.atMs, TODAY * DAY_MS);
    const stored = present(await store.load(TODAY));
    assert.deepEqual(JSON.parse(stored.models), keeper.models);
    const table = present(decodeTable(stored.contracts, FORECAST_CONTRACTS_TABLE));
    for (const [i, key] of contracts.entries()) {
      const row = table.texts('contract').codes.indexOf(table.texts('contract').values.indexOf(key));
      const prints = printsUntil(i, TODAY - 80, NOON_MS);
      const end = prints.at(-1)?.minute ?? 0;
      for (const days of [1, 7, 30]) {
        const inside = prints.filter(({ minute }) => minute > end - days * DAY_MINUTES && minute <= end);
        const mean = inside.reduce((sum, { ratePct }) => sum + ratePct, 0) / days;
        const shown = table.numbers(`mean_${days}d`)[row] as number;
        assert.ok(Math.abs(shown - mean) < 1e-7, `${key} over ${days} days: ${shown} is not ${mean}`);
      }
    }
  });

  test('a kill, late prints and corrections do not change what was published', async () => {
    const published = present(await store.load(TODAY));
    const sums = sumsUntil(NOON_MS + HOUR_MS);
    // The venue corrects what it settled yesterday.
    for (const key of contracts) sums.put(key, [{ minute: (TODAY - 1) * DAY_MINUTES, ratePct: 1.5 }]);
    const restarted = keeperOf(sums);
    await restarted.observe(marketAt(sums, NOON_MS + HOUR_MS));
    assert.deepEqual(await store.load(TODAY), published);
    assert.deepEqual(restarted.models, JSON.parse(published.models), 'the weights of the day go on');
  });

  test('a day that is stored stays as it is, whoever writes it again', async () => {
    const published = present(await store.load(TODAY));
    await store.save({ ...published, minute: 1, models: '{}' }, 0, null);
    assert.deepEqual(await store.load(TODAY), published);
  });

  test('scores equal a recomputation from the stored forecasts and the prints', async () => {
    const endMs = NOON_MS + 31 * DAY_MS;
    const sums = sumsUntil(endMs);
    const keeper = keeperOf(sums);
    // The first minutes make the forecasts of that day; each further one scores one horizon.
    for (let minute = 0; minute < 6; minute++)
      await keeper.observe(marketAt(sums, endMs + minute * MINUTE_MS));
    const stored = present(await store.load(TODAY));
    const table = present(decodeTable(stored.contracts, FORECAST_CONTRACTS_TABLE));
    const pairs = present(decodeTable(present(stored.pairs), FORECAST_PAIRS_TABLE));
    assert.ok(pairs.rowCount > 10);
    const models = JSON.parse(stored.models) as ForecastModels;
    const scores = (await store.scores(TODAY, Number.MAX_SAFE_INTEGER)).filter(({ day }) => day === TODAY);
    assert.deepEqual(
      scores.map(({ days }) => days).sort((a, b) => a - b),
      [1, 7, 30],
    );
    for (const [i, days] of HORIZONS_DAYS.entries()) {
      const model = models.pairs[i] as HorizonModel;
      const earned = (row: number) =>
        printsUntil(contracts.indexOf(table.text('contract', row)), TODAY - 80, endMs)
          .filter(({ minute }) => minute > stored.minute && minute <= stored.minute + days * DAY_MINUTES)
          .reduce((sum, { ratePct }) => sum + ratePct, 0);
      // The formulas of docs/forecast.md.
      const forecastOf = (
        of: HorizonModel,
        long: number,
        short: number,
        x: readonly number[],
        row: number,
      ) => {
        const leg = (contract: number) =>
          ['now', 'mean_1d', 'mean_7d', 'mean_30d'].reduce((sum, name, k) => {
            const limit = 2 * (table.numbers('absolute_pct_day')[contract] as number);
            const value = table.numbers(name)[contract] as number;
            return sum + (of.weights[k] as number) * Math.max(-limit, Math.min(limit, value));
          }, 0);
        const expected = (leg(short) - leg(long)) * of.days;
        const [now, day, , month] = x as [number, number, number, number];
        const jump = Math.max(Math.abs(now - month), Math.abs(day - month));
        const width = ((pairs.numbers('scale_pct_day')[row] as number) + jump / 4) * of.days;
        const [low, high] = [0.1, 0.9].map(
          (level) => of.quantiles[QUANTILE_LEVELS.indexOf(level as 0.1)] as number,
        ) as [number, number];
        return expected < 0
          ? { expected, lowPct: expected - high * width, highPct: expected - low * width }
          : { expected, lowPct: expected + low * width, highPct: expected + high * width };
      };
      const outcomes = Array.from({ length: pairs.rowCount }, (_, row) => {
        const [long, short] = [pairs.numbers('long')[row] as number, pairs.numbers('short')[row] as number];
        const names = ['now', 'mean_1d', 'mean_7d', 'mean_30d'];
        const x = names.map(
          (name) => (table.numbers(name)[short] as number) - (table.numbers(name)[long] as number),
        );
        const { expected, lowPct, highPct } = forecastOf(model, long, short, x, row);
        const monthly = forecastOf(models.pairs[2] as HorizonModel, long, short, x, row);
        const cost = pairs.numbers('cost_pct')[row] as number;
        const outcome = earned(short) - earned(long);
        return {
          expected: Math.abs(outcome - expected),
          now: Math.abs(outcome - (x[0] as number) * days),
          mean_30d: Math.abs(outcome - (x[3] as number) * days),
          zero: Math.abs(outcome),
          bias: outcome - expected,
          isInside: outcome >= lowPct && outcome <= highPct,
          exchanges: [long, short].map((leg) => table.text('exchange', leg)),
          net: pairs.numbers('net_apr_pct')[row] as number,
          lowNet: monthly.lowPct - cost,
          promised: expected,
          isBelowCosts: outcome < cost,
          outcome,
        };
      });
      const mean = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0) / list.length;
      const near = (value: number | null | undefined, wanted: number, name: string) =>
        assert.ok(
          Math.abs((value ?? Number.NaN) - wanted) < 0.01,
          `${name} over ${days} days: ${value} is not ${wanted}`,
        );
      const accuracy = horizonAccuracy(
        days,
        scores.filter((one) => one.days === days),
      );
      assert.equal(accuracy.observations, pairs.rowCount);
      for (const name of ['expected', 'now', 'mean_30d', 'zero'] as const)
        near(accuracy.mean_error_bp[name], mean(outcomes.map((one) => one[name])) * 100, name);
      near(accuracy.bias_bp, mean(outcomes.map(({ bias }) => bias)) * 100, 'bias');
      near(accuracy.coverage_pct, mean(outcomes.map(({ isInside }) => (isInside ? 100 : 0))), 'coverage');
      const ofA = outcomes.filter(({ exchanges }) => exchanges.includes('A'));
      const venue = accuracy.by_exchange.find(({ exchange }) => exchange === 'A');
      assert.equal(venue?.observations, ofA.length);
      near(venue?.mean_error_bp.expected, mean(ofA.map(({ expected }) => expected)) * 100, 'A');
      const best = outcomes.toSorted((a, b) => b.net - a.net).slice(0, 10);
      near(accuracy.top_ten.net_apr.earned_pct, mean(best.map(({ outcome }) => outcome)), 'best ten');
      near(
        accuracy.top_ten.net_apr.promised_apr_pct,
        mean(best.map(({ net }) => net)),
        'promised by the best ten',
      );
    }
  });
});
