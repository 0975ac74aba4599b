import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  carryPctDay,
  entrySpreadPct,
  exitSpreadPct,
  grossAprPct,
  netAprPct,
  ratePctDay,
  roundTripCostPct,
  roundTripFeePct,
} from './figures.ts';
import { breakEvenHours } from './payments.ts';

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
    const exit = exitSpreadPct(100.01, 100.02, 100);
    assert.equal(exit, 0.009998);
    const cost = roundTripCostPct(fee, entry, exit);
    assert.equal(cost, 0.209996);
    assert.equal(netAprPct(carry, cost, 30), 13.87004867);
    assert.equal(netAprPct(carry, cost, 7), 5.47520857);
    assert.equal(netAprPct(carry, cost, 90), 15.57334956);
    const hyperliquid = {
      ratePct: 0.0025,
      intervalHours: 1,
      nextAtMs: Date.UTC(2026, 10, 15, 13),
    };
    const okx = { ratePct: 0.005, intervalHours: 8, nextAtMs: Date.UTC(2026, 10, 15, 16) };
    assert.equal(breakEvenHours(cost, okx, hyperliquid, Date.UTC(2026, 10, 15, 12, 30)), 111.5);
  });

  test('entry and exit together are the widths of both books, however far the venues are apart', () => {
    for (const gap of [-20, -0.5, 0, 0.5, 20]) {
      const entry = entrySpreadPct(100.02, 99.99 + gap);
      const exit = exitSpreadPct(100.01, 100.02, 100 + gap);
      assert.ok(Math.abs(entry + exit + 0.019996) < 2e-8, `${gap}: ${entry} + ${exit}`);
    }
  });

  test('a negative rate on the short leg is paid', () => {
    assert.equal(carryPctDay(ratePctDay(-0.01, 8), ratePctDay(-0.03, 4)), 0.15);
  });
});
