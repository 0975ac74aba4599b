import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { runService } from '../support/service.ts';
import { throughHour } from './auditing.ts';

const FIRST_HOUR_MS = Date.UTC(2026, 10, 14, 8);
const DAYS = 4;
/** Enough to collect every venue, and little enough for the rates to move by less than 0.1 basis points. */
const LAST_COLLECTION_MS = 110_000;

suite('audit of all venues', () => {
  test('four healthy days of every simulated venue raise no alarm', async () => {
    const clock = new ManualClock(FIRST_HOUR_MS - HOUR_MS / 2);
    const venues = VENUES.map(({ slug }) => slug);
    const running = await runService({ clock, coins: 12, venues });
    try {
      for (let hourMs = FIRST_HOUR_MS; hourMs <= FIRST_HOUR_MS + DAYS * DAY_MS; hourMs += 8 * HOUR_MS)
        await throughHour({ running, clock }, hourMs, LAST_COLLECTION_MS);
      const report = running.service.audit.report();
      assert.deepEqual(
        report?.venues.flatMap(({ exchange, alarms }) => alarms.map((alarm) => [exchange, alarm])),
        [],
      );
      const few = report?.venues.filter(({ judged }) => judged < 50).map(({ exchange }) => exchange);
      assert.deepEqual(few, [], 'every venue has enough comparisons for a verdict');
      for (const { exchange, rule, windows } of report?.venues ?? []) {
        if (rule === 'accrual') continue;
        assert.equal(windows[2]?.closePct, 100, exchange);
        assert.equal(windows[2]?.sameSignPct, 100, exchange);
      }
    } finally {
      await running.stop();
    }
  });
});
