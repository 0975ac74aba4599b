import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ContractDays, nothingHeld } from './contract-days.ts';
import { fitHorizon, quantilesOf } from './fit.ts';
import { fitWeights, solve } from './least-squares.ts';
import { expectedPct, HORIZONS_DAYS, type HorizonModel, intervalOf, probabilityAbove } from './model.ts';
import { observationsOf } from './observations.ts';
import { type ContractPrints, printPairs } from './print-pairs.ts';
import { scoreWalkForward } from './score.ts';
import { SHIPPED_MODELS } from './shipped.ts';

const FIRST_DAY = 20_000;
const DAY_MINUTES = 1440;

/** Rates that follow their last value, from a generator with a seed. */
function printsOf(exchange: string, seed: number, days: number, intervalHours = 8): ContractPrints {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const [minutes, ratesPct, intervalMinutes]: number[][] = [[], [], []];
  let rate = 0.005 * (seed % 3);
  for (let minute = intervalHours * 60; minute <= days * DAY_MINUTES; minute += intervalHours * 60) {
    rate = 0.95 * rate + 0.004 * random();
    minutes?.push(FIRST_DAY * DAY_MINUTES + minute);
    ratesPct?.push(Number(rate.toFixed(6)));
    intervalMinutes?.push(intervalHours * 60);
  }
  return {
    exchange,
    coin: 'BTC',
    minutes: minutes ?? [],
    ratesPct: ratesPct ?? [],
    intervalMinutes: intervalMinutes ?? [],
  };
}

/** The features and forecasts of every pair at a midnight, and the models that made them. */
function forecastsAt(contracts: readonly ContractPrints[], place: number) {
  const { pairs, places } = printPairs(contracts);
  const rows = observationsOf(pairs, places);
  const models = HORIZONS_DAYS.map((_, i) =>
    fitHorizon(rows, i, place, SHIPPED_MODELS.pairs[i] as HorizonModel),
  );
  const forecasts = [];
  for (let row = rows.firstRow[place] ?? 0; row < (rows.firstRow[place + 1] ?? 0); row++) {
    const features = rows.features.slice(row * 4, row * 4 + 4);
    const scale = rows.scales[row] ?? 0;
    forecasts.push(
      models.map((model) => {
        const expected = expectedPct(model, features);
        return { expected, ...intervalOf(model, expected, scale) };
      }),
    );
  }
  return { models, forecasts };
}

const VENUES = [printsOf('A', 1, 80), printsOf('B', 2, 80, 1), printsOf('C', 3, 80, 4)];

suite('forecast of carry', () => {
  test('changing, dropping or moving any print after t changes no forecast at t', () => {
    const place = 66;
    const before = forecastsAt(VENUES, place);
    assert.equal(before.forecasts.length, 3);
    assert.deepEqual(
      before.models.map(({ kind }) => kind),
      ['fitted', 'fitted', 'fitted'],
    );
    const change = fc.record({
      venue: fc.integer({ min: 0, max: 2 }),
      after: fc.integer({ min: 1, max: 13 * DAY_MINUTES }),
      kind: fc.constantFrom('rate', 'drop', 'move'),
      ratePct: fc.double({ min: -4, max: 4, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const changed = VENUES.map(({ minutes, ratesPct, intervalMinutes, ...names }, venue) => {
          let prints = Array.from(minutes, (minute, i) => ({
            minute,
            ratePct: ratesPct[i] as number,
            interval: intervalMinutes[i] as number,
          }));
          for (const { after, kind, ratePct } of changes.filter((one) => one.venue === venue)) {
            const from = (FIRST_DAY + place) * DAY_MINUTES + after;
            const at = prints.findIndex(({ minute }) => minute >= from);
            const print = prints[at];
            if (!print) continue;
            if (kind === 'rate') prints[at] = { ...print, ratePct };
            else if (kind === 'drop') prints = prints.toSpliced(at, 1);
            else prints[at] = { ...print, minute: from, interval: 60 };
          }
          prints.sort((a, b) => a.minute - b.minute);
          return {
            ...names,
            minutes: prints.map(({ minute }) => minute),
            ratesPct: prints.map(({ ratePct }) => ratePct),
            intervalMinutes: prints.map(({ interval }) => interval),
          };
        });
        assert.deepEqual(forecastsAt(changed, place), before);
      }),
      { numRuns: 40 },
    );
  });

  test('changing a print before t changes the forecast at t', () => {
    const [first, ...others] = VENUES as [ContractPrints, ContractPrints, ContractPrints];
    const rates = Array.from(first.ratesPct);
    rates[190] = (rates[190] ?? 0) + 0.01;
    const changed = forecastsAt([{ ...first, ratesPct: rates }, ...others], 66);
    assert.notDeepEqual(changed.forecasts, forecastsAt(VENUES, 66).forecasts);
  });

  test('A − B plus B − C is A − C at every horizon', () => {
    const { forecasts } = forecastsAt(VENUES, 70);
    const [ab, ac, bc] = forecasts;
    for (const horizon of HORIZONS_DAYS.keys()) {
      const of = (pair: typeof ab) => pair?.[horizon]?.expected ?? Number.NaN;
      assert.ok(Math.abs(of(ab) + of(bc) - of(ac)) < 1e-12);
    }
  });

  test('the features are the last print and the means of what settled in (t − N days, t], a day', () => {
    const prints = VENUES[1] as ContractPrints;
    const days = new ContractDays(prints, FIRST_DAY, FIRST_DAY + 80);
    const place = 50;
    const midnight = (FIRST_DAY + place) * DAY_MINUTES;
    const meanOf = (window: number) =>
      Array.from(prints.ratesPct)
        .filter((_, i) => {
          const minute = prints.minutes[i] as number;
          return minute > midnight - window * DAY_MINUTES && minute <= midnight;
        })
        .reduce((sum, rate) => sum + rate, 0) / window;
    const last = prints.ratesPct[place * 24 - 1] as number;
    assert.equal(prints.minutes[place * 24 - 1], midnight);
    const expected = [last * 24, meanOf(1), meanOf(7), meanOf(30)];
    for (const [k, value] of days.features(place).entries())
      assert.ok(Math.abs(value - (expected[k] ?? 0)) < 1e-12, `feature ${k}`);
  });

  test('there is no forecast under 95 % coverage of 30 days', () => {
    const hourly = printsOf('D', 5, 80, 1);
    const without = (count: number): ContractPrints => {
      // The hours before the last day, so that the mean of a day is known.
      const last = (70 - 8) * 24;
      const keeps = (_: number, i: number) => i < last - count || i >= last;
      return {
        ...hourly,
        minutes: Array.from(hourly.minutes).filter(keeps),
        ratesPct: Array.from(hourly.ratesPct).filter(keeps),
        intervalMinutes: Array.from(hourly.intervalMinutes).filter(keeps),
      };
    };
    const other = VENUES[0] as ContractPrints;
    assert.equal(forecastsAt([other, without(36)], 70).forecasts.length, 1);
    assert.equal(forecastsAt([other, without(37)], 70).forecasts.length, 0);
  });

  test('before 45 days of history the forecast is the 30-day mean times the shipped weight, and says so', () => {
    const { models } = forecastsAt(VENUES, 44);
    assert.deepEqual(models, SHIPPED_MODELS.pairs);
    for (const { kind, weights } of models) {
      assert.equal(kind, 'shipped');
      assert.deepEqual(weights.slice(0, 3), [0, 0, 0]);
    }
    assert.deepEqual(
      forecastsAt(VENUES, 50).models.map(({ kind }) => kind),
      ['fitted', 'fitted', 'shipped'],
    );
  });

  test('a contract against nothing has the forecast of its own rates', () => {
    const contract = new ContractDays(VENUES[0] as ContractPrints, FIRST_DAY, FIRST_DAY + 80);
    const rows = observationsOf([{ long: nothingHeld(FIRST_DAY, FIRST_DAY + 80), short: contract }], 81);
    assert.deepEqual(rows.raw.slice(0, 4), contract.features(30));
  });
});

suite('fit of the weights', () => {
  const rowsOf = (list: readonly (readonly [number, number, number, number, number])[]) => ({
    features: Float64Array.from(list.flatMap((row) => row.slice(0, 4))),
    outcomes: Float64Array.from(list, (row) => row[4]),
    scales: new Float64Array(list.length).fill(1e-6),
    importances: new Float64Array(list.length).fill(1),
    count: list.length,
  });
  const exact = Array.from({ length: 40 }, (_, i) => {
    const [a, b, c, d] = [Math.sin(i), Math.sin(2 * i + 1), Math.cos(3 * i), Math.cos(i * i)];
    return [a, b, c, d, 0.1 * a + 0.2 * b + 0.3 * c + 0.4 * d] as const;
  });

  test('it finds the weights that made the outcomes', () => {
    const weights = fitWeights(rowsOf(exact), [0, 0, 0, 1], 0);
    for (const [k, weight] of weights.entries()) assert.ok(Math.abs(weight - (k + 1) / 10) < 1e-6);
  });

  test('a few extreme outcomes do not move them far', () => {
    const wild = exact.map(([a, b, c, d, y], i) => [a, b, c, d, i % 10 === 0 ? y + 50 : y] as const);
    const weights = fitWeights(rowsOf(wild), [0, 0, 0, 1], 0);
    for (const [k, weight] of weights.entries()) assert.ok(Math.abs(weight - (k + 1) / 10) < 0.01);
  });

  test('strong shrinkage leaves the prior', () => {
    const weights = fitWeights(rowsOf(exact), [0, 0, 0, 1], 1e9);
    for (const [k, weight] of weights.entries()) assert.ok(Math.abs(weight - (k === 3 ? 1 : 0)) < 1e-6);
  });

  test('equations without a single solution have none', () => {
    assert.equal(
      solve(
        [
          [1, 2],
          [2, 4],
        ],
        [1, 2],
      ),
      null,
    );
    assert.deepEqual(
      solve(
        [
          [0, 2],
          [4, 0],
        ],
        [2, 4],
      ),
      [1, 1],
    );
  });

  test('quantiles are linear between the sorted values', () => {
    const quantiles = quantilesOf(Float64Array.from({ length: 101 }, (_, i) => i));
    assert.deepEqual(quantiles, [1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99]);
  });
});

suite('interval and probability', () => {
  const model: HorizonModel = {
    days: 7,
    kind: 'fitted',
    weights: [0, 0, 0, 1],
    quantiles: [-4, -3, -2, -1, -0.5, -0.2, 0, 0.2, 0.5, 0.8, 1, 2, 3],
    featureLimit: 2,
    jumpShare: 0.25,
  };

  test('the interval is the 10 % and 90 % quantiles times the scale and the days', () => {
    assert.deepEqual(intervalOf(model, 0.7, 0.1), {
      lowPct: 0.7 - 2 * 0.7000000000000001,
      highPct: 0.7 + 0.7000000000000001,
    });
  });

  test('the other direction has the mirrored interval', () => {
    const [one, other] = [intervalOf(model, 0.7, 0.1), intervalOf(model, -0.7, 0.1)];
    assert.deepEqual(other, { lowPct: -one.highPct, highPct: -one.lowPct });
  });

  test('the probability is the share of errors beyond the threshold, in both directions', () => {
    assert.equal(probabilityAbove(model, 0.7, 0.1, 0.7), 0.5);
    assert.ok(Math.abs(probabilityAbove(model, 0.7, 0.1, 0.7 + 0.7) - 0.1) < 1e-9);
    assert.ok(Math.abs(probabilityAbove(model, -0.7, 0.1, -0.7 + 1.4) - 0.1) < 1e-9);
    assert.equal(probabilityAbove(model, 0.7, 0.1, 100), 1 - 0.99);
    assert.equal(probabilityAbove(model, 0.7, 0.1, -100), 0.99);
    assert.equal(probabilityAbove(model, 0.7, 0, 0.5), 0.99);
  });
});

suite('walk-forward score', () => {
  test('errors, coverage and best tenth equal a recomputation from forecasts and prints', () => {
    const contracts = VENUES;
    const { pairs, places } = printPairs(contracts);
    const from = 45;
    const scores = scoreWalkForward(observationsOf(pairs, places), SHIPPED_MODELS.pairs, from);
    const names = [
      ['A', 'B'],
      ['A', 'C'],
      ['B', 'C'],
    ] as const;
    const sum = (exchange: string, fromPlace: number, toPlace: number) => {
      const prints = contracts.find((one) => one.exchange === exchange) as ContractPrints;
      return Array.from(prints.ratesPct).reduce((total, rate, i) => {
        const minute = (prints.minutes[i] as number) - FIRST_DAY * DAY_MINUTES;
        return minute > fromPlace * DAY_MINUTES && minute <= toPlace * DAY_MINUTES ? total + rate : total;
      }, 0);
    };
    for (const [horizon, days] of HORIZONS_DAYS.entries()) {
      let [count, expected, mean7d, zero, inside, earnedTop] = [0, 0, 0, 0, 0, 0];
      for (let place = from; place + days <= 80; place++) {
        const { forecasts } = forecastsAt(contracts, place);
        const day = names.map(([long, short], pair) => {
          const earned = sum(short, place, place + days) - sum(long, place, place + days);
          const forecast = forecasts[pair]?.[horizon];
          assert.ok(forecast);
          count++;
          expected += Math.abs(earned - forecast.expected);
          mean7d += Math.abs(
            earned - ((sum(short, place - 7, place) - sum(long, place - 7, place)) / 7) * days,
          );
          zero += Math.abs(earned);
          if (earned >= forecast.lowPct && earned <= forecast.highPct) inside++;
          return { size: Math.abs(forecast.expected), earned: Math.sign(forecast.expected) * earned };
        });
        earnedTop += day.toSorted((a, b) => b.size - a.size)[0]?.earned ?? 0;
      }
      const score = scores[horizon];
      assert.ok(score);
      const near = (value: number | null, wanted: number) =>
        assert.ok(
          Math.abs((value ?? Number.NaN) - wanted) < 0.006,
          `${days} days: ${value} is not ${wanted}`,
        );
      assert.equal(score.observations, count);
      near(score.mean_error_bp.expected, (expected / count) * 100);
      near(score.mean_error_bp.mean_7d, (mean7d / count) * 100);
      near(score.mean_error_bp.zero, (zero / count) * 100);
      near(score.coverage_pct, (inside / count) * 100);
      near(score.top_tenth.by_expected.earned_apr_pct, ((earnedTop / (count / 3)) * 365) / days);
    }
  });

  test('the ten best of pooled days are those of the forecasts, each in the direction that earns by its order', () => {
    const { pairs, places } = printPairs(VENUES);
    const rows = observationsOf(pairs, places);
    const costsPct = [0.01, 0.02, 0.03];
    const [, week] = scoreWalkForward(rows, SHIPPED_MODELS.pairs, 50, undefined, { pairs: [60], costsPct });
    const picks = Array.from({ length: 20 }, (_, i) => 50 + i).flatMap((place) =>
      forecastsAt(VENUES, place).forecasts.map((models, pair) => {
        const forecast = models[1];
        assert.ok(forecast);
        const row = (rows.firstRow[place] ?? 0) + pair;
        const sign = forecast.expected < 0 ? -1 : 1;
        const ends = [sign * forecast.lowPct, sign * forecast.highPct].sort((a, b) => a - b);
        const [low = 0, high = 0] = ends;
        const earned = sign * (rows.outcomes[1]?.[row] ?? Number.NaN) * 7;
        return { promised: sign * forecast.expected, low, high, earned, cost: costsPct[pair] ?? 0 };
      }),
    );
    const orders = {
      expected_net: (one: (typeof picks)[number]) => one.promised - one.cost,
      expected_low_net: (one: (typeof picks)[number]) => one.low - one.cost,
    };
    for (const [order, figure] of Object.entries(orders)) {
      const best = picks.toSorted((a, b) => figure(b) - figure(a)).slice(0, 10);
      const mean = (of: (one: (typeof picks)[number]) => number) =>
        best.reduce((sum, one) => sum + of(one), 0) / best.length;
      const found = week?.pooled?.find((one) => one.order === order);
      assert.ok(found);
      const near = (value: number | null, wanted: number) =>
        assert.ok(Math.abs((value ?? Number.NaN) - wanted) < 0.006, `${order}: ${value} is not ${wanted}`);
      near(
        found.promised_bp,
        mean((one) => one.promised * 100),
      );
      near(
        found.earned_bp,
        mean((one) => one.earned * 100),
      );
      near(
        found.inside_pct,
        mean((one) => (one.earned >= one.low && one.earned <= one.high ? 100 : 0)),
      );
      near(
        found.below_costs_pct,
        mean((one) => (one.earned < one.cost ? 100 : 0)),
      );
    }
  });
});
