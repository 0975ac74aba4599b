import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { createLog } from '../src/base/log.ts';
import { createMetrics } from '../src/base/metrics.ts';
import { MINUTE_MS } from '../src/base/times.ts';
import { CoinSplits } from '../src/market/coins/splits.ts';
import { Freezer, type FrozenContract } from '../src/market/freeze.ts';
import { LatestMarket } from '../src/market/latest.ts';
import { VENUES } from '../src/venues/registry.ts';
import { observeSim } from '../test/support/observe.ts';
import { Universe } from './contracts.ts';
import { NAMESAKES } from './namesakes.ts';
import { SIM_VENUES } from './venues/registry.ts';
import { viewAt } from './view.ts';

const AT_MS = Date.UTC(2026, 8, 10, 9, 30);
const universe = new Universe(1, 2, NAMESAKES);
const listed = VENUES.filter(({ slug }) => NAMESAKES.some(({ bases }) => slug in bases));

/** The log of the market. */
const lines: string[] = [];

/** What is made of the replies of the venues, minute by minute. */
async function rowsOfMinutes(minutes: number): Promise<(readonly FrozenContract[])[]> {
  const metrics = createMetrics();
  const market = new LatestMarket(metrics, createLog('silent'));
  const log = createLog('info', { write: (line) => lines.push(line) });
  const freezer = new Freezer(market, metrics, log, () => new Map(), new CoinSplits());
  const rows: (readonly FrozenContract[])[] = [];
  for (let minute = 0; minute <= minutes; minute++) {
    const atMs = AT_MS + minute * MINUTE_MS;
    for (const venue of listed) {
      const sim = SIM_VENUES.find(({ profile }) => profile.slug === venue.slug);
      assert.ok(sim);
      const { batch, contracts } = await observeSim(venue, sim, viewAt(universe, sim.profile, atMs));
      const contractList = { part: 'all', contracts: [...contracts.values()] };
      market.accept(venue, { ...batch, contractList }, atMs, contracts);
    }
    rows.push(freezer.freeze(atMs).contracts);
  }
  return rows;
}

const named = (rows: readonly FrozenContract[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ coin }) => coin)).map(([coin, of = []]) => [
      coin,
      of
        .map(
          ({ exchange, symbol, isPriceOutlier }) =>
            `${exchange} ${symbol.split('-')[0]}${isPriceOutlier ? '?' : ''}`,
        )
        .sort(),
    ]),
  );

suite('names that several things share, and things with several names, from the replies of venues', () => {
  let first: readonly FrozenContract[] = [];
  let later: readonly FrozenContract[] = [];
  before(async () => {
    const rows = await rowsOfMinutes(61);
    first = rows[0] ?? [];
    later = rows.at(-1) ?? [];
  });

  for (const [coin, contracts] of [
    ['QNT', ['Binance QNT', 'Bybit QNT', 'Gate QNT', 'KuCoin QNT']],
    ['QNT.STOCK', ['BTSE QNT', 'KuCoin QNTX', 'Lighter QNT', 'OKX QNT', 'WEEX QNTSTOCK', 'XT QNT']],
    ['GAS', ['Binance GAS', 'Gate GAS', 'OKX GAS']],
    ['GAS.COMMODITY', ['BTSE GAS']],
    ['CL', ['Binance CL', 'BingX NCCO1OILWTI2USD', 'OKX CL', 'XT USOIL', 'dYdX WTI']],
    ['CL.STOCK', ['Lighter CL', 'WEEX CLSTOCK']],
    ['NEIRO', ['Binance NEIRO', 'BingX NEIROCTO', 'Bybit 1000NEIROCTO']],
    ['GRAM', ['Binance GRAM', 'WEEX TON', 'XT TON']],
    ['CAT', ['Binance 1000CAT', 'Bybit 1000CAT', 'Gate CAT']],
    ['CAT.STOCK', ['OKX CAT', 'WEEX CATSTOCK']],
    ['AAPL', ['Binance AAPL', 'BingX NCSKAAPL2USD', 'Kraken AAPLx', 'OKX AAPL', 'Pionex AAPLX']],
    ['US500', ['BingX NCSISP5002USD', 'Gate SPX500', 'OKX US500']],
    ['EURUSD', ['BingX NCFXEUR2USD', 'Kraken EUR', 'Lighter EURUSD']],
  ] as const)
    test(`after an hour, ${coin} is ${contracts.join(', ')}`, () =>
      assert.deepEqual(named(later)[coin], contracts));

  test('nothing else has a coin of its own', () => {
    const coins = new Set(later.map(({ coin }) => coin));
    for (const coin of ['QNTX', 'QNTSTOCK', 'WTI', 'NEIROCTO', 'TON', 'CATSTOCK', 'AAPLX', 'SPX500', 'EUR'])
      assert.ok(!coins.has(coin), coin);
  });

  test('in the first hour a share or a fuel under a coin’s ticker is an outlier, and the coin is not', () => {
    const outliers = (ticker: string) => named(first)[ticker]?.filter((name) => name.endsWith('?'));
    assert.deepEqual(outliers('QNT'), [
      'BTSE QNT?',
      'KuCoin QNTX?',
      'Lighter QNT?',
      'OKX QNT?',
      'WEEX QNTSTOCK?',
    ]);
    assert.deepEqual(outliers('GAS'), ['BTSE GAS?']);
    assert.deepEqual(outliers('CL'), ['Lighter CL?', 'WEEX CLSTOCK?']);
    assert.deepEqual(outliers('CAT'), ['OKX CAT?', 'WEEX CATSTOCK?']);
  });

  test('the log has a line for each coin that a ticker is split into', () => {
    const splits = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /two prices/.test(msg));
    assert.deepEqual(splits.map(({ coin }) => coin).sort(), [
      ...['CAT.STOCK', 'CL.STOCK', 'GAS.COMMODITY', 'QNT.STOCK'],
    ]);
    assert.deepEqual(splits.find(({ coin }) => coin === 'CL.STOCK')?.contracts.sort(), [
      ...['Lighter/CL', 'WEEX/CLSTOCKUSDT'],
    ]);
  });

  test('each coin has the class of its own venues', () => {
    const classOf = (coin: string) => [
      ...new Set(later.filter((row) => row.coin === coin).map(({ assetClass }) => assetClass)),
    ];
    assert.deepEqual(
      ['QNT', 'QNT.STOCK', 'GAS', 'GAS.COMMODITY', 'CL', 'CL.STOCK', 'AAPL', 'US500', 'EURUSD'].map(classOf),
      [
        ['crypto'],
        ['stock'],
        ['crypto'],
        ['commodity'],
        ['commodity'],
        ['stock'],
        ['stock'],
        ['index'],
        ['forex'],
      ],
    );
  });
});
