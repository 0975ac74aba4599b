import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { HOUR_MS, SECOND_MS } from '../../base/times.ts';
import { openMemorySqlite } from '../../storage/sqlite.ts';
import { UsageLedger } from '../usage/ledger.ts';
import { MemoryWindows } from './memory.ts';

const START_MS = Date.UTC(2026, 5, 10, 12);
const HOLDER = { slotId: 'slot', keyId: null, plan: { requestsPerMinute: 2, requestsPerMonth: 100 } };

function openWindows() {
  const clock = new ManualClock(START_MS);
  const windows = new MemoryWindows(clock, new UsageLedger(openMemorySqlite(), START_MS));
  return {
    clock,
    windows,
    takes: (count: number) => Array.from({ length: count }, () => windows.take(HOLDER)),
  };
}

suite('the minute window while the clock of the machine is set', () => {
  for (const [direction, byMs] of [
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ] as const)
    test(`an hour ${direction}: the used minute stays used, and ends when a minute has passed`, () => {
      const { clock, takes } = openWindows();
      assert.deepEqual(
        takes(3).map(({ allowed }) => allowed),
        [true, true, false],
      );
      clock.advanceMs(10 * SECOND_MS);
      clock.step(byMs);
      const [refused] = takes(1);
      assert.ok(refused && !refused.allowed && 'states' in refused);
      assert.equal(refused.retryAfterSeconds, 50);
      assert.equal(refused.states.minute.resetsAtMs, clock.nowMs() + 50 * SECOND_MS);
      clock.advanceMs(50 * SECOND_MS);
      assert.equal(takes(1)[0]?.allowed, true);
    });

  test('a request that was counted before the step is refunded after it', () => {
    const { clock, windows, takes } = openWindows();
    const [first] = takes(2);
    assert.ok(first?.allowed);
    clock.step(HOUR_MS);
    windows.refund(first.receipt);
    assert.deepEqual(
      takes(2).map(({ allowed }) => allowed),
      [true, false],
    );
  });
});
