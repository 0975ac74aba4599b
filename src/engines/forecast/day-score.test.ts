import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Table, TableSpec } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { decodeTable, encodeTable } from '../../market/tables/table-codec.ts';
import { parseDayScore, scoreDay } from './day-score.ts';
import { QUANTILE_LEVELS } from './model.ts';
import { parseModels } from './models.ts';
import { FORECAST_CONTRACTS_TABLE, FORECAST_PAIRS_TABLE, PublishedDay } from './published.ts';

const [LOW, HIGH] = [QUANTILE_LEVELS.indexOf(0.1), QUANTILE_LEVELS.indexOf(0.9)];

/** A leg that never pays, and so many others against it, each with other rates. */
function publishedDay(pairs: number, spec: TableSpec, rateOf: (pair: number) => number): PublishedDay {
  const contracts = new TableBuilder(spec);
  const rows = new TableBuilder(FORECAST_PAIRS_TABLE);
  for (let contract = 0; contract <= pairs; contract++) {
    const rate = contract === 0 ? 0 : rateOf(contract - 1);
    contracts.add({
      ...{ contract: `V/${contract}`, exchange: `V${contract % 2}`, asset_class: 'crypto' },
      ...{ now: rate * 10, mean_1d: rate, mean_7d: rate, mean_30d: rate },
      ...(spec === FORECAST_CONTRACTS_TABLE ? { absolute_pct_day: Math.abs(rate) } : {}),
    });
    if (contract > 0)
      rows.add({ long: 0, short: contract, scale_pct_day: 0.02, cost_pct: 0.2, net_apr_pct: contract % 7 });
  }
  const stored = (table: Table, read: TableSpec) => {
    const found = decodeTable(encodeTable(table), read);
    assert.ok(found);
    return found;
  };
  return new PublishedDay(
    stored(contracts.build(), FORECAST_CONTRACTS_TABLE),
    stored(rows.build(), FORECAST_PAIRS_TABLE),
  );
}

/** As version 1 stored them: JSON without the limit and the jump. */
function storedModels(more: object) {
  const quantiles = QUANTILE_LEVELS.map((level) => level - 0.5);
  const models = [1, 7, 30].map((days) => ({
    ...{ days, kind: 'fitted', weights: [0.1, 0.2, 0.3, 0.4], quantiles },
    ...more,
  }));
  const { pairs } = parseModels(
    JSON.parse(JSON.stringify({ version: '1', atMs: 0, pairs: models, legs: models })),
    '',
  );
  const [, model, orderModel] = pairs;
  assert.ok(model && orderModel);
  return { model, orderModel };
}

suite('score of a stored day', () => {
  test('a day of version 1 is scored with the forecasts that it published', () => {
    const before = {
      ...FORECAST_CONTRACTS_TABLE,
      columns: FORECAST_CONTRACTS_TABLE.columns.filter(({ name }) => name !== 'absolute_pct_day'),
    };
    const published = publishedDay(1, before, () => 0.01);
    const { model, orderModel } = storedModels({});
    // The rate now counts in full, and the width is of the spread alone.
    const expected = 7 * (0.1 * 0.1 + 0.9 * 0.01);
    const width = 7 * 0.02;
    const { expected: found, low, high } = published.forecasts(model);
    assert.ok(Math.abs((found[0] ?? 0) - expected) < 1e-12);
    assert.ok(Math.abs((low[0] ?? 0) - (expected + (model.quantiles[LOW] ?? 0) * width)) < 1e-12);
    assert.ok(Math.abs((high[0] ?? 0) - (expected + (model.quantiles[HIGH] ?? 0) * width)) < 1e-12);
    const score = scoreDay({ published, model, orderModel }, Float64Array.of(0, 0.5));
    assert.ok(Math.abs(score.all.bias - (0.5 - expected)) < 1e-12);
  });

  test('scores of older versions, without places, are still read', () => {
    const { places, ...older } = scoreDay(
      {
        published: publishedDay(3, FORECAST_CONTRACTS_TABLE, () => 0.01),
        ...storedModels({ featureLimit: 2, jumpShare: 0.25 }),
      },
      Float64Array.of(0, 1, 1, 1),
    );
    assert.ok(places);
    assert.deepEqual(parseDayScore(JSON.parse(JSON.stringify(older)), ''), older);
  });

  test('the first, the first ten, the first hundred and the rest of each order equal a recomputation', () => {
    const rate = (pair: number) => 0.001 * ((pair * 37) % 130);
    const published = publishedDay(130, FORECAST_CONTRACTS_TABLE, rate);
    const models = storedModels({ featureLimit: 2, jumpShare: 0.25 });
    // One outcome is not known.
    const earned = Float64Array.from({ length: 131 }, (_, i) =>
      i === 5 ? Number.NaN : 0.01 * ((i * 11) % 90),
    );
    earned[0] = 0;
    const score = scoreDay({ published, ...models }, earned);
    const pairs = Array.from({ length: 130 }, (_, pair) => {
      const x = rate(pair);
      // The rate now is ten times the others; the limit is twice.
      const pctDay = 0.1 * 2 * x + 0.9 * x;
      const width = 0.02 + 0.25 * 9 * x;
      const q = (place: number) => models.model.quantiles[place] ?? 0;
      return {
        now: 10 * x * 7,
        realised: 7 * x,
        expected: 7 * pctDay,
        low: 7 * (pctDay + q(LOW) * width),
        high: 7 * (pctDay + q(HIGH) * width),
        lowNet: 30 * (pctDay + q(LOW) * width) - 0.2,
        net: (pair + 1) % 7,
        earned: earned[pair + 1] ?? Number.NaN,
        pair,
      };
    });
    const ORDER_FIGURES = {
      net_apr: ['net', 'now'],
      realised_30d: ['realised', 'realised'],
      expected_net: ['expected', 'expected'],
      expected_low_net: ['lowNet', 'expected'],
    } as const;
    for (const [order, [figure, promise]] of Object.entries(ORDER_FIGURES)) {
      const sorted = pairs.toSorted((a, b) => b[figure] - a[figure] || a.pair - b.pair);
      for (const [i, [from, to]] of [
        [0, 1],
        [0, 10],
        [0, 100],
        [100, 130],
      ].entries()) {
        const known = sorted.slice(from, to).filter((one) => !Number.isNaN(one.earned));
        const sum = (of: (one: (typeof pairs)[number]) => number) =>
          known.reduce((total, one) => total + of(one), 0);
        const found = score.places?.[order]?.[i];
        assert.ok(found);
        assert.equal(found.picks, known.length, order);
        assert.ok(Math.abs(found.promised - sum((one) => one[promise])) < 1e-9, `${order} ${i} promised`);
        assert.ok(Math.abs(found.earned - sum((one) => one.earned)) < 1e-9, `${order} ${i} earned`);
        assert.equal(
          found.inside,
          sum((one) => Number(one.earned >= one.low && one.earned <= one.high)),
        );
        assert.equal(
          found.below_costs,
          sum((one) => Number(one.earned < 0.2)),
        );
        assert.equal(found.ranged, known.length);
      }
    }
    assert.deepEqual(Object.keys(score.places ?? {}), Object.keys(ORDER_FIGURES));
  });
});
