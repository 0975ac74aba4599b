import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { VENUES } from '../venues/registry.ts';
import { ALIASES } from './aliases.ts';
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
    ['mBABYDOGE', 'BABYDOGE', 1_000_000],
    ['1KPEPE', 'PEPE', 1000],
    ['1000000MOG', 'MOG', 1_000_000],
    ['10000SATS', 'SATS', 10_000],
  ] as const) {
    test(`${base} could be ${multiplier} ${coin}`, () =>
      assert.deepEqual(splitMultiplier(base), { coin, multiplier }));
  }
  for (const base of ['1INCH', '0G', '100X', 'KAVA', 'kas', 'MANA', 'mog', '1000', 'BTC']) {
    test(`${base} carries no multiplier`, () => assert.equal(splitMultiplier(base), null));
  }

  test('1000PEPE and kPEPE are PEPE when another venue quotes PEPE at a thousandth of the price', () => {
    const contracts = [
      contract('OKX', 'PEPE', 0.0000117),
      contract('Binance', '1000PEPE', 0.0117),
      contract('Hyperliquid', 'kPEPE', 0.01171),
    ];
    for (const key of ['Binance/1000PEPE', 'Hyperliquid/kPEPE']) {
      assert.deepEqual(coinOf(contracts, key), {
        coin: 'PEPE',
        multiplier: 1000,
        isPriceOutlier: false,
        assetClass: 'crypto',
      });
    }
  });

  test('mBABYDOGE, and MBABYDOGE of Gate, are a million BABYDOGE while prices agree', () => {
    for (const [exchange, base] of [
      ['Gate', 'MBABYDOGE'],
      ['Nado', 'mBABYDOGE'],
    ] as const) {
      const identityAt = (price: number) =>
        coinOf(
          [contract('Binance', '1MBABYDOGE', 0.000382), contract(exchange, base, price)],
          `${exchange}/${base}`,
        );
      const { coin, multiplier, isPriceOutlier } = identityAt(0.0003824);
      assert.deepEqual([coin, multiplier, isPriceOutlier], ['BABYDOGE', 1_000_000, false], base);
      assert.equal(identityAt(3.8).coin, 'MBABYDOGE', `${base} at another price`);
    }
  });

  test('mETH is not a million ETH: the prices do not agree', () => {
    const contracts = [contract('OKX', 'ETH', 3100), contract('Nado', 'mETH', 3290)];
    assert.deepEqual(
      [coinOf(contracts, 'Nado/mETH').coin, coinOf(contracts, 'Nado/mETH').multiplier],
      ['METH', 1],
    );
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

  test('a stock with a coin’s ticker is not that coin: its price is another one', () => {
    const contracts = [
      contract('A', 'GME', 0.01),
      contract('B', 'GME', 0.0101),
      contract('C', 'GME', 24.6, 'stock'),
    ];
    assert.deepEqual(
      [coinOf(contracts, 'C/GME').isPriceOutlier, coinOf(contracts, 'C/GME').assetClass],
      [true, 'stock'],
    );
    assert.deepEqual(
      [coinOf(contracts, 'A/GME').isPriceOutlier, coinOf(contracts, 'A/GME').assetClass],
      [false, 'crypto'],
    );
  });

  test('a coin on one venue only is never an outlier', () => {
    assert.equal(coinOf([contract('A', 'LONE', 5)], 'A/LONE').isPriceOutlier, false);
  });
});

suite('venues that class one thing differently', () => {
  const classes = (contracts: PricedContract[]) =>
    [...new IdentityResolver().resolve(contracts).values()].map((identity) => [
      identity.assetClass,
      identity.isPriceOutlier,
    ]);

  test('PAXG: three venues say commodity, four crypto, all at one price: crypto, and all keep their rows', () => {
    const contracts = [
      contract('Binance', 'PAXG', 4102),
      contract('Bybit', 'PAXG', 4101),
      contract('OKX', 'PAXG', 4103),
      contract('BingX', 'PAXG', 4100),
      contract('Bitget', 'PAXG', 4104, 'commodity'),
      contract('Gate', 'PAXG', 4101, 'commodity'),
      contract('KuCoin', 'PAXG', 4102, 'commodity'),
    ];
    assert.deepEqual(
      classes(contracts),
      contracts.map(() => ['crypto', false]),
    );
  });

  test('SNDK is a share at two venues and has no class at WOOX: a stock at all three', () => {
    const contracts = [
      contract('Binance', 'SNDK', 1884, 'stock'),
      contract('Bitget', 'SNDK', 1886, 'stock'),
      contract('WOOX', 'SNDK', 1884),
    ];
    assert.deepEqual(
      classes(contracts),
      contracts.map(() => ['stock', false]),
    );
  });

  test('one against one: the class that is stated wins over crypto, which is also the lack of one', () => {
    const contracts = [contract('dYdX', 'XAG', 48.1), contract('Bybit', 'XAG', 48.2, 'commodity')];
    assert.deepEqual(
      classes(contracts),
      contracts.map(() => ['commodity', false]),
    );
  });

  test('US500 is an index at one venue and a stock at another: each keeps its own, no outlier', () => {
    const contracts = [contract('OKX', 'US500', 6700, 'stock'), contract('Bybit', 'US500', 6702, 'index')];
    assert.deepEqual(classes(contracts), [
      ['stock', false],
      ['index', false],
    ]);
  });

  test('two contracts of one venue have one vote', () => {
    const twice = { ...contract('Gate', 'PAXG', 4101, 'commodity'), key: 'Gate/PAXG_USD1' };
    const contracts = [
      contract('Binance', 'PAXG', 4102),
      contract('OKX', 'PAXG', 4103),
      contract('Gate', 'PAXG', 4101, 'commodity'),
      twice,
    ];
    assert.deepEqual(
      classes(contracts),
      contracts.map(() => ['crypto', false]),
    );
  });
});

suite('names of the table of aliases', () => {
  for (const [exchange, base, price, coin, elsewhere, multiplier] of [
    ['BingX', 'TRUMPSOL', 5.89, 'TRUMP', 5.9, 1],
    ['BingX', 'NEIROCTO', 0.000392, 'NEIRO', 0.00039, 1],
    ['Phemex', 'SPYX', 668.2, 'SPY', 668.5, 1],
    ['Phemex', 'MUX', 371.4, 'MU', 371.9, 1],
    ['Phemex', 'NG', 3.41, 'NATGAS', 3.4, 1],
    ['OKX', 'OPENAI', 148.81, 'OPENAI', 1457, 0.1],
    ['OKX', 'ANTHROPIC', 61.2, 'ANTHROPIC', 610, 0.1],
    ['WEEX', 'TON', 1.452, 'GRAM', 1.453, 1],
    ['Toobit', 'TON', 1.452, 'GRAM', 1.453, 1],
    ['WEEX', 'TGTSTOCK', 98.1, 'TGT', 98.2, 1],
  ] as const) {
    test(`${exchange} ${base} at ${price} is ${coin} at ${elsewhere}`, () => {
      const contracts = [
        contract(exchange, base, price),
        contract('Binance', coin, elsewhere),
        contract('Bybit', coin, elsewhere * 1.001),
      ];
      const { isPriceOutlier, ...identity } = coinOf(contracts, `${exchange}/${base}`);
      assert.deepEqual([identity.coin, identity.multiplier, isPriceOutlier], [coin, multiplier, false]);
    });

    test(`${exchange} ${base} at half of that price is not joined`, () => {
      const contracts = [
        contract(exchange, base, price / 2),
        contract('Binance', coin, elsewhere),
        contract('Bybit', coin, elsewhere * 1.001),
      ];
      const identity = coinOf(contracts, `${exchange}/${base}`);
      assert.deepEqual([identity.coin, identity.multiplier], [base, 1]);
      assert.equal(identity.isPriceOutlier, base === coin, 'under the same ticker it is an outlier');
    });
  }

  test('OKX OPENAI is no outlier among venues at 1,456 to 1,459, and they are none', () => {
    const contracts = [
      contract('OKX', 'OPENAI', 148.81),
      ...[1456, 1457, 1458, 1459].map((price, i) => contract(`V${i}`, 'OPENAI', price)),
    ];
    const identities = [...new IdentityResolver().resolve(contracts).values()];
    assert.ok(identities.every((identity) => !identity.isPriceOutlier));
  });

  test('the same base at another venue is not renamed', () => {
    const contracts = [contract('MEXC', 'TRUMPSOL', 5.89), contract('Binance', 'TRUMP', 5.9)];
    assert.equal(coinOf(contracts, 'MEXC/TRUMPSOL').coin, 'TRUMPSOL');
  });

  test('WEEX and Toobit both say TON, and no venue GRAM: an alias does not confirm another one', () => {
    const contracts = [contract('WEEX', 'TON', 1.452), contract('Toobit', 'TON', 1.453)];
    assert.deepEqual(
      ['WEEX/TON', 'Toobit/TON'].map((key) => coinOf(contracts, key).coin),
      ['TON', 'TON'],
    );
  });

  test('while no other venue quotes the coin the name stays', () => {
    assert.equal(coinOf([contract('BingX', 'TRUMPSOL', 5.89)], 'BingX/TRUMPSOL').coin, 'TRUMPSOL');
  });

  test('every row has a venue that exists, a source and the day it was read', () => {
    const exchanges = new Set(VENUES.map((venue) => venue.facts.exchange));
    for (const alias of ALIASES) {
      assert.ok(exchanges.has(alias.exchange), alias.exchange);
      assert.match(alias.source, /https:\/\//);
      assert.match(alias.readOn, /^\d{4}-\d\d-\d\d$/);
    }
  });
});
