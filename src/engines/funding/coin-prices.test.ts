import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createLog } from '../../base/log.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { CoinPriceStore } from '../../history/prices/store.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import { ALWAYS_HELD } from '../../storage/engine-lease.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { CoinPrices, coinPrice, pricedContracts } from './coin-prices.ts';

const log = createLog('silent');
const DAY = 1440;
/** A midnight. */
const TODAY = Math.floor(Date.UTC(2026, 10, 18) / MINUTE_MS);

const contract = (changes: Partial<FrozenContract>): FrozenContract =>
  ({
    ...{ coin: 'BTC', exchange: 'A', venueSymbol: 'BTCUSDT', multiplier: 1, isInverse: false },
    ...{ isPriceOutlier: false, markPrice: 100, volume24hUsdt: 1000 },
    ...changes,
  }) as FrozenContract;
const market = (minute: number, contracts: FrozenContract[]): FrozenMarket =>
  ({ asOfMs: minute * MINUTE_MS + 4000, contracts }) as unknown as FrozenMarket;

suite('which contract has the price of a coin', () => {
  test('the most traded linear one that has a mark price and is no outlier', () => {
    const chosen = contract({ exchange: 'B', volume24hUsdt: 0 });
    const others = [
      contract({ isInverse: true }),
      contract({ isPriceOutlier: true }),
      contract({ markPrice: null }),
    ];
    assert.deepEqual(pricedContracts({ contracts: [...others, chosen] }), [chosen]);
    const larger = contract({ exchange: 'C', volume24hUsdt: 5 });
    assert.deepEqual(pricedContracts({ contracts: [chosen, larger] }), [larger]);
  });

  test('the price is of one unit of the coin', () => {
    const pepe = contract({ coin: 'PEPE', venueSymbol: '1000PEPEUSDT', multiplier: 1000 });
    assert.equal(coinPrice(pepe, 0.0125).price, 0.0000125);
  });
});

suite('prices of coins', () => {
  let storage: Storage;
  let store: CoinPriceStore;
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-prices-'));
  before(async () => {
    storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'data.sqlite'), log });
    store = new CoinPriceStore(storage);
  });
  after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const made = () => new CoinPrices({ storage, engineLease: ALWAYS_HELD, log });
  const btc = (price: number, exchange = 'A') => ({ coin: 'BTC', exchange, venueSymbol: 'BTCUSDT', price });

  test('the price of 24 hours ago is that of the same contract, also when another one is traded more now', async () => {
    const prices = made();
    await prices.observe(market(TODAY - DAY + 3, [contract({ markPrice: 90 })]));
    assert.equal(prices.dayAgoOf({ exchange: 'A', venueSymbol: 'BTCUSDT' }), null, 'nothing is that old');
    // Once in ten minutes.
    await prices.observe(market(TODAY - DAY + 9, [contract({ markPrice: 95 })]));
    const larger = contract({ exchange: 'B', volume24hUsdt: 9000, markPrice: 101 });
    await prices.observe(market(TODAY, [contract({}), larger]));
    assert.equal(prices.dayAgoOf({ exchange: 'A', venueSymbol: 'BTCUSDT' }), 90);
    assert.equal(prices.dayAgoOf({ exchange: 'B', venueSymbol: 'BTCUSDT' }), null);
    assert.deepEqual(await store.newest(TODAY, TODAY + 9), [btc(101, 'B')]);
  });

  test('after a pause an earlier price is used for half an hour', async () => {
    const prices = made();
    await prices.observe(market(TODAY + 30, [contract({})]));
    assert.equal(prices.dayAgoOf({ exchange: 'A', venueSymbol: 'BTCUSDT' }), 90);
    await prices.observe(market(TODAY + 40, [contract({})]));
    assert.equal(prices.dayAgoOf({ exchange: 'A', venueSymbol: 'BTCUSDT' }), null);
  });

  test('a chart has a point every four hours, of more than 31 days every day, and the newest one', async () => {
    for (const [minute, price] of [
      [TODAY - 40 * DAY, 1],
      [TODAY - 40 * DAY + 240, 2],
      [TODAY - 2 * DAY - 240, 3],
      [TODAY - 2 * DAY - 10, 4],
      [TODAY - 2 * DAY, 5],
    ] as const)
      await store.save(minute, [btc(price)], null);
    const values = async (days: number) =>
      (await store.series('BTC', TODAY + 33 - days * DAY, TODAY + 33)).map(({ price }) => price);
    assert.deepEqual(await values(7), [3, 5, 90, 101, 100]);
    assert.deepEqual(await values(90), [1, 5, 90, 101, 100]);
    assert.deepEqual(await store.series('ETH', TODAY - DAY, TODAY), []);
  });

  test('old prices are thinned, and those of a clock that ran ahead are deleted', async () => {
    await store.save(TODAY - 401 * DAY, [btc(6)], null);
    await store.save(TODAY + 5 * DAY, [btc(7)], null);
    await store.prune(TODAY + 60, null);
    const stored = await storage.db.selectFrom('coin_prices').select('price').orderBy('minute').execute();
    assert.deepEqual(
      stored.map(({ price }) => price),
      [1, 3, 5, 90, 101, 100, 100],
    );
  });
});
