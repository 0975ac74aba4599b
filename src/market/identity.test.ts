import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { IdentityResolver, type PricedContract, splitMultiplier } from './identity.ts';

function contract(
  exchange: string,
  base: string,
  price: number | null,
  assetClass: PricedContract['assetClass'] = 'crypto',
): PricedContract {
  return { key: `${exchange}/${base}`, exchange, base, assetClass, price };
}

function coinOf(contracts: PricedContract[], key: string) {
  const identity = new IdentityResolver().resolve(contracts).get(key);
  assert.ok(identity);
  return identity;
}

suite('multipliers', () => {
  for (const [base, coin, multiplier] of [
    ['1000PEPE', 'PEPE', 1000],
    ['kPEPE', 'PEPE', 1000],
    ['1MBABYDOGE', 'BABYDOGE', 1_000_000],
    ['1000000MOG', 'MOG', 1_000_000],
    ['10000SATS', 'SATS', 10_000],
  ] as const) {
    test(`${base} could be ${multiplier} ${coin}`, () =>
      assert.deepEqual(splitMultiplier(base), { coin, multiplier }));
  }
  for (const base of ['1INCH', '0G', '100X', 'KAVA', 'kas', '1000', 'BTC']) {
    test(`${base} carries no multiplier`, () => assert.equal(splitMultiplier(base), null));
  }

  test('1000PEPE and kPEPE are PEPE when another venue quotes PEPE at a thousandth of the price', () => {
    const contracts = [
      contract('OKX', 'PEPE', 0.0000117),
      contract('Binance', '1000PEPE', 0.0117),
      contract('Hyperliquid', 'kPEPE', 0.01171),
    ];
    for (const key of ['Binance/1000PEPE', 'Hyperliquid/kPEPE']) {
      assert.deepEqual(coinOf(contracts, key), { coin: 'PEPE', multiplier: 1000, isPriceOutlier: false });
    }
  });

  test('a prefix is kept when the prices do not confirm it', () => {
    const contracts = [contract('OKX', 'CAT', 0.5), contract('Binance', '1000CAT', 0.0117)];
    assert.equal(coinOf(contracts, 'Binance/1000CAT').coin, '1000CAT');
  });

  test('a prefix is kept while no other venue quotes the rest', () => {
    const contracts = [contract('Binance', '1000ODD', 1), contract('Bybit', '1000ODD', 1)];
    assert.equal(coinOf(contracts, 'Binance/1000ODD').coin, '1000ODD');
  });

  test('1000FLOKI and kFLOKI prove each other, without a venue that quotes FLOKI itself', () => {
    const contracts = [contract('Binance', '1000FLOKI', 0.0871), contract('Hyperliquid', 'kFLOKI', 0.0872)];
    for (const key of ['Binance/1000FLOKI', 'Hyperliquid/kFLOKI'])
      assert.equal(coinOf(contracts, key).coin, 'FLOKI');
  });

  test('a proven multiplier is kept when a price is missing', () => {
    const resolver = new IdentityResolver();
    resolver.resolve([contract('OKX', 'PEPE', 0.0000117), contract('Binance', '1000PEPE', 0.0117)]);
    const later = resolver.resolve([contract('OKX', 'PEPE', null), contract('Binance', '1000PEPE', null)]);
    assert.equal(later.get('Binance/1000PEPE')?.coin, 'PEPE');
  });
});

suite('two coins under one ticker', () => {
  test('a price more than a quarter off the median of the venues is an outlier, the others are not', () => {
    const contracts = [
      contract('A', 'NEIRO', 0.00039),
      contract('B', 'NEIRO', 0.0004),
      contract('C', 'NEIRO', 0.00041),
      contract('D', 'NEIRO', 0.0187),
    ];
    const identities = new IdentityResolver().resolve(contracts);
    assert.deepEqual(
      [...identities.values()].map((identity) => identity.isPriceOutlier),
      [false, false, false, true],
    );
  });

  test('24 % off is the same coin, 26 % off is not', () => {
    const at = (price: number) =>
      coinOf([contract('A', 'X', 100), contract('B', 'X', 100), contract('C', 'X', price)], 'C/X')
        .isPriceOutlier;
    assert.deepEqual([at(124), at(126), at(76), at(74)], [false, true, false, true]);
  });

  test('the multiplier is taken out before prices are compared', () => {
    const contracts = [
      contract('A', 'PEPE', 0.0000117),
      contract('B', 'PEPE', 0.0000118),
      contract('C', '1000PEPE', 0.0117),
    ];
    assert.equal(coinOf(contracts, 'C/1000PEPE').isPriceOutlier, false);
  });

  test('a stock with a coin’s ticker is not that coin', () => {
    const contracts = [
      contract('A', 'GME', 0.01),
      contract('B', 'GME', 0.0101),
      contract('C', 'GME', 0.0102, 'stock'),
    ];
    assert.equal(coinOf(contracts, 'C/GME').isPriceOutlier, true);
  });

  test('a coin on one venue only is never an outlier', () => {
    assert.equal(coinOf([contract('A', 'LONE', 5)], 'A/LONE').isPriceOutlier, false);
  });
});
