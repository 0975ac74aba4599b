import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

suite('figures that visitors choose on pages', () => {
  let running: Running;
  before(async () => {
    running = await runService({
      venues: ['binance', 'bybit', 'okx'],
      coins: 5,
      clock: new ManualClock(Date.now()),
    });
    await collectOnce(running);
    (running.clock as ManualClock).advanceMs(16 * 60_000);
    await collectOnce(running);
  });
  after(() => running.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${running.service.baseUrl}${path}`, { redirect: 'manual', headers });
  const movedTo = async (path: string) => (await get(path)).headers.get('location');

  for (const [typed, step] of [
    ['7300', '10000'],
    ['6900', '5000'],
    ['123', '100'],
    ['20k', '20000'],
    ['80000', '75000'],
    ['1e9', '250000'],
  ])
    test(`a size of ${typed} is shown as ${step}, on every list`, async () => {
      for (const path of ['/arbitrage', '/spreads'])
        assert.equal(await movedTo(`${path}?size_usd=${typed}`), `${path}?size_usd=${step}`);
      assert.equal(
        await movedTo(`/depth/BTC/Binance?size_usd=${typed}`),
        step === '20000' ? '/depth/BTC/Binance' : `/depth/BTC/Binance?size_usd=${step}`,
      );
    });

  test('CSV and Markdown of a size are those of its step, the same tag for both addresses', async () => {
    for (const file of ['/arbitrage.csv', '/arbitrage.md', '/spreads.csv', '/spreads.md']) {
      const [typed, step] = [await get(`${file}?size_usd=7300`), await get(`${file}?size_usd=10000`)];
      assert.equal(typed.status, 200, file);
      assert.equal(typed.headers.get('etag'), step.headers.get('etag'), file);
    }
  });

  test('fees of the address and of the cookie are in steps of 0.005', async () => {
    assert.equal(
      await movedTo('/arbitrage?fees=Binance:0.0432,OKX:0.02'),
      '/arbitrage?fees=Binance%3A0.045,OKX%3A0.02',
    );
    assert.equal(await movedTo('/arbitrage?tier=own&fee_Binance=0.0171'), '/arbitrage?fees=Binance%3A0.015');
    const shown = async (fees: string) =>
      (await get('/arbitrage', { cookie: `pw_fees=${encodeURIComponent(fees)}` })).headers.get('etag');
    assert.equal(await shown('Binance:0.0432'), await shown('Binance:0.045'));
    assert.notEqual(await shown('Binance:0.0432'), await shown('Binance:0.02'));
  });

  test('the API takes every size and fee', async () => {
    const { body } = await running.get('/api/v1/arbitrage?size_usd=7300&fees=Binance:0.0432&limit=1');
    const { url } = (body as { meta: { url: string } }).meta;
    assert.match(
      decodeURIComponent(url),
      /fees=Binance:0\.0432.*size_usd=7300|size_usd=7300.*fees=Binance:0\.0432/,
    );
  });

  test('an address that does not exist has one page for all, which returns to the start page', async () => {
    const html = { accept: 'text/html' };
    const [one, other] = await Promise.all(
      ['/no-such-page', `/${'long/'.repeat(400)}?q=1`].map(async (path) => await get(path, html)),
    );
    assert.deepEqual([one?.status, other?.status], [404, 404]);
    assert.equal(await one?.text(), await other?.text());
  });
});
