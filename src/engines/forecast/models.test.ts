import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Table } from '../../market/tables/table.ts';
import { decodeTable, encodeTable } from '../../market/tables/table-codec.ts';
import {
  FORECAST_MODELS_TABLE,
  type ForecastModels,
  modelsOf,
  modelsTable,
  parseModels,
  SHIPPED,
} from './models.ts';

/** What version 1 stored and published. */
const FIRST: ForecastModels = {
  version: '1',
  atMs: SHIPPED.atMs,
  pairs: SHIPPED.pairs.map((model) => ({ ...model, featureLimit: null, jumpShare: 0 })),
  legs: SHIPPED.legs.map((model) => ({ ...model, featureLimit: null, jumpShare: 0 })),
};

suite('models of the forecasts', () => {
  for (const [name, models] of Object.entries({ 'version 1': FIRST, 'the present version': SHIPPED }))
    test(`${name} is the same after it was published and stored`, () => {
      const decoded = decodeTable(encodeTable(modelsTable(models)), FORECAST_MODELS_TABLE);
      assert.ok(decoded);
      assert.deepEqual(modelsOf(decoded), models);
      assert.deepEqual(parseModels(JSON.parse(JSON.stringify(models)), ''), models);
    });

  test('a frame and a text of version 1 have neither limit nor jump', () => {
    const names = ['feature_limit', 'jump_share'];
    const before = {
      ...FORECAST_MODELS_TABLE,
      columns: FORECAST_MODELS_TABLE.columns.filter(({ name }) => !names.includes(name)),
    };
    const now = modelsTable(FIRST);
    const table = new Table(
      before,
      now.rowCount,
      { get: (name) => now.numbers(name) },
      { get: (name) => now.texts(name) },
    );
    const decoded = decodeTable(encodeTable(table), FORECAST_MODELS_TABLE);
    assert.ok(decoded);
    assert.deepEqual(modelsOf(decoded), FIRST);
    const without = JSON.parse(
      JSON.stringify(FIRST, (key, value) => (/^(featureLimit|jumpShare)$/.test(key) ? undefined : value)),
    );
    assert.deepEqual(parseModels(without, ''), FIRST);
  });
});
