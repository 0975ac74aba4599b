import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../../base/times.ts';
import type { AssetClass } from '../../venues/observations.ts';
import { IdentityResolver } from '../identity.ts';
import type { PricedContract } from './priced-contract.ts';
import { CoinSplits } from './splits.ts';

type Quoted = readonly [
  exchange: string,
  base: string,
  price: number | null,
  assetClass?: AssetClass | undefined,
  isStill?: 'still',
];

const START_MS = Date.UTC(2026, 8, 10);

/** The market, minute by minute. Prices move by a few hundredths of a percent, unless they stand still. */
class Market {
  splits = new CoinSplits();
  changes: string[] = [];
  minute = 0;
  #resolver = this.#newResolver();

  #newResolver() {
    return new IdentityResolver(this.splits, (changes) => {
      for (const { key, from, to } of changes) this.changes.push(`${key}: ${from} to ${to}`);
    });
  }

  /** The coins after so many further minutes of these prices; an outlier has a question mark. */
  after(minutes: number, quoted: readonly Quoted[], unclassed: readonly string[] = []) {
    let coins: Record<string, string> = {};
    for (let i = 0; i < minutes; i++) {
      const contracts = quoted.map(
        ([exchange, base, price, assetClass = 'crypto', still]): PricedContract => {
          const move = still ? 1 : 1 + 0.0002 * (this.minute % 3);
          const isClassStated = !unclassed.includes(exchange);
          return {
            ...{ key: `${exchange}/${base}`, exchange, base, assetClass, isClassStated },
            price: price === null ? null : price * move,
          };
        },
      );
      const found = this.#resolver.resolve(contracts, START_MS + this.minute * MINUTE_MS);
      coins = Object.fromEntries(
        [...found].map(([key, { coin, isPriceOutlier }]) => [key, `${coin}${isPriceOutlier ? '?' : ''}`]),
      );
      this.minute++;
    }
    return coins;
  }

  /** A new process with what the last one stored, after some minutes without any. */
  restart(pauseMinutes = 0) {
    this.splits = new CoinSplits(JSON.parse(JSON.stringify(this.splits.stored())));
    this.minute += pauseMinutes;
    this.#resolver = this.#newResolver();
  }
}

/** 2026-11-17. */
const QNT: readonly Quoted[] = [
  ['Binance', 'QNT', 64.32],
  ['Bybit', 'QNT', 64.3],
  ['Gate', 'QNT', 64.35],
  ['KuCoin', 'QNTX', 48.73, 'stock'],
  ['OKX', 'QNT', 48.74, 'stock'],
  ['BTSE', 'QNT', 48.7, 'stock'],
  ['Lighter', 'QNT', 48.75, 'stock'],
];
const QUANT = { 'Binance/QNT': 'QNT', 'Bybit/QNT': 'QNT', 'Gate/QNT': 'QNT' };
const QUANTINUUM = {
  ...{ 'KuCoin/QNTX': 'QNT.STOCK', 'OKX/QNT': 'QNT.STOCK' },
  ...{ 'BTSE/QNT': 'QNT.STOCK', 'Lighter/QNT': 'QNT.STOCK' },
};

suite('a ticker that is two coins', () => {
  test('QNT: Quantinuum counts for nothing at once, and is QNT.STOCK after an hour; Quant stays QNT', () => {
    const market = new Market();
    const first = market.after(1, QNT);
    const unproven = Object.fromEntries(Object.keys(QUANTINUUM).map((key) => [key, 'QNT?']));
    assert.deepEqual(first, { ...QUANT, ...unproven });
    assert.deepEqual(market.after(59, QNT), first, 'the hour is not over');
    assert.deepEqual(market.after(1, QNT), { ...QUANT, ...QUANTINUUM });
    assert.deepEqual(
      market.splits.tickers.map(({ ticker, coins }) => [ticker, coins.map((one) => one.coin)]),
      [['QNT', ['QNT', 'QNT.STOCK']]],
    );
    const [, share] = market.splits.tickers[0]?.coins ?? [];
    assert.deepEqual([share?.assetClass, share?.exchanges], ['stock', ['BTSE', 'KuCoin', 'Lighter', 'OKX']]);
    assert.ok(Math.abs((share?.priceUsd ?? 0) - 48.73) < 0.05);
    assert.equal(market.changes.length, 4);
  });

  test('the class of each is its own', () => {
    const resolver = new IdentityResolver();
    const contracts = QNT.map(([exchange, base, price, assetClass = 'crypto']) => ({
      ...{ key: `${exchange}/${base}`, exchange, base, assetClass, price },
    }));
    const classes = [...resolver.resolve(contracts).values()].map(({ assetClass }) => assetClass);
    assert.deepEqual(classes, ['crypto', 'crypto', 'crypto', 'stock', 'stock', 'stock', 'stock']);
  });

  test('QNT is the coin also where more venues list the share', () => {
    const market = new Market();
    const coins = market.after(63, [...QNT, ['WEEX', 'QNTSTOCK', 48.72, 'stock']]);
    assert.deepEqual(coins, { ...QUANT, ...QUANTINUUM, 'WEEX/QNTSTOCK': 'QNT.STOCK' });
  });

  test('GAS of BTSE is natural gas: one venue is enough where the class is another', () => {
    const market = new Market();
    const quoted: Quoted[] = [
      ['Binance', 'GAS', 2.41],
      ['Gate', 'GAS', 2.41],
      ['BTSE', 'GAS', 2.94, 'commodity'],
    ];
    assert.deepEqual(market.after(63, quoted), {
      ...{ 'Binance/GAS': 'GAS', 'Gate/GAS': 'GAS' },
      'BTSE/GAS': 'GAS.COMMODITY',
    });
  });

  test('CL is oil, because more venues list that, and Colgate is CL.STOCK', () => {
    const market = new Market();
    const quoted: Quoted[] = [
      ['Binance', 'CL', 96.15, 'commodity'],
      ['OKX', 'CL', 96.41, 'commodity'],
      ['dYdX', 'WTI', 96.12, 'commodity'],
      ['Bitget', 'CL', 84.7, 'stock'],
      ['WEEX', 'CLSTOCK', 84.8, 'stock'],
    ];
    assert.deepEqual(market.after(63, quoted), {
      ...{ 'Binance/CL': 'CL', 'OKX/CL': 'CL', 'dYdX/WTI': 'CL' },
      ...{ 'Bitget/CL': 'CL.STOCK', 'WEEX/CLSTOCK': 'CL.STOCK' },
    });
  });

  test('one class, two groups of two venues 6 % apart: the second is NEW.2', () => {
    const market = new Market();
    const quoted: Quoted[] = [
      ['A', 'NEW', 1],
      ['B', 'NEW', 1.001],
      ['C', 'NEW', 1.002],
      ['D', 'NEW', 1.07],
      ['E', 'NEW', 1.071],
    ];
    const before = market.after(60, quoted);
    assert.deepEqual(
      [...new Set(Object.values(before))],
      ['NEW'],
      'within 25 % they are one for the first hour',
    );
    assert.deepEqual(market.after(1, quoted), {
      ...{ 'A/NEW': 'NEW', 'B/NEW': 'NEW', 'C/NEW': 'NEW' },
      ...{ 'D/NEW': 'NEW.2', 'E/NEW': 'NEW.2' },
    });
  });

  test('two groups far apart: both are coins, no contract is an outlier after the hour', () => {
    const market = new Market();
    const quoted: Quoted[] = [
      ['A', 'NEIRO', 0.00039],
      ['B', 'NEIRO', 0.0004],
      ['C', 'NEIRO', 0.000395],
      ['D', 'NEIRO', 0.0187],
      ['E', '1000NEIRO', 18.7],
    ];
    assert.equal(market.after(1, quoted)['D/NEIRO'], 'NEIRO?');
    const coins = market.after(62, quoted);
    assert.deepEqual([coins['A/NEIRO'], coins['D/NEIRO']], ['NEIRO', 'NEIRO.2']);
  });

  test('a share of many venues keeps its ticker beside two without classes, and two that class it as a coin', () => {
    const shares = Array.from({ length: 8 }, (_, i): Quoted => [`S${i}`, 'MU', 371, 'stock']);
    for (const unclassed of [['A', 'B'], []]) {
      const coins = new Market().after(61, [...shares, ['A', 'MU', 395], ['B', 'MU', 395]], unclassed);
      assert.equal(coins['S0/MU'], 'MU');
      assert.equal(coins['A/MU'], unclassed.length > 0 ? 'MU.2' : 'MU.CRYPTO');
    }
  });

  test('an unclassed venue belongs to the group with its price', () => {
    const market = new Market();
    const coins = market.after(
      63,
      [...QNT, ['Pionex', 'QNT', 48.71], ['XT', 'QNT', 64.33]],
      ['Pionex', 'XT'],
    );
    assert.deepEqual([coins['Pionex/QNT'], coins['XT/QNT']], ['QNT.STOCK', 'QNT']);
  });

  test('a name that is a ticker is not given to a coin', () => {
    const market = new Market();
    const coins = market.after(63, [...QNT, ['A', 'QNT.STOCK', 7], ['B', 'QNT.STOCK', 7]]);
    assert.equal(coins['OKX/QNT'], 'QNT.2');
  });

  test('a venue that lists the share later gets its name at once', () => {
    const market = new Market();
    market.after(63, QNT);
    assert.equal(
      market.after(1, [...QNT, ['Gate', 'QNTSTOCK', 48.72, 'stock']])['Gate/QNTSTOCK'],
      'QNT.STOCK',
    );
  });
});

suite('what splits no ticker', () => {
  const steady: readonly Quoted[] = [
    ['A', 'X', 100],
    ['B', 'X', 100.1],
    ['C', 'X', 99.9],
  ];
  for (const [what, more] of [
    ['one venue 10 % off', [['D', 'X', 110]]],
    [
      'two venues 4 % off',
      [
        ['D', 'X', 104],
        ['E', 'X', 104.1],
      ],
    ],
    [
      'two contracts of one venue 10 % off',
      [
        ['D', 'X', 110],
        ['D', '1000X', 110_000],
      ],
    ],
    [
      'two venues 10 % off whose prices stand still',
      [
        ['D', 'X', 110, 'crypto', 'still'],
        ['E', 'X', 110, 'crypto', 'still'],
      ],
    ],
    [
      'prices that spread evenly over 20 %',
      [
        ['D', 'X', 104],
        ['E', 'X', 108],
        ['F', 'X', 112],
        ['G', 'X', 116],
      ],
    ],
    ['another class 1.9 % off', [['D', 'X', 101.8, 'stock']]],
  ] as [string, Quoted[]][])
    test(what, () => {
      const market = new Market();
      const coins = market.after(180, [...steady, ...more]);
      assert.deepEqual([...new Set(Object.values(coins))], ['X']);
      assert.deepEqual([market.changes, market.splits.tickers], [[], []]);
    });

  test('one venue without classes 10 % off', () => {
    const market = new Market();
    const shares = steady.map(([exchange, base, price]): Quoted => [exchange, base, price, 'stock']);
    const coins = market.after(180, [...shares, ['XT', 'X', 110]], ['XT']);
    assert.equal(coins['XT/X'], 'X');
  });

  test('two venues that are 10 % off for 50 minutes, then agree for 40, again and again', () => {
    const market = new Market();
    for (let i = 0; i < 4; i++) {
      market.after(50, [...steady, ['D', 'X', 110], ['E', 'X', 110]]);
      market.after(40, [...steady, ['D', 'X', 100], ['E', 'X', 100]]);
    }
    assert.deepEqual(market.changes, []);
  });

  test('a market that falls by a third in an hour on every venue', () => {
    const market = new Market();
    for (let i = 0; i < 60; i++)
      market.after(
        1,
        steady.map(([exchange, base, price]): Quoted => [exchange, base, (price ?? 0) * 0.993 ** i]),
      );
    assert.deepEqual(market.changes, []);
  });

  test('a gold token that some venues call a commodity, 3 % off for half an hour, stays one coin with its row', () => {
    const market = new Market();
    const gold = (commodity: number): Quoted[] => [
      ['Binance', 'GLD', 4102],
      ['OKX', 'GLD', 4101],
      ['Bitget', 'GLD', commodity, 'commodity'],
    ];
    market.after(5, gold(4100));
    assert.equal(market.after(30, gold(4230))['Bitget/GLD'], 'GLD', 'it has agreed before, so it counts');
    market.after(60, gold(4100));
    assert.deepEqual(market.changes, []);
  });
});

suite('a split that lasts and ends', () => {
  const agreeing = QNT.map(([exchange, base, , assetClass]): Quoted => [exchange, base, 64.3, assetClass]);

  test('it stays at any price between 2 % and 5 %, and when a price is missing', () => {
    const market = new Market();
    const split = market.after(63, QNT);
    const near = QNT.map(
      ([exchange, base, price, assetClass]): Quoted => [
        ...([exchange, base, price === null || price > 60 ? price : 62, assetClass] as const),
      ],
    );
    assert.deepEqual(market.after(180, near), split);
    const silent = QNT.map(([exchange, base, , assetClass]): Quoted => [exchange, base, null, assetClass]);
    assert.deepEqual(market.after(180, silent), split);
  });

  test('it ends when prices have agreed for an hour, and not before', () => {
    const market = new Market();
    const split = market.after(63, QNT);
    // Half an hour until the medians agree, then the hour.
    assert.deepEqual(market.after(85, agreeing), split);
    const joined = market.after(15, agreeing);
    assert.deepEqual([...new Set(Object.values(joined))], ['QNT']);
    assert.deepEqual(market.splits.tickers, []);
    assert.equal(market.changes.at(-1), 'Lighter/QNT: QNT.STOCK to QNT');
  });

  test('prices that cross for half an hour join nothing', () => {
    const market = new Market();
    const split = market.after(63, QNT);
    market.after(40, agreeing);
    assert.deepEqual(market.after(120, QNT), split);
    assert.equal(market.changes.length, 4);
  });

  test('a restart changes nothing, not even the hour that has begun', () => {
    const market = new Market();
    market.after(31, QNT);
    market.restart();
    market.after(29, QNT);
    assert.equal(market.changes.length, 0);
    const split = market.after(2, QNT);
    assert.deepEqual(split, { ...QUANT, ...QUANTINUUM });
    market.restart();
    assert.deepEqual(market.after(1, QNT), split);
    market.restart();
    assert.deepEqual(
      market.after(1, agreeing),
      { ...QUANT, ...QUANTINUUM },
      'prices that cross right after a start',
    );
    market.restart(3 * 24 * 60);
    assert.deepEqual(market.after(1, QNT), split);
  });

  test('the hour begins again after a pause of more than ten minutes', () => {
    const market = new Market();
    market.after(50, QNT);
    market.restart(11);
    market.after(60, QNT);
    assert.equal(market.changes.length, 0);
    market.after(3, QNT);
    assert.equal(market.changes.length, 4);
  });

  test('two processes with the same prices find the same names', () => {
    const [one, other] = [new Market(), new Market()];
    assert.deepEqual(one.after(63, QNT), other.after(63, QNT.toReversed()));
  });

  test('the clock stepping back is no hour', () => {
    const market = new Market();
    market.after(50, QNT);
    market.minute -= (2 * HOUR_MS) / MINUTE_MS;
    market.after(60, QNT);
    assert.equal(market.changes.length, 0);
  });
});
