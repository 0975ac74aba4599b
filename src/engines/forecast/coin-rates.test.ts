import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SettlementSums } from '../../history/settlements/sums.ts';
import type { Cell } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { FUNDING_TABLE } from '../funding/table.ts';
import { COIN_RATES_TABLE, coinRatesTable } from './coin-rates.ts';
import { type HorizonModel, QUANTILE_LEVELS } from './model.ts';
import { SHIPPED } from './models.ts';

const model = (days: HorizonModel['days']): HorizonModel => ({
  days,
  kind: 'fitted',
  weights: [0.1, 0.2, 0.3, 0.4],
  quantiles: QUANTILE_LEVELS.map((level) => (level - 0.5) * 10),
  featureLimit: 2,
  jumpShare: 0.25,
});
const MODELS = { ...SHIPPED, legs: [model(1), model(7), model(30)] };

function fundingRow(figures: Readonly<Record<string, Cell>>): Record<string, Cell> {
  const empty = FUNDING_TABLE.columns.map(({ name, type, nullable }): [string, Cell] => [
    name,
    nullable ? null : type === 'text' ? 'x' : 0,
  ]);
  return { ...Object.fromEntries(empty), ...figures };
}

suite('expected funding of one contract', () => {
  const builder = new TableBuilder(FUNDING_TABLE);
  const known = { rate_pct: 0.01, interval_hours: 8, sum_1d_pct: 0.06, sum_7d_pct: 0.7, sum_30d_pct: 3 };
  const jumped = { ...known, rate_pct: 0.9, sum_1d_pct: -2.1, absolute_30d_pct: 6 };
  builder.add(fundingRow({ ...known, absolute_30d_pct: 6 }));
  builder.add(fundingRow({ ...known, sum_30d_pct: null, absolute_30d_pct: null }));
  builder.add(fundingRow(jumped));
  const table = coinRatesTable(builder.build(), MODELS);
  const at = (name: string, row: number) => table.cell(name)(row);

  test('it is the weights times the running rate and the means, a day', () => {
    const pctDay = 0.1 * 0.03 + 0.2 * 0.06 + 0.3 * 0.1 + 0.4 * 0.1;
    for (const days of [1, 7, 30])
      assert.ok(Math.abs(at(`expected_${days}d_pct`, 0) - pctDay * days) < 2e-8, `${days} days`);
  });

  test('the range is scaled by the mean of the absolute rates, and wider by a quarter of a jump', () => {
    // 6 % in 30 days are 0.2 % a day, and the rate now is 0.07 % a day off; the quantiles of the model are −4 and 4.
    const width = 4 * (0.2 + 0.25 * 0.07) * 30;
    const expected = at('expected_30d_pct', 0);
    assert.ok(Math.abs(at('expected_30d_low_pct', 0) - (expected - width)) < 2e-8);
    assert.ok(Math.abs(at('expected_30d_high_pct', 0) - (expected + width)) < 2e-8);
  });

  test('what stands far from the 30 days counts up to twice the mean of the absolute rates', () => {
    // 2.7 % a day now and −2.1 % in the last day count as ±0.4.
    const pctDay = 0.1 * 0.4 - 0.2 * 0.4 + 0.3 * 0.1 + 0.4 * 0.1;
    assert.ok(Math.abs(at('expected_1d_pct', 2) - pctDay) < 2e-8);
    const width = at('expected_30d_high_pct', 2) - at('expected_30d_pct', 2);
    assert.ok(Math.abs(width - 4 * (0.2 + 0.25 * 2.6) * 30) < 1e-6);
  });

  test('it is null without 30 days of prints, and every other field is that of /funding', () => {
    const row = JSON.parse(table.rowJson(1)) as Record<string, unknown>;
    const added = COIN_RATES_TABLE.columns
      .map(({ name }) => name)
      .filter((name) => name.startsWith('expected_'));
    assert.equal(added.length, 5);
    for (const name of added) assert.equal(row[name], null, name);
    assert.equal(row.rate_pct, 0.01);
    assert.equal(row.sum_7d_pct, 0.7);
  });
});

suite('sum of the absolute rates of 30 days', () => {
  const HOUR = 60;
  const nowMinute = 20_000 * 1440;
  const prints = Array.from({ length: 91 * 24 }, (_, i) => ({
    minute: nowMinute - (91 * 24 - 1 - i) * HOUR,
    ratePct: i % 2 === 0 ? 0.001 : -0.002,
  }));

  test('it follows new, late and corrected prints', () => {
    const sums = new SettlementSums();
    sums.put('x', prints);
    const at = () => sums.at(nowMinute * 60_000).get('x')?.absolute30dPct;
    assert.equal(at(), 1.08);
    sums.put('x', [{ minute: nowMinute - 24 * HOUR, ratePct: 0.5 }]);
    const corrected = prints.find(({ minute }) => minute === nowMinute - 24 * HOUR)?.ratePct ?? 0;
    assert.ok(Math.abs((at() ?? 0) - (1.08 + 0.5 - Math.abs(corrected))) < 1e-8);
    sums.put('x', [{ minute: nowMinute + HOUR, ratePct: 0.25 }]);
    const later = sums.at((nowMinute + HOUR) * 60_000).get('x')?.absolute30dPct ?? 0;
    const dropped = Math.abs(
      prints.find(({ minute }) => minute === nowMinute + HOUR - 720 * HOUR)?.ratePct ?? 0,
    );
    assert.ok(Math.abs(later - (1.08 + 0.5 - Math.abs(corrected) + 0.25 - dropped)) < 1e-8);
  });

  test('it is null under 95 % coverage', () => {
    const sums = new SettlementSums();
    sums.put('x', prints.slice(-600));
    assert.equal(sums.at(nowMinute * 60_000).get('x')?.absolute30dPct, null);
  });
});
