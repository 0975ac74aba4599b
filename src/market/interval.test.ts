import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS, MINUTE_MS } from '../base/times.ts';
import { type ScheduleFacts, scheduleOf } from './interval.ts';

const DAY = Date.UTC(2026, 10, 14);
const at = (hours: number) => DAY + hours * HOUR_MS;

function facts(
  intervalHours: number | null,
  nextFundingAtMs: number | null,
  extra: Partial<ScheduleFacts> = {},
): ScheduleFacts {
  return { intervalHours, intervalAtMs: at(0), nextFundingAtMs, rolledFromMs: null, rolledAtMs: 0, ...extra };
}

suite('settlement schedule', () => {
  test('agreeing facts are published as they are', () => {
    assert.deepEqual(scheduleOf(facts(8, at(16)), at(9)), { intervalHours: 8, nextFundingAtMs: at(16) });
  });

  test('a settlement one hour away off the 8 h grid makes it an hourly contract (A3)', () => {
    assert.equal(scheduleOf(facts(8, at(14)), at(13)).intervalHours, 1);
    assert.equal(scheduleOf(facts(8, at(1)), at(0.5)).intervalHours, 1);
  });

  test('a settlement further away than the interval makes the interval longer', () => {
    assert.equal(scheduleOf(facts(1, at(16)), at(9)).intervalHours, 8);
  });

  test('a change of the next settlement that is newer than the interval sets the interval', () => {
    const rolled = { rolledFromMs: at(12), rolledAtMs: at(12) + 5000, intervalAtMs: at(11) };
    assert.equal(scheduleOf(facts(4, at(14), rolled), at(12.1)).intervalHours, 2);
  });

  test('a short first interval after a change is valid: a newer interval replaces the gap', () => {
    const rolled = { rolledFromMs: at(12), rolledAtMs: at(12) + 5000, intervalAtMs: at(12) + 9000 };
    assert.equal(scheduleOf(facts(8, at(16), rolled), at(12.1)).intervalHours, 8);
  });

  test('where the venue gives no interval it is the gap between two settlements, else null', () => {
    assert.equal(scheduleOf(facts(null, at(12)), at(9)).intervalHours, null);
    assert.equal(
      scheduleOf(facts(null, at(12), { rolledFromMs: at(8), rolledAtMs: at(8) + 1 }), at(9)).intervalHours,
      4,
    );
  });

  test('an off-grid minute is left alone (a change at 12:15)', () => {
    assert.equal(scheduleOf(facts(8, at(12.25)), at(11)).intervalHours, 8);
  });

  test('a settlement in the past is advanced by the interval, or becomes null without one (D6)', () => {
    assert.equal(scheduleOf(facts(8, at(8)), at(9)).nextFundingAtMs, at(16));
    assert.equal(scheduleOf(facts(null, at(8)), at(9)).nextFundingAtMs, null);
  });

  test('a venue has two minutes to show the next settlement', () => {
    assert.equal(scheduleOf(facts(8, at(8)), at(8) + MINUTE_MS).nextFundingAtMs, at(8));
  });

  test('a settlement more than a day away is ignored', () => {
    assert.equal(scheduleOf(facts(8, at(72)), at(9)).nextFundingAtMs, null);
  });

  test('24 h and 2 h contracts are possible', () => {
    assert.equal(scheduleOf(facts(24, at(24)), at(9)).intervalHours, 24);
    assert.equal(scheduleOf(facts(2, at(10)), at(9)).intervalHours, 2);
  });
});
