import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { carryOf } from './carry.ts';
import { durationText, heldText } from './durations.ts';

const FROM_MS = Date.parse('2026-11-01T00:00:00Z');
const TO_MS = Date.parse('2026-11-08T00:00:00Z');
const print = (time: string, rate_pct: number) => ({ time: `2026-11-0${time}:00:00Z`, rate_pct });

suite('what a pair was paid', () => {
  test('the short leg receives, the long leg pays, and the costs are off from the start', () => {
    const carry = carryOf(
      [print('1T08', 0.02)],
      [print('1T08', 0.1), print('2T06', 0.2)],
      0.19,
      FROM_MS,
      TO_MS,
      7,
    );
    assert.deepEqual(
      carry.points.map(({ netPct }) => Number(netPct.toFixed(6))),
      [-0.19, -0.11, 0.09],
      'payments of one time are one point',
    );
    assert.equal(Number(carry.longPct.toFixed(6)), -0.02);
    assert.equal(Number(carry.shortPct.toFixed(6)), 0.3);
    assert.equal(Number(carry.netPct.toFixed(6)), 0.09);
    assert.equal(carry.paidBackHours, 30, 'at the settlement that covered the costs');
  });

  test('payments in any order of the legs are added by their time', () => {
    const carry = carryOf([print('1T01', -0.05)], [print('1T00', 0.1)], 0, FROM_MS, TO_MS, 7);
    assert.deepEqual(
      carry.points.map(({ timeMs }) => new Date(timeMs).getUTCHours()),
      [0, 1],
    );
  });

  test('costs that were never paid back', () => {
    const carry = carryOf([print('1T08', 0.02)], [print('1T08', 0.01)], 0.19, FROM_MS, TO_MS, 7);
    assert.equal(carry.paidBackHours, null);
    assert.ok(carry.netPct < -0.19);
  });
});

suite('durations in words', () => {
  for (const [hours, text] of [
    [0, '0 h'],
    [0.4, 'under 1 h'],
    [38.4, '38 h'],
    [71.9, '72 h'],
    [72, '3.0 d'],
    [81.6, '3.4 d'],
  ] as const)
    test(`${hours} hours are ${text}`, () =>
      assert.equal(durationText(hours).replaceAll('\u00a0', ' '), text));
  for (const [minutes, text] of [
    [12, '12 min'],
    [60, '1 h 00'],
    [144, '2 h 24'],
    [1440, '24 h 00'],
  ] as const)
    test(`${minutes} minutes are held as ${text}`, () =>
      assert.equal(heldText(minutes).replaceAll('\u00a0', ' '), text));
});
