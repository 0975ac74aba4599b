import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Faults } from '../../sim/faults.ts';
import { ManualClock } from '../../src/base/clock.ts';
import type { Metrics } from '../../src/base/metrics.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import type { VenueReport } from '../../src/venues/health.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';

const START_MS = Date.UTC(2026, 10, 14, 9, 30);
const VICTIM = 'okx';

/** Each fault is put on one venue in turn. */
const FAULTS: Record<string, Partial<Faults>> = {
  '429 with Retry-After': { rateLimitRetryAfterSeconds: 30 },
  'HTTP 500': { errorStatus: 500 },
  'HTTP 503': { errorStatus: 503 },
  'a web page instead of JSON': { html: true },
  'a truncated body': { truncated: true },
  'an empty list': { empty: true },
  'frozen data': { frozen: true },
  'zero quotes': { zeroQuotes: true },
  'crossed quotes': { crossedQuotes: true },
  'a clock ten minutes fast': { clockSkewMs: 600_000 },
  'a clock ten minutes slow': { clockSkewMs: -600_000 },
  'slow answers': { latencyMs: 300 },
  'replies that a cache has held for an hour': { cachedSeconds: 3600 },
};

/** How many venues the calendar leaves out because of their clock. */
const clockOff = async ({ venueClockOff }: Metrics) =>
  (await venueClockOff.get()).values.reduce((sum, { value }) => sum + value, 0);

suite('faults of one venue', () => {
  let running: Running;
  let clock: ManualClock;
  before(async () => {
    clock = new ManualClock(START_MS);
    running = await runService({ clock, coins: 10 });
    await collectOnce(running);
  });
  after(() => running.stop());

  const rowsBy = async (isVictim: boolean) => {
    const filter = isVictim ? 'exchange=OKX' : 'exclude_exchange=OKX';
    const rows = rowsOf(await running.get(`/api/v1/funding?limit=500&sort=exchange_asc&${filter}`));
    return rows;
  };

  for (const [name, faults] of Object.entries(FAULTS)) {
    test(`${name}: rows of other venues are unaffected, its own stay for ten minutes`, async () => {
      running.sim.setFaults(VICTIM, {});
      clock.advanceMs(120_000);
      await collectOnce(running);
      const before = { own: (await rowsBy(true)).length, others: (await rowsBy(false)).length };
      assert.ok(before.own > 8 && before.others > 35, `${before.own} and ${before.others} rows`);

      running.sim.setFaults(VICTIM, faults);
      clock.advanceMs(30_000);
      await collectOnce(running);
      const others = await rowsBy(false);
      assert.equal(others.length, before.others, 'no row of another venue is lost');
      assert.equal((await rowsBy(true)).length, before.own, 'its own rows stay at first');
      for (const row of others) {
        const quote = running.sim.view(String(row.exchange).toLowerCase());
        const contract = quote.find(String(row.venue_symbol));
        assert.ok(contract, String(row.venue_symbol));
      }
      running.sim.setFaults(VICTIM, {});
    });
  }

  test('dropped sockets of Hyperliquid do not affect other venues', async () => {
    running.sim.setFaults('hyperliquid', { droppedSockets: true });
    clock.advanceMs(30_000);
    await collectOnce(running);
    const rows = rowsOf(await running.get('/api/v1/funding?limit=500&exclude_exchange=Hyperliquid'));
    assert.ok(rows.length > 35);
    running.sim.setFaults('hyperliquid', {});
  });

  test('a venue that fails for more than ten minutes loses its rows, and only its own', async () => {
    clock.advanceMs(120_000);
    await collectOnce(running);
    const before = (await rowsBy(false)).length;
    running.sim.setFaults(VICTIM, { errorStatus: 500 });
    for (let minute = 0; minute < 11; minute++) {
      clock.advanceMs(60_000);
      await collectOnce(running);
    }
    assert.equal((await rowsBy(true)).length, 0);
    assert.equal((await rowsBy(false)).length, before);
    const health = running.service.collectors.find((collector) => collector.venue.slug === VICTIM)?.health();
    assert.ok(health?.sources.some((source) => source.failuresInARow >= 10));
    assert.match(health?.sources[0]?.lastFailure ?? '', /HTTP 500/);
  });

  for (const [name, slug, exchange] of [
    ['with times (OKX)', 'okx', 'OKX'],
    ['without times (Hyperliquid)', 'hyperliquid', 'Hyperliquid'],
  ] as const)
    test(`replies ${name} that a cache has held for an hour are an hour old: the rows expire`, async () => {
      const rows = async () =>
        rowsOf(await running.get(`/api/v1/funding?limit=500&exchange=${exchange}`)).length;
      running.sim.setFaults(slug, {});
      clock.advanceMs(120_000);
      await collectOnce(running);
      assert.ok((await rows()) > 8);
      running.sim.setFaults(slug, { cachedSeconds: 3600 });
      for (let minute = 0; minute < 11; minute++) {
        clock.advanceMs(60_000);
        await collectOnce(running);
      }
      assert.equal(await rows(), 0);
      running.sim.setFaults(slug, {});
    });

  test('frozen data expires too, although the venue keeps answering', async () => {
    running.sim.setFaults(VICTIM, {});
    clock.advanceMs(120_000);
    await collectOnce(running);
    assert.ok((await rowsBy(true)).length > 8);
    running.sim.setFaults(VICTIM, { frozen: true });
    for (let minute = 0; minute < 12; minute++) {
      clock.advanceMs(60_000);
      await collectOnce(running);
    }
    assert.equal((await rowsBy(true)).length, 0);
    running.sim.setFaults(VICTIM, {});
  });
});

suite('Gate and BloFin', () => {
  let running: Running;
  const clock = new ManualClock(START_MS - HOUR_MS);
  before(async () => {
    running = await runService({ clock, venues: ['gate', 'blofin'] });
  });
  after(() => running.stop());

  test('Gate sends percents: a rate beyond the limit of its own contract is quarantined, the last good one stays', async () => {
    await collectOnce(running);
    const rates = async () =>
      new Map(
        rowsOf(await running.get('/api/v1/funding?limit=500&exchange=Gate')).map((row) => [
          String(row.venue_symbol),
          Number(row.rate_pct),
        ]),
      );
    const before = await rates();
    running.sim.setFaults('gate', { ratesInPercent: true });
    clock.advanceMs(20_000);
    await collectOnce(running);
    const after = await rates();
    assert.equal(after.size, before.size);
    const view = running.sim.view('gate');
    let kept = 0;
    for (const [symbol, ratePct] of after) {
      const contract = view.find(symbol);
      assert.ok(contract, symbol);
      const limitPct = contract.rateCap * 100;
      assert.ok(Math.abs(ratePct) <= limitPct, `${symbol}: ${ratePct} %`);
      if (Math.abs(view.quote(contract).rateE8) / 1e6 <= limitPct) continue;
      assert.equal(ratePct, before.get(symbol), symbol);
      kept++;
    }
    assert.ok(after.has('BTC_USDT') && kept > 2, `${kept} rates beyond their limit`);
    const { quarantined } = running.service
      .health()
      .find(({ exchange }) => exchange === 'Gate') as VenueReport;
    const beyondVenue = quarantined['rate above the cap of the venue'] ?? 0;
    assert.equal((quarantined['rate above the cap of the contract'] ?? 0) + beyondVenue, kept);
    assert.ok(beyondVenue < kept);
    running.sim.setFaults('gate', {});
  });

  for (const [name, slug, skewMs] of [
    ['behind', 'gate', -DAY_MS],
    ['ahead', 'blofin', DAY_MS],
  ] as const)
    test(`a clock a day ${name}: the list of that day makes no listings and no delistings`, async () => {
      const { listings, metrics } = running.service;
      const read = async () => {
        for (let i = 0; i < 3; i++) {
          clock.advanceMs(70_000);
          await collectOnce(running);
          clock.advanceMs(30_000);
          await listings.publish(clock.nowMs());
        }
        return rowsOf(await running.get('/api/v1/listings?limit=500'));
      };
      const before = await read();
      running.sim.setFaults(slug, { clockSkewMs: skewMs });
      assert.deepEqual(await read(), before);
      assert.equal(await clockOff(metrics), 1);
      running.sim.setFaults(slug, {});
      assert.deepEqual(await read(), before, 'nor when the clock is right again');
      assert.equal(await clockOff(metrics), 0);
    });
});
