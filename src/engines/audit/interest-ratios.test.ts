import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS } from '../../base/times.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import { FigureChecks } from './figure-checks.ts';
import { interestFactors, LEAST_COINS } from './interest-ratios.ts';
import type { Notice } from './notices.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9);
const VENUES = ['Binance', 'Bybit', 'OKX', 'Gate'];

/** Open interest / volume is 0.5 everywhere but at Gate. */
function marketAt(nowMs: number, gateRatio: number, coins = LEAST_COINS): FrozenMarket {
  const contracts = VENUES.flatMap((exchange) =>
    Array.from({ length: coins }, (_, i) => {
      const volume24hUsdt = 1e6 * (i + 1);
      const openInterestUsdt = volume24hUsdt * (exchange === 'Gate' ? gateRatio : 0.5);
      return { exchange, coin: `C${i}`, isPriceOutlier: false, openInterestUsdt, volume24hUsdt };
    }),
  ) as unknown as FrozenContract[];
  return { asOfMs: nowMs, states: [], identities: new Map(), contracts, curves: new Map() };
}

function checked(markets: readonly FrozenMarket[]) {
  const changes: [isOn: boolean, notice: Notice][] = [];
  const checks = new FigureChecks((notice, isOn) => changes.push([isOn, notice]));
  for (const market of markets) checks.check(market);
  return { checks, changes };
}

const hoursOf = (count: number, gateRatio: number, fromHour = 0) =>
  Array.from({ length: count }, (_, i) => marketAt(NOW_MS + (fromHour + i) * HOUR_MS, gateRatio));

suite('open interest / volume against the other venues', () => {
  test('the median over the coins of own ratio / median of the others', () => {
    const factors = interestFactors(marketAt(NOW_MS, 2).contracts);
    assert.deepEqual(
      [...factors],
      [
        ['Binance', 1],
        ['Bybit', 1],
        ['OKX', 1],
        ['Gate', 4],
      ],
    );
  });

  test('fewer than ten coins say nothing, nor does a coin on fewer than three other venues', () => {
    const few = marketAt(NOW_MS, 2, LEAST_COINS - 1).contracts;
    assert.equal(interestFactors(few).size, 0);
    const alone = marketAt(NOW_MS, 2).contracts.filter(({ exchange }) => exchange !== 'OKX');
    assert.equal(interestFactors(alone).size, 0);
  });

  for (const [ratio, expected] of [
    [15.1, ['interest_ratio']],
    [14.9, []],
    [0.0166, ['interest_ratio']],
    [0.0168, []],
  ] as const)
    test(`${ratio / 0.5} times the others’: ${expected.length === 0 ? 'no notice' : 'a notice'}`, () => {
      const { changes } = checked([marketAt(NOW_MS, ratio)]);
      assert.deepEqual(
        changes.map(([isOn, { exchange, kind }]) => [isOn, exchange, kind]),
        expected.map((kind) => [true, 'Gate', kind]),
      );
    });

  for (const factor of [2, 0.5])
    test(`a ratio that becomes ${factor} times its own of the last day is a notice, which ends with it`, () => {
      const { changes } = checked([
        ...hoursOf(24, 0.5),
        ...hoursOf(2, 0.5 * factor, 24),
        ...hoursOf(2, 0.5, 26),
      ]);
      assert.deepEqual(
        changes.map(([isOn, { exchange, kind, evidence }]) => [isOn, exchange, kind, evidence]),
        [
          [true, 'Gate', 'interest_change', `${factor.toPrecision(3)} times the usual`],
          [false, 'Gate', 'interest_change', '1.00 times the usual'],
        ],
      );
    });

  test('what is usual survives a restart', () => {
    const before = checked(hoursOf(24, 0.5)).checks;
    const after = checked([]);
    after.checks.restore(JSON.parse(JSON.stringify(before.stored(NOW_MS + 24 * HOUR_MS))), []);
    for (const market of hoursOf(1, 1, 24)) after.checks.check(market);
    assert.deepEqual(
      after.changes.map(([isOn, { kind }]) => [isOn, kind]),
      [[true, 'interest_change']],
    );
  });

  test('a notice of an earlier process stays, with its time, until there is enough to judge', () => {
    const { checks, changes } = checked([]);
    const held = {
      ...{ kind: 'counted_twice' as const, field: 'volume_24h_usdt' as const },
      ...{ sinceMs: NOW_MS - HOUR_MS, evidence: '10 of 10 contracts, 80 different values' },
    };
    checks.restore(null, [{ exchange: 'KuCoin', notices: [held] }]);
    checks.check(marketAt(NOW_MS, 0.5));
    assert.deepEqual(checks.notices.of('KuCoin'), [{ exchange: 'KuCoin', ...held }]);
    assert.deepEqual(changes, []);
  });
});
