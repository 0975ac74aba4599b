import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/base/times.ts';
import { FAULT_WORDS } from '../../src/engines/audit/faults.ts';
import { minuteOf } from '../../src/history/samples/model.ts';
import { storeMarket } from '../backtest/stored-market.ts';
import { collectOnce, type Running, rowsOf, runService } from '../support/service.ts';
import { throughHour, venueOf } from './auditing.ts';

const START_MS = Date.UTC(2026, 10, 13, 7, 30);
const VENUES = { binance: 'Binance', bybit: 'Bybit', okx: 'OKX' };
const EXCHANGES = Object.values(VENUES);

/** Runs three venues for a day while OKX shows its rates with the wrong sign, with a stored market for the backtest. */
async function withFlippedSigns(withhold: string, check: (running: Running) => Promise<void>): Promise<void> {
  const clock = new ManualClock(START_MS);
  const running = await runService({
    clock,
    coins: 16,
    venues: Object.keys(VENUES),
    settings: { AUDIT_WITHHOLD: withhold },
  });
  try {
    running.sim.setFaults('okx', { ratesFlipped: true });
    for (let atMs = START_MS + HOUR_MS / 2; atMs <= START_MS + DAY_MS; atMs += 8 * HOUR_MS)
      await throughHour({ running, clock }, atMs);
    // Visitors without an account see what was published 15 minutes ago.
    await collectOnce(running);
    clock.advanceMs(16 * MINUTE_MS);
    await collectOnce(running);
    const minute = minuteOf(clock.nowMs());
    await storeMarket(running.service.samples.store, EXCHANGES, minute - 1500, minute, 4);
    await running.service.backtest.catchUp();
    assert.deepEqual(
      venueOf(running.service.audit.report(), 'OKX').alarms.map(({ fault }) => fault),
      ['sign'],
    );
    await check(running);
  } finally {
    await running.stop();
  }
}

/** The venues in each table that clients see. */
async function shownVenues(running: Running): Promise<Record<string, string[]>> {
  const rows = async (path: string) => rowsOf(await running.get(`/api/v1${path}`));
  const among = (list: Record<string, unknown>[], ...columns: string[]) =>
    [...new Set(list.flatMap((row) => columns.map((column) => String(row[column]))))].sort();
  const backtest = (await running.get('/api/v1/spreads/backtest?limit=500')).body as {
    data: { spreads: Record<string, unknown>[] };
  };
  const coin = (await running.get('/api/v1/funding/BTC')).body as {
    data: { rates: Record<string, unknown>[] };
  };
  const page = await (await fetch(`${running.service.baseUrl}/funding/BTC.md`)).text();
  return {
    funding: among(await rows('/funding?limit=500'), 'exchange'),
    coin: among(coin.data.rates, 'exchange'),
    page: EXCHANGES.filter((exchange) => page.includes(`| ${exchange} |`)),
    spreads: among(await rows('/spreads?limit=500'), 'exchange_a', 'exchange_b'),
    backtest: among(backtest.data.spreads, 'exchange_a', 'exchange_b'),
  };
}

suite('rows of a venue with an alarm', () => {
  test('by default stay, with the alarm on /status', () =>
    withFlippedSigns('off', async (running) => {
      const all = EXCHANGES.toSorted();
      const shown = await shownVenues(running);
      for (const [table, venues] of Object.entries(shown)) assert.deepEqual(venues, all, table);
      const status = await (await fetch(`${running.service.baseUrl}/status`)).text();
      assert.ok(status.includes(FAULT_WORDS.sign.finding));
      assert.doesNotMatch(status, /withheld/);
    }));

  test('are withheld from funding, coins, spreads and the backtest when the operator wants it', () =>
    withFlippedSigns('rates', async (running) => {
      const shown = await shownVenues(running);
      for (const [table, venues] of Object.entries(shown))
        assert.deepEqual(venues, ['Binance', 'Bybit'], table);
      const status = await (await fetch(`${running.service.baseUrl}/status`)).text();
      assert.match(status, /its rows are withheld/);
    }));
});
