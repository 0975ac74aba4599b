import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { DAY_MS, HOUR_MS } from '../../src/base/times.ts';
import { VENUES } from '../../src/venues/registry.ts';
import { collectOnce, runService } from '../support/service.ts';
import { throughHour } from './auditing.ts';

const FIRST_HOUR_MS = Date.UTC(2026, 10, 14, 8);
const DAYS = 4;
/** Not all: where a collection ends after the settlement, or a rate comes over a socket, the rate compared is an older one. */
const LEAST_CLOSE_PCT = 97;
/** The clock goes on while venues are collected. With more of them the collection before a settlement would end after it. */
const GROUPS = [0, 1, 2].map((group) => VENUES.filter((_, i) => i % 3 === group).map(({ slug }) => slug));

suite('audit of all venues', () => {
  for (const [i, venues] of GROUPS.entries())
    test(`four healthy days of every simulated venue raise no alarm, group ${i + 1}`, async () => {
      const clock = new ManualClock(FIRST_HOUR_MS - HOUR_MS / 2);
      const running = await runService({ clock, coins: 12, venues });
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
        const few = report?.venues.filter(({ judged }) => judged < 50).map(({ exchange }) => exchange);
        assert.deepEqual(few, [], 'every venue has enough comparisons for a verdict');
        for (const { exchange, rule, windows } of report?.venues ?? []) {
          if (rule === 'accrual') continue;
          assert.ok(
            (windows[2]?.closePct ?? 0) >= LEAST_CLOSE_PCT,
            `${exchange}: ${windows[2]?.closePct} % close`,
          );
          assert.ok(
            (windows[2]?.sameSignPct ?? 0) >= LEAST_CLOSE_PCT,
            `${exchange}: ${windows[2]?.sameSignPct} % of the same sign`,
          );
        }
      } finally {
        await running.stop();
      }
    });
});
