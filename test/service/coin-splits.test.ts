import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { markdownTables, tablesOf } from '../web/page-text.ts';

suite('one ticker, two coins: Quant and Quantinuum, from the venues’ replies to the answers', () => {
  const clock = new ManualClock(Date.UTC(2026, 8, 10, 9, 30));
  const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-splits-'));
  let running: Running;
  const start = () =>
    runService({
      ...{ clock, dataDir, coins: 2, hasNamesakes: true },
      venues: ['binance', 'bybit', 'okx', 'btse', 'weex'],
    });
  before(async () => {
    running = await start();
    await collectOnce(running);
  });
  after(async () => {
    await running.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const coinRows = async (coin: string) => rowsOf(await running.get(`/api/v1/funding?coin=${coin}&limit=50`));
  const names = (rows: Record<string, unknown>[]) =>
    rows.map((row) => `${row.exchange} ${row.symbol}`).sort();
  const spreadPairs = async (coin: string) =>
    rowsOf(await running.get(`/api/v1/spreads?coin=${coin}`))
      .map((row) => `${row.exchange_a} ${row.exchange_b}`)
      .sort();
  const minutes = async (count: number) => {
    for (let i = 0; i < count; i++) {
      clock.advanceMs(MINUTE_MS);
      await collectOnce(running);
    }
  };

  test('at first the shares are outliers of QNT: they form no spread and count for nothing', async () => {
    const rows = await coinRows('QNT');
    assert.deepEqual(names(rows.filter((row) => row.price_outlier === true)), [
      'BTSE QNT-USDT',
      'OKX QNT-USDT',
      'WEEX QNTSTOCK-USDT',
    ]);
    assert.deepEqual(await spreadPairs('QNT'), ['Binance Bybit']);
    assert.equal((await running.get('/api/v1/funding/QNT.STOCK')).status, 404);
    assert.equal(tablesOf((await running.get('/status')).text).length, 1);
  });

  test('after an hour they are the coin QNT.STOCK, with spreads and a class of its own', async () => {
    await minutes(61);
    assert.deepEqual(names(await coinRows('QNT')), ['Binance QNT-USDT', 'Bybit QNT-USDT']);
    const shares = await coinRows('QNT.STOCK');
    assert.deepEqual(names(shares), ['BTSE QNT-USDT', 'OKX QNT-USDT', 'WEEX QNTSTOCK-USDT']);
    for (const row of shares)
      assert.deepEqual([row.asset_class, row.price_outlier], ['stock', false], String(row.exchange));
    assert.deepEqual(await spreadPairs('QNT'), ['Binance Bybit']);
    assert.deepEqual(await spreadPairs('QNT.STOCK'), ['BTSE OKX', 'BTSE WEEX', 'OKX WEEX']);
    const [coin] = rowsOf(await running.get('/api/v1/coins?q=QNT.STOCK'));
    assert.deepEqual([coin?.coin, coin?.venue_count], ['QNT.STOCK', 3]);
    assert.equal((await running.get('/api/v1/funding/qnt.stock')).status, 200);
  });

  test('GAS of BTSE and CL of WEEX are coins of their own too', async () => {
    assert.deepEqual(names(await coinRows('GAS.COMMODITY')), ['BTSE GAS-USDT']);
    assert.deepEqual(names(await coinRows('CL')), ['Binance CL-USDT', 'OKX CL-USDT']);
  });

  test('the name of a venue finds the coin', async () => {
    const reply = await running.get('/api/v1/funding/QNTSTOCK');
    assert.equal(reply.status, 404);
    assert.deepEqual((reply.body as { suggestions: string[] }).suggestions[0], 'QNT.STOCK');
  });

  test('/status and its Markdown name the ticker, the coins, their prices and venues', async () => {
    const [, table = []] = tablesOf((await running.get('/status')).text);
    const row = table.find(([coin]) => coin === 'QNT.STOCK') ?? [];
    assert.deepEqual([row[1], row[2], row[4]], ['QNT', 'stock', 'BTSE, OKX, WEEX']);
    assert.ok(Math.abs(Number(row[3]) / 48.73 - 1) < 0.02, String(row[3]));
    const [, twin = []] = markdownTables((await running.get('/status.md')).text);
    assert.equal(twin.find(({ coin }) => coin === 'QNT')?.venues, 'Binance, Bybit');
  });

  test('its page and the Markdown of it are there, for visitors 15 minutes later', async () => {
    await minutes(16);
    for (const path of ['/funding/QNT.STOCK', '/funding/QNT.STOCK.md'])
      assert.equal((await running.get(path)).status, 200, path);
  });

  test('after a restart the first answer has the same coins', async () => {
    const before = names(await coinRows('QNT.STOCK'));
    await running.stop();
    running = await start();
    await collectOnce(running);
    assert.deepEqual(names(await coinRows('QNT.STOCK')), before);
    assert.deepEqual(await spreadPairs('QNT'), ['Binance Bybit']);
  });
});
