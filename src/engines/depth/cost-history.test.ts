import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createLog, type Log } from '../../base/log.ts';
import { MINUTE_MS } from '../../base/times.ts';
import { costPctAt, sizePlace } from '../../history/depth/cost-codec.ts';
import { DepthCostStore } from '../../history/depth/store.ts';
import { SampleStore } from '../../history/samples/store.ts';
import { curveOf } from '../../market/depth/book-curve.ts';
import type { FrozenContract, FrozenMarket } from '../../market/freeze.ts';
import { ALWAYS_HELD } from '../../storage/engine-lease.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { CostHistory } from './cost-history.ts';

const log = createLog('silent');
const DAY = 1440;
/** A midnight. */
const TODAY = Math.floor(Date.UTC(2026, 10, 18) / MINUTE_MS);

const BTC = {
  ...{ key: 'A/BTC', exchange: 'A', venueSymbol: 'BTC', coin: 'BTC', quote: 'USDT', isInverse: false },
} as FrozenContract;
const PEPE = { ...BTC, key: 'B/PEPE', exchange: 'B', venueSymbol: 'PEPE', coin: 'PEPE', quote: 'USDC' };

/** Asks are `halfPct` above a mid of 100, bids as far below; each side holds 30,000 in quote units. */
function market(minute: number, halfPct: number, bookAgeMs = 0): FrozenMarket {
  const asOfMs = minute * MINUTE_MS + 4000;
  const [bid, ask] = [100 - halfPct, 100 + halfPct];
  const curve = curveOf({ bids: [[bid, 30_000 / bid]], asks: [[ask, 30_000 / ask]] });
  assert.ok(curve);
  const dated = { curve, atMs: asOfMs - bookAgeMs, periodMs: MINUTE_MS };
  const curves = new Map([BTC, PEPE].map(({ key }) => [key, dated]));
  return { asOfMs, states: [], identities: new Map(), contracts: [BTC, PEPE], curves };
}

suite('costs over time', () => {
  let storage: Storage;
  let samples: SampleStore;
  let store: DepthCostStore;
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-costs-'));
  before(async () => {
    storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'data.sqlite'), log });
    samples = new SampleStore(storage);
    await samples.open();
    store = new DepthCostStore(storage);
  });
  after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const made = (given: { storage?: Storage; log?: Log } = {}) =>
    new CostHistory({ storage, samples, days: 90, engineLease: ALWAYS_HELD, log, ...given });
  const rates = new Map([['USDC', 0.5]]);
  const costsOf = async (contract: FrozenContract, sizeUsd: number, from = 0, to = 2 * TODAY) =>
    (await store.series(contract, from, to)).map(({ minute, costsPct }) => ({
      minute: minute - TODAY,
      // A stored cost is up to 1 % off.
      pct: Math.round(costPctAt(costsPct, sizePlace(sizeUsd), true)),
    }));

  test('are stored once in five minutes, and read by contract', async () => {
    const history = made();
    for (const minute of [0, 1, 4, 5, 9, 11])
      await history.observe(market(TODAY + minute, 1 + minute), rates);
    assert.deepEqual(await costsOf(BTC, 20_000), [
      { minute: 0, pct: 1 },
      { minute: 5, pct: 6 },
      { minute: 11, pct: 12 },
    ]);
    assert.deepEqual(await costsOf(BTC, 20_000, TODAY + 1, TODAY + 5), [{ minute: 5, pct: 6 }]);
    // One USDC is half a USDT here, so 30,000 of them fill 15,000 USD.
    assert.equal((await costsOf(PEPE, 5_000))[0]?.pct, 1);
    assert.ok(Number.isNaN((await costsOf(PEPE, 20_000))[0]?.pct));
  });

  test('the figures of the last day are read in the minute after the first sample', async () => {
    const history = made();
    await history.observe(market(TODAY + 15, 3), rates);
    assert.equal(history.dayOf(BTC), undefined);
    await history.observe(market(TODAY + 16, 3), rates);
    // 1, 6, 12 and 3 percent.
    assert.equal(Math.round(history.dayOf(BTC)?.medianPct[3] ?? 0), 3);
    assert.equal(Math.round(history.dayOf(BTC)?.worstPct[3] ?? 0), 12);
    assert.ok(Number.isNaN(history.dayOf(PEPE)?.medianPct[3]), 'never filled');
    const [btc, pepe] = [history.dayOf(BTC), history.dayOf(PEPE)];
    // From then on one venue a minute.
    await history.observe(market(TODAY + 20, 3), rates);
    await history.observe(market(TODAY + 21, 3), rates);
    assert.notEqual(history.dayOf(BTC), btc);
    assert.equal(history.dayOf(PEPE), pepe);
    await history.observe(market(TODAY + 22, 3), rates);
    assert.notEqual(history.dayOf(PEPE), pepe);
  });

  test('what is stored stays: a restarted process does not replace it', async () => {
    await made().observe(market(TODAY + 11, 50), rates);
    assert.equal((await costsOf(BTC, 20_000)).at(-1)?.pct, 12);
  });

  test('an old book is in no sample', async () => {
    await made().observe(market(TODAY + 20, 1, 6 * MINUTE_MS + 1), rates);
    assert.equal((await costsOf(BTC, 20_000)).at(-1)?.minute, 11);
  });

  test('a fault of the database is logged and tried again in the next minute', async () => {
    const errors: unknown[] = [];
    let isBroken = true;
    const history = made({
      storage: {
        ...storage,
        get db() {
          return isBroken ? storage.db.withSchema('nowhere') : storage.db;
        },
      },
      log: { ...log, error: (given: unknown) => errors.push(given) } as unknown as Log,
    });
    await history.observe(market(TODAY + 30, 1), rates);
    await history.observe(market(TODAY + 31, 1), rates);
    assert.equal(errors.length, 2);
    isBroken = false;
    for (const minute of [32, 33]) await history.observe(market(TODAY + minute, 2), rates);
    assert.deepEqual((await costsOf(BTC, 20_000)).at(-1), { minute: 32, pct: 2 });
    assert.equal(errors.length, 2);
  });

  test('a clock that was ahead: its costs are deleted, those of before are not', async () => {
    const history = made();
    await history.observe(market(TODAY + 40, 1), rates);
    const aYear = 365 * DAY;
    for (const minute of [0, 5, 10]) await history.observe(market(TODAY + aYear + minute, 7), rates);
    assert.equal((await costsOf(BTC, 20_000)).at(-1)?.minute, aYear + 10);
    await history.observe(market(TODAY + 45, 3), rates);
    assert.deepEqual((await costsOf(BTC, 20_000)).slice(-2), [
      { minute: 40, pct: 1 },
      { minute: 45, pct: 3 },
    ]);
    assert.equal((await costsOf(BTC, 20_000))[0]?.minute, 0);
  });

  test('are deleted after DEPTH_DAYS, an hour after a start and once a day', async () => {
    const history = made();
    const minutes = async () => (await costsOf(BTC, 20_000)).map(({ minute }) => minute);
    for (let i = 0; i < 12; i++) await history.observe(market(TODAY + 90 * DAY - 55 + 5 * i, 1), rates);
    assert.equal((await minutes())[0], 0);
    await history.observe(market(TODAY + 90 * DAY + 5, 1), rates);
    assert.deepEqual((await minutes()).slice(0, 2), [5, 11]);
  });
});
