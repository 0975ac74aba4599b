import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PLANS } from '../../accounts/plans.ts';
import { DAY_MS, MINUTE_MS } from '../../base/times.ts';
import { VENUES } from '../../venues/registry.ts';
import { windowWithin } from '../funding-history/window.ts';
import { MOST_CONTRACT_DAYS, MOST_POINTS, mostDaysOf } from './request.ts';
import { minutesOf, STEP_RULES, STEPS } from './steps.ts';

const DAY_MINUTES = DAY_MS / MINUTE_MS;
const MIDNIGHT_MS = Date.UTC(2026, 10, 19);
/** At, before and after the edges of minutes, hours and days. */
const TIMES_MS = [0, 1000, 59_000, 60_000, 61 * MINUTE_MS, DAY_MS - 1000].map((ms) => MIDNIGHT_MS + ms);

suite('how much of the tape one call reads', () => {
  for (const step of STEPS)
    test(`step=${step}: the default window fits a coin that every venue quotes, and more of them`, () => {
      const venues = VENUES.length + 8;
      for (const nowMs of TIMES_MS) {
        const requested = { from: undefined, to: undefined, days: undefined };
        const window = windowWithin(STEP_RULES[step], requested, PLANS.business, nowMs);
        const { steps, fromMinute, toMinute } = minutesOf(window, step);
        assert.ok(steps * venues <= MOST_POINTS, `${steps} steps`);
        const days = Math.ceil((toMinute - fromMinute + 1) / DAY_MINUTES);
        assert.ok(days * venues <= MOST_CONTRACT_DAYS, `${days} days`);
        assert.ok(STEP_RULES[step].defaultDays <= mostDaysOf(step, venues));
      }
    });

  test('the window that a refusal names fits, with its end at any time', () => {
    for (const step of STEPS)
      for (const venues of [1, 3, 20, 51, 100])
        for (const toMs of TIMES_MS) {
          const fromMs = toMs - mostDaysOf(step, venues) * DAY_MS;
          for (const visibleMs of [toMs, toMs + 3 * DAY_MS]) {
            const { steps, fromMinute, toMinute } = minutesOf({ fromMs, toMs, visibleMs }, step);
            const days = Math.ceil((toMinute - fromMinute + 1) / DAY_MINUTES);
            assert.ok(steps > 0 && steps * venues <= MOST_POINTS, `${step} ${venues}: ${steps} steps`);
            assert.ok(days * venues <= MOST_CONTRACT_DAYS, `${step} ${venues}: ${days} days`);
          }
        }
  });
});
