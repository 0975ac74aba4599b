import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MINUTE_MS } from '../base/times.ts';
import { VENUES } from '../venues/registry.ts';
import { ALIASES } from './coins/aliases.ts';
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
  for (const [exchange, base, price, coin, elsewhere, assetClass, multiplier] of [
    ['BingX', 'TRUMPSOL', 5.89, 'TRUMP', 5.9, 'crypto', 1],
    ['BingX', 'NEIROCTO', 0.000392, 'NEIRO', 0.00039, 'crypto', 1],
    ['Bybit', '1000NEIROCTO', 0.392, 'NEIRO', 0.00039, 'crypto', 1000],
    ['Hyperliquid', 'kNEIROCTO', 0.392, 'NEIRO', 0.00039, 'crypto', 1000],
    ['Phemex', 'SPYX', 668.2, 'SPY', 668.5, 'stock', 1],
    ['Phemex', 'MUX', 371.4, 'MU', 371.9, 'stock', 1],
    ['Phemex', 'NG', 3.41, 'NATGAS', 3.4, 'commodity', 1],
    ['BloFin', 'NG', 3.41, 'NATGAS', 3.4, 'commodity', 1],
    ['OKX', 'OPENAI', 148.81, 'OPENAI', 1457, 'crypto', 0.1],
    ['OKX', 'ANTHROPIC', 61.2, 'ANTHROPIC', 610, 'crypto', 0.1],
    ['WEEX', 'TON', 1.452, 'GRAM', 1.453, 'crypto', 1],
    ['Toobit', 'TON', 1.452, 'GRAM', 1.453, 'crypto', 1],
    ['WEEX', 'TGTSTOCK', 98.1, 'TGT', 98.2, 'stock', 1],
    ['WEEX', 'CATSTOCK', 571.2, 'CAT', 571.9, 'stock', 1],
    ['Pionex', 'AAPLX', 268.1, 'AAPL', 268.4, 'stock', 1],
    ['Kraken', 'AAPLx', 268.1, 'AAPL', 268.4, 'stock', 1],
    ['BingX', 'NCSKTSLA2USD', 402.2, 'TSLA', 402.9, 'stock', 1],
    ['BingX', 'NCFXEUR2USD', 1.1622, 'EURUSD', 1.1624, 'forex', 1],
    ['BingX', 'NCFXUSD2JPY', 153.2, 'USDJPY', 153.1, 'forex', 1],
    ['BingX', 'NCCOGOLD2USD', 4353.3, 'XAU', 4355.79, 'commodity', 1],
    ['BingX', 'NCCOXAG2USD', 64.52, 'XAG', 64.58, 'commodity', 1],
    ['BingX', 'NCCO1OILWTI2USD', 96.12, 'CL', 96.15, 'commodity', 1],
    ['BingX', 'NCCO724COPPER2USD', 5.02, 'COPPER', 5.03, 'commodity', 1],
    ['BingX', 'NCSISP5002USD', 7616.1, 'US500', 7620.6, 'index', 1],
    ['BingX', 'NCSINASDAQ1002USD', 29_044, 'NAS100', 29_040.4, 'index', 1],
    ['Gate', 'SPX500', 7616.7, 'US500', 7620.6, 'index', 1],
    ['Pacifica', 'SP500', 7616.1, 'US500', 7620.6, 'index', 1],
    ['Kraken', 'EUR', 1.1622, 'EURUSD', 1.1624, 'forex', 1],
    ['Pionex', 'WTI', 96.122, 'CL', 96.146, 'commodity', 1],
    ['XT', 'USOIL', 96.122, 'CL', 96.146, 'commodity', 1],
    ['BTSE', 'GAS', 2.94, 'NATGAS', 2.942, 'commodity', 1],
    ['SoDEX', 'USTECH100', 29_051.2, 'NAS100', 29_040.4, 'index', 1],
    ['Bitfinex', 'UKOIL', 103.3, 'BZ', 103.1, 'commodity', 1],
    ['CryptoCom', 'OPENAIIPO', 1457, 'OPENAI', 1458, 'stock', 1],
    ['CryptoCom', 'ANTHROPICIPO', 611, 'ANTHROPIC', 610, 'stock', 1],
  ] as const) {
    test(`${exchange} ${base} at ${price} is ${coin} at ${elsewhere}`, () => {
      const contracts = [
        contract(exchange, base, price, assetClass),
        contract('Binance', coin, elsewhere, assetClass),
        contract('Bitget', coin, elsewhere * 1.001, assetClass),
      ];
      const { isPriceOutlier, ...identity } = coinOf(contracts, `${exchange}/${base}`);
      assert.deepEqual([identity.coin, identity.multiplier, isPriceOutlier], [coin, multiplier, false]);
    });

    test(`${exchange} ${base} at half of that price is not joined`, () => {
      const contracts = [
        contract(exchange, base, price / 2, assetClass),
        contract('Binance', coin, elsewhere, assetClass),
        contract('Bitget', coin, elsewhere * 1.001, assetClass),
      ];
      const identity = coinOf(contracts, `${exchange}/${base}`);
      assert.deepEqual([identity.coin, identity.multiplier], [base.toUpperCase(), 1]);
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

  test('a name holds at every venue, also where no row names the venue', () => {
    const contracts = [contract('MEXC', 'TRUMPSOL', 5.89), contract('Binance', 'TRUMP', 5.9)];
    assert.equal(coinOf(contracts, 'MEXC/TRUMPSOL').coin, 'TRUMP');
  });

  test('NEIROCTO of BingX and 1000NEIROCTO of Bybit prove each other’s coin, and none stands alone', () => {
    const contracts = [contract('BingX', 'NEIROCTO', 0.000392), contract('Bybit', '1000NEIROCTO', 0.391)];
    assert.deepEqual(
      ['BingX/NEIROCTO', 'Bybit/1000NEIROCTO'].map((key) => coinOf(contracts, key).coin),
      ['NEIRO', 'NEIRO'],
    );
  });

  test('a row for one venue is not for another: GAS of Gate is NEO’s, whatever natural gas costs', () => {
    const contracts = [contract('Gate', 'GAS', 2.94), contract('Binance', 'NATGAS', 2.942, 'commodity')];
    assert.equal(coinOf(contracts, 'Gate/GAS').coin, 'GAS');
  });

  test('a coin under the name of a commodity is not joined with it, at any price', () => {
    const contracts = [contract('Gate', 'GOLD', 4353), contract('Binance', 'XAU', 4355, 'commodity')];
    assert.equal(coinOf(contracts, 'Gate/GOLD').coin, 'GOLD');
  });

  test('where the list has no classes, a name is joined at 2 % and not at 3 %', () => {
    const at = (price: number) =>
      coinOf(
        [
          { ...contract('WOOX', 'SP500', price), isClassStated: false },
          contract('Binance', 'US500', 7600, 'index'),
        ],
        'WOOX/SP500',
      ).coin;
    assert.deepEqual([at(7600 * 1.019), at(7600 * 1.03)], ['US500', 'SP500']);
  });

  test('an index that one venue takes for a share is joined at 2 % and not at 3 %', () => {
    const at = (price: number) =>
      coinOf(
        [contract('Bitget', 'SP500', price, 'stock'), contract('Binance', 'US500', 7600, 'index')],
        'Bitget/SP500',
      ).coin;
    assert.deepEqual([at(7600 * 1.019), at(7600 * 1.03)], ['US500', 'SP500']);
  });

  for (const [what, other] of [
    ['3 % away', contract('Binance', 'AAPL', 268 * 1.03, 'stock')],
    ['a coin', contract('Binance', 'AAPL', 268)],
    ['a share at the same venue', contract('Pionex', 'AAPL', 268, 'stock')],
  ] as const)
    test(`AAPLX is not joined with an AAPL that is ${what}`, () => {
      const contracts = [contract('Pionex', 'AAPLX', 268, 'stock'), other];
      assert.equal(coinOf(contracts, 'Pionex/AAPLX').coin, 'AAPLX');
    });

  test('the coin AVAX is not a share of AVA, and CATX is not the coin CAT', () => {
    assert.equal(
      coinOf([contract('A', 'AVAX', 21), contract('B', 'AVA', 21, 'stock')], 'A/AVAX').coin,
      'AVAX',
    );
    assert.equal(
      coinOf([contract('A', 'CATX', 21, 'stock'), contract('B', 'CAT', 21)], 'A/CATX').coin,
      'CATX',
    );
  });

  test('a joined name stays for an hour of other prices, is given up then, and is joined again at once', () => {
    const resolver = new IdentityResolver();
    const coinAt = (price: number | null, minute: number) =>
      resolver
        .resolve(
          [contract('Pionex', 'AAPLX', price, 'stock'), contract('Binance', 'AAPL', 268, 'stock')],
          minute * MINUTE_MS,
        )
        .get('Pionex/AAPLX')?.coin;
    assert.equal(coinAt(268, 0), 'AAPL');
    assert.equal(coinAt(268 * 1.04, 1), 'AAPL', 'joined, it may be 5 % away');
    assert.equal(coinAt(300, 2), 'AAPL');
    assert.equal(coinAt(null, 3), 'AAPL');
    assert.equal(coinAt(300, 61), 'AAPL');
    assert.equal(coinAt(300, 62), 'AAPLX');
    assert.equal(coinAt(268, 63), 'AAPL');
    assert.equal(coinAt(300, 64), 'AAPL');
    assert.equal(coinAt(268, 100), 'AAPL');
    assert.equal(coinAt(300, 130), 'AAPL', 'the hour begins again');
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

  test('every row has a source and the day it was read, and a venue that exists', () => {
    const exchanges = new Set(VENUES.map((venue) => venue.facts.exchange));
    for (const { coin, exchange, source, readOn } of ALIASES) {
      if (exchange !== undefined) assert.ok(exchanges.has(exchange), exchange);
      assert.match(source, /https:\/\/|not measured/, coin);
      assert.match(readOn, /^\d{4}-\d\d-\d\d$/, coin);
    }
  });

  test('a name has one meaning in a class, and no alias is the coin of another row', () => {
    const everywhere = ALIASES.filter(({ exchange }) => exchange === undefined);
    const names = everywhere.flatMap((alias) => alias.names.map((name) => `${alias.assetClass} ${name}`));
    assert.equal(new Set(names).size, names.length);
    const coins = new Set(everywhere.map(({ coin }) => coin));
    assert.deepEqual(
      everywhere.flatMap((alias) => alias.names.filter((name) => coins.has(name))),
      [],
    );
  });
});
