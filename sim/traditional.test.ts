import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { lastOpenMs, TRADITIONAL } from './traditional.ts';

const at = (time: string) => Date.parse(`${time}:00Z`);

suite('market hours of shares', () => {
  for (const [when, now, open] of [
    ['in market hours', '2026-11-18T15:00', '2026-11-18T15:00'],
    ['in the evening', '2026-11-18T23:00', '2026-11-18T20:00'],
    ['before the opening', '2026-11-18T13:29', '2026-11-17T20:00'],
    ['on Saturday', '2026-11-21T15:00', '2026-11-20T20:00'],
    ['on Sunday', '2026-11-22T23:00', '2026-11-20T20:00'],
    ['on Monday before the opening', '2026-11-23T06:00', '2026-11-20T20:00'],
  ] as const)
    test(`${when} the index is of ${open}`, () => {
      assert.equal(lastOpenMs({ assetClass: 'stock' }, at(now)), at(open));
    });

  test('a coin has no market hours', () => {
    assert.equal(lastOpenMs({}, at('2026-11-21T15:00')), at('2026-11-21T15:00'));
  });

  test('no ticker is listed twice', () => {
    assert.equal(new Set(TRADITIONAL.map(({ ticker }) => ticker)).size, TRADITIONAL.length);
  });
});
