import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SlidingWindow } from './sliding-window.ts';

describe('the minute window', () => {
  test('passes exactly the limit, and one more when the oldest is 60 s old', () => {
    const window = new SlidingWindow(3);
    assert.deepEqual(
      [0, 10, 20, 30].map((atMs) => window.take(atMs)),
      [true, true, true, false],
    );
    assert.equal(window.resetsAtMs(30), 60_000);
    assert.equal(window.take(59_999), false);
    assert.equal(window.take(60_000), true);
    assert.equal(window.take(60_000), false);
    assert.equal(window.take(60_010), true);
  });

  test('an empty one resets a whole window from now', () => {
    assert.equal(new SlidingWindow(3).resetsAtMs(5_000), 65_000);
  });

  test('a refunded request can be counted again', () => {
    const window = new SlidingWindow(2);
    window.take(0);
    window.take(5);
    window.refund(0);
    assert.equal(window.used(6), 1);
    assert.equal(window.resetsAtMs(6), 60_005);
    assert.equal(window.take(6), true);
    assert.equal(window.take(7), false);
  });

  test('refunding an expired request changes nothing', () => {
    const window = new SlidingWindow(2);
    window.take(0);
    window.take(60_000);
    window.refund(0);
    assert.equal(window.used(60_000), 1);
  });

  test('a changed limit applies at once', () => {
    const window = new SlidingWindow(4);
    for (const atMs of [0, 1, 2, 3]) window.take(atMs);
    window.resize(2);
    assert.equal(window.take(60_001), false);
    assert.equal(window.take(60_002), true);
    window.resize(5);
    assert.equal(window.used(60_002), 2);
    assert.equal(window.take(60_002), true);
  });

  test('a clock that is set back by an hour blocks for a minute at most', () => {
    const window = new SlidingWindow(2);
    const hourMs = 3_600_000;
    window.take(hourMs);
    window.take(hourMs);
    assert.equal(window.take(0), false);
    assert.equal(window.take(60_000), true);
  });

  test('equals a simple list of the last 60 s, for any times, refunds and changes of limit', () => {
    const step = fc.record({
      waitMs: fc.oneof(fc.nat(3_000), fc.nat(70_000)),
      action: fc.constantFrom('take', 'take', 'take', 'refund', 'resize'),
      number: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(step, { maxLength: 80 }), (firstLimit, steps) => {
        const window = new SlidingWindow(firstLimit);
        let limit = firstLimit;
        let naive: number[] = [];
        let nowMs = 0;
        for (const { waitMs, action, number } of steps) {
          nowMs += waitMs;
          naive = naive.filter((atMs) => atMs > nowMs - 60_000);
          if (action === 'take') {
            const free = naive.length < limit;
            assert.equal(window.take(nowMs), free);
            if (free) naive.push(nowMs);
          } else if (action === 'refund') {
            const atMs = naive[number % Math.max(1, naive.length)] ?? -1;
            window.refund(atMs);
            if (atMs >= 0) naive.splice(naive.lastIndexOf(atMs), 1);
          } else {
            limit = number;
            window.resize(limit);
            naive = naive.slice(-limit);
          }
          assert.equal(window.used(nowMs), naive.length);
        }
      }),
    );
  });
});
