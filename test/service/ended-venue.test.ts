import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { hasSpoken } from '../../src/venues/health.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { tablesOf } from '../web/page-text.ts';
import { fetchPrints } from './auditing.ts';

/** CoinEx closed its futures at this time. */
const ENDED_MS = Date.UTC(2026, 8, 22, 3, 18);

suite('a venue that ends while the service runs', () => {
  let running: Running;
  let clock: ManualClock;
  before(async () => {
    clock = new ManualClock(ENDED_MS - HOUR_MS);
    running = await runService({ clock, venues: ['binance', 'bybit', 'coinex'], coins: 20 });
    await collectOnce(running);
    await fetchPrints(running);
    await running.service.listings.publish(clock.nowMs());
  });
  after(() => running.stop());

  const fundingRows = async (exchange: string) =>
    rowsOf(await running.get(`/api/v1/funding?limit=500&exchange=${exchange}`));
  const collector = () => {
    const found = running.service.collectors.find(({ venue }) => venue.slug === 'coinex');
    assert.ok(found);
    return found;
  };

  test('before its end it has rows like the others', async () => {
    assert.ok((await fundingRows('CoinEx')).length > 10);
    assert.ok((running.sim.requests.get('coinex') ?? 0) > 0);
  });

  test('after its end it is not called, its rows leave, and those of others stay', async () => {
    const others = (await fundingRows('Binance')).length;
    clock.advanceMs(ENDED_MS + MINUTE_MS - clock.nowMs());
    const requests = running.sim.requests.get('coinex');
    for (let minute = 0; minute < 12; minute++) {
      clock.advanceMs(MINUTE_MS);
      await collectOnce(running);
    }
    assert.equal(running.sim.requests.get('coinex'), requests);
    assert.deepEqual(await fundingRows('CoinEx'), []);
    assert.equal((await fundingRows('Binance')).length, others);
    assert.equal(collector().health().hasEnded, true);
    assert.ok(hasSpoken(collector().health()), 'nobody waits for it');
  });

  test('its depth and history are refused without a call', async () => {
    const requests = running.sim.requests.get('coinex');
    const send = collector().caller.sender(0);
    await assert.rejects(send({ path: '/v2/futures/depth' }), /CoinEx has ended and is not called/);
    assert.equal(running.sim.requests.get('coinex'), requests);
  });

  test('each of its contracts is delisted as of the end', async () => {
    await running.service.listings.publish(clock.nowMs());
    await running.service.publisher.publish(clock.nowMs());
    const path = '/api/v1/listings?exchange=CoinEx&kind=delisting&limit=500&from=2026-09-20&to=2026-09-30';
    const rows = rowsOf(await running.get(path));
    assert.equal(rows.length, collector().contracts.size);
    for (const row of rows)
      assert.deepEqual(
        [row.effective_at, row.kind],
        ['2026-09-22T03:18:00Z', 'delisting'],
        String(row.symbol),
      );
  });

  test('/status says that it has ended and counts only the others', async () => {
    const status = await (await fetch(`${running.service.baseUrl}/status`)).text();
    const row = (tablesOf(status)[0] ?? []).find(([name]) => name === 'CoinEx');
    assert.equal(row?.[1], 'ended');
    assert.match(status, /All 2 venues are giving data/);
  });

  test('/exchanges keeps it, with trading_enabled false and no instruments', async () => {
    const rows = rowsOf(await running.get('/api/v1/exchanges'));
    const coinex = rows.find((row) => row.exchange === 'CoinEx');
    assert.deepEqual([coinex?.trading_enabled, coinex?.tracked_instruments], [false, 0]);
  });

  test('/funding/history keeps its prints up to the end, and none after it', async () => {
    const path = '/api/v1/funding/history?coin=BTC&exchange=CoinEx&resolution=settlement&from=2026-09-20';
    const reply = await running.get(path);
    const { data } = reply.body as { data: { series: { settlements: { time: string }[] }[] } };
    const times = data.series.flatMap(({ settlements }) => settlements.map(({ time }) => Date.parse(time)));
    assert.ok(times.length > 0, reply.text);
    assert.ok(Math.max(...times) <= ENDED_MS);
  });
});

suite('a service that starts after a venue has ended', () => {
  test('calls nobody, waits for nobody, and delists the contracts that were known', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-ended-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const venues = ['binance', 'coinex'];
    const earlier = await runService({
      clock: new ManualClock(ENDED_MS - HOUR_MS),
      venues,
      coins: 10,
      dataDir,
    });
    await collectOnce(earlier);
    await earlier.service.listings.publish(earlier.clock.nowMs());
    const known = earlier.service.collectors.find(({ venue }) => venue.slug === 'coinex')?.contracts.size;
    await earlier.stop();

    const later = await runService({
      clock: new ManualClock(ENDED_MS + 30 * DAY_MS),
      venues,
      coins: 10,
      dataDir,
    });
    t.after(() => later.stop());
    await collectOnce(later);
    await later.service.listings.publish(later.clock.nowMs());
    await later.service.publisher.publish(later.clock.nowMs());
    assert.equal(later.sim.requests.get('coinex') ?? 0, 0);
    await later.service.audit.refresh();
    assert.deepEqual(
      later.service.audit.report()?.venues.map(({ exchange }) => exchange),
      ['Binance'],
    );
    const path = '/api/v1/listings?exchange=CoinEx&kind=delisting&limit=500&from=2026-09-20&to=2026-09-30';
    const delisted = rowsOf(await later.get(path));
    assert.equal(delisted.length, known);
    for (const row of delisted) assert.equal(row.effective_at, '2026-09-22T03:18:00Z', String(row.symbol));
  });
});
