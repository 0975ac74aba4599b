import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { priceDecimals, priceText } from './prices.ts';

suite('prices as venues print them', () => {
  const shown = (prices: readonly number[]) => prices.map((price) => priceText(price, priceDecimals(prices)));

  test('bid and ask have the same decimals', () => {
    assert.deepEqual(shown([0.2871, 0.28714]), ['0.28710', '0.28714']);
    assert.deepEqual(shown([61_234, 61_234.5]), ['61234.0', '61234.5']);
  });
  test('the price of one coin of a contract for a thousand', () => {
    assert.deepEqual(shown([0.01171 / 1000, 0.0117 / 1000]), ['0.00001171', '0.00001170']);
    assert.deepEqual(shown([1.5e-8]), ['0.000000015']);
  });
  test('a converted or averaged price has six digits', () => {
    assert.deepEqual(shown([0.287140917236]), ['0.287141']);
    assert.deepEqual(shown([61_234.598761]), ['61234.6']);
  });
  test('a missing price is a dash', () => {
    assert.equal(priceText(null, 2), '–');
    assert.equal(priceText(Number.NaN, 2), '–');
  });
});
