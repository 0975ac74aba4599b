import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { contractsOf, engineOf, minute, SHORT_RULE, START_MINUTE } from '../../../test/backtest/setting.ts';
import { pairView } from './pair-view.ts';

const TAKER_FEES_PCT = { Binance: 0.05, OKX: 0.05 };
const CONTRACTS = contractsOf([
  ['Binance', 'BTC', 'USDT'],
  ['OKX', 'BTC', 'USDT'],
]);

function newEngine() {
  return engineOf({ rule: SHORT_RULE, takerFeesPct: TAKER_FEES_PCT, contracts: CONTRACTS });
}

/** Some minutes have no sample, and some samples lack a contract. */
const steps = fc.array(
  fc.record({
    skipped: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.nat(30)),
    isAlone: fc.boolean(),
  }),
  { minLength: 1, maxLength: 220 },
);

suite('the mid prices of the window', () => {
  test('are those of its samples after any number of revolutions of the ring', () => {
    fc.assert(
      fc.property(steps, (taken) => {
        const engine = newEngine();
        const known = new Map<number, number>();
        let at = START_MINUTE;
        for (const [i, { skipped, isAlone }] of taken.entries()) {
          at += 1 + skipped;
          const mid = 100 + (i % 7);
          const other = [99, 101];
          engine.advance(minute(at, isAlone ? { 2: other } : { 1: [mid - 1, mid + 1], 2: other }));
          if (!isAlone) known.set(at, mid);
        }
        const series = engine.series.get(1);
        if (!series) return;
        const fromMinute = at - SHORT_RULE.windowMinutes + 1;
        const expected = Array.from(
          { length: SHORT_RULE.windowMinutes },
          (_, i) => known.get(fromMinute + i) ?? 0,
        );
        assert.deepEqual([...engine.midsOf(series)], expected);
      }),
      { numRuns: 60 },
    );
  });

  test('the chart of a pair starts with its first known spread and ends with the newest minute', () => {
    const engine = newEngine();
    let at = START_MINUTE;
    for (let i = 0; i < 120; i++) {
      at = START_MINUTE + i;
      const swing = Math.sin(i / 5);
      const own = [100 + swing - 0.01, 100 + swing + 0.01];
      // The second venue starts later and is missing for one minute.
      engine.advance(minute(at, i < 20 || i === 50 ? { 1: own } : { 1: own, 2: [99.99, 100.01] }));
    }
    const view = pairView(engine, { coin: 'BTC', exchangeA: 'Binance', exchangeB: 'OKX', sizeUsd: 100 });
    assert.ok(view && view.cycles.length > 0);
    assert.equal(view.fromMinute, START_MINUTE + 20);
    assert.equal(view.spreadsPct.length, 100);
    const [newest, before] = view.recent;
    assert.deepEqual(
      [newest?.minute, before?.minute],
      [at, at - 1],
      'prices of the last minutes, newest first',
    );
    assert.equal(newest?.buyB, Math.fround(100.01));
    assert.equal(newest?.sellB, Math.fround(99.99));
    assert.ok((newest?.buyA ?? 0) > (newest?.sellA ?? 0));
    assert.ok(view.recent.every(({ minute: when }) => when <= at));
    for (const [i, spread] of view.spreadsPct.entries()) {
      if (i === 30) assert.ok(Number.isNaN(spread));
      else {
        const mid = Math.fround(100 + Math.sin((i + 20) / 5));
        assert.ok(Math.abs(spread - ((100 - mid) / mid) * 100) < 1e-3, `${i}: ${spread}`);
      }
    }
  });
});
