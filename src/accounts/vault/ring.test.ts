import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HOUR_MS } from '../../base/times.ts';
import { readRing, rotated, usable, writeRing } from './ring.ts';

const NOW_MS = 1_800_000_000_000;

suite('the values of a secret', () => {
  const first = readRing('plain value of an older version');
  const second = rotated(first, 'second', HOUR_MS, NOW_MS);

  test('a plain value signs and verifies', () => {
    assert.deepEqual(usable(first, NOW_MS), ['plain value of an older version']);
  });

  test('a new value verifies at once and signs once every process has read it', () => {
    assert.deepEqual(usable(second, NOW_MS), ['plain value of an older version', 'second']);
    assert.deepEqual(usable(second, NOW_MS + 20_000), ['second', 'plain value of an older version']);
  });

  test('the old value verifies for the lifetime of what it has signed, and no longer', () => {
    assert.equal(usable(second, NOW_MS + 20_000 + HOUR_MS - 1).length, 2);
    assert.deepEqual(usable(second, NOW_MS + 20_000 + HOUR_MS), ['second']);
  });

  test('a second rotation does not prolong the first value, and drops those that have ended', () => {
    const third = rotated(second, 'third', HOUR_MS, NOW_MS + HOUR_MS / 2);
    assert.equal(usable(third, NOW_MS + HOUR_MS).length, 3);
    assert.deepEqual(usable(third, NOW_MS + 20_000 + HOUR_MS), ['third', 'second']);
    assert.equal(rotated(third, 'fourth', HOUR_MS, NOW_MS + 3 * HOUR_MS).length, 2);
  });

  test('without older values the new one signs at once', () => {
    assert.deepEqual(usable(rotated([], 'only', HOUR_MS, NOW_MS), NOW_MS), ['only']);
  });

  test('is read as it was written; another shape is refused', () => {
    assert.deepEqual(readRing(writeRing(second)), second);
    assert.throws(() => readRing('{"ring":[{"value":1}]}'), /ring\[0\].value is not a text/);
  });
});
