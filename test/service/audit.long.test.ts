import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { collectOnce, runService } from '../support/service.ts';
import { throughHour } from './auditing.ts';

const FIRST_HOUR_MS = Date.UTC(2026, 10, 14, 8);
const DAYS = 4;
/** They publish no settled rates. */
const WITHOUT_PRINTS = VENUES.flatMap(({ facts }) => (facts.noHistory ? [facts.exchange] : [])).sort();

suite('audit of all venues', () => {
  test('four healthy days of every simulated venue raise no alarm and no notice', async () => {
    const clock = new ManualClock(FIRST_HOUR_MS - HOUR_MS / 2);
    const running = await runService({ clock, coins: 6, venues: VENUES.map(({ slug }) => slug) });
    try {
      // The first collection takes longest: it opens every connection, while the clock goes on.
      await collectOnce(running);
      for (let hourMs = FIRST_HOUR_MS; hourMs <= FIRST_HOUR_MS + DAYS * DAY_MS; hourMs += 8 * HOUR_MS)
        await throughHour({ running, clock }, hourMs);
      const report = running.service.audit.report();
      assert.deepEqual(
        report?.venues.flatMap(({ exchange, alarms }) => alarms.map((alarm) => [exchange, alarm])),
        [],
      );
      assert.deepEqual(
        report?.venues.flatMap(({ exchange, notices }) => notices.map((notice) => [exchange, notice])),
        [],
      );
      const few = report?.venues.filter(({ judged }) => judged < 50).map(({ exchange }) => exchange);
      assert.deepEqual(few?.sort(), WITHOUT_PRINTS, 'every other venue has enough comparisons for a verdict');
      const inexact = report?.venues.flatMap(({ exchange, rule, windows: [, , month] }) =>
        rule === 'accrual' ||
        WITHOUT_PRINTS.includes(exchange) ||
        (month?.closePct === 100 && month.sameSignPct === 100)
          ? []
          : [[exchange, month?.closePct, month?.sameSignPct]],
      );
      assert.deepEqual(inexact, [], 'every published rate is within 0.1 basis point of its print');
    } finally {
      await running.stop();
    }
  });
});
