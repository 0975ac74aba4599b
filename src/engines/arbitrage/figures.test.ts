import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  breakEvenHours,
  carryPctDay,
  entrySpreadPct,
  grossAprPct,
  netAprPct,
  ratePctDay,
  roundTripFeePct,
} from './figures.ts';

suite('figures of a pair', () => {
  test('the worked example of docs/arbitrage.md', () => {
    // Long on OKX at 0.005 % per 8 h, short on Hyperliquid at 0.0025 % per hour.
    const long = ratePctDay(0.005, 8);
    const short = ratePctDay(0.0025, 1);
    assert.equal(long, 0.015);
    assert.equal(short, 0.06);
    const carry = carryPctDay(short, long);
    assert.equal(carry, 0.045);
    assert.equal(grossAprPct(carry), 16.425);
    const fee = roundTripFeePct(0.05, 0.045);
    assert.equal(fee, 0.19);
    const entry = entrySpreadPct(100.02, 99.99);
    assert.equal(entry, -0.029994);
    assert.equal(breakEvenHours(fee, entry, carry), 117.3301);
    assert.equal(netAprPct(carry, fee, entry, 30), 13.74840633);
    assert.equal(netAprPct(carry, fee, entry, 7), 4.95388429);
    assert.equal(netAprPct(carry, fee, entry, 90), 15.53280211);
  });

  test('an entry gain above the fees breaks even at once, whatever the carry', () => {
    assert.equal(breakEvenHours(0.2, 0.3, 0.01), 0);
    assert.equal(breakEvenHours(0.2, 0.2, 0), 0);
  });

  test('without a carry costs are never paid back', () => {
    assert.ok(Number.isNaN(breakEvenHours(0.2, 0, 0)));
  });

  test('a negative rate on the short leg is paid', () => {
    assert.equal(carryPctDay(ratePctDay(-0.01, 8), ratePctDay(-0.03, 4)), 0.15);
  });
});
