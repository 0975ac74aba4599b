import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ManualClock, systemClock } from '../../../base/clock.ts';
import { ServerClock } from './server-clock.ts';

/** The clock of a server that is ahead of this machine by any part of a millisecond, read with delays on both ways. */
const server = fc.record({
  aheadMs: fc.double({ min: -5000, max: 5000, noNaN: true }),
  thereMs: fc.double({ min: 0, max: 400, noNaN: true }),
  backMs: fc.double({ min: 0, max: 400, noNaN: true }),
});
const time = fc.double({ min: 1.7e12, max: 1.9e12, noNaN: true });

interface Reading {
  aheadMs: number;
  thereMs: number;
  backMs: number;
}

/** A machine whose clock shows whole milliseconds. */
class Machine {
  trueMs = 0;
  readonly #clock = { ...systemClock, nowMs: () => Math.floor(this.trueMs) };

  /** Reads the server's clock in a heartbeat that begins now. */
  read({ aheadMs, thereMs, backMs }: Reading): ServerClock {
    const clock = new ServerClock(this.#clock, false);
    clock.onReading({
      sentMs: Math.floor(this.trueMs),
      receivedMs: Math.floor(this.trueMs + thereMs + backMs),
      serverMs: Math.floor(this.trueMs + thereMs + aheadMs),
    });
    return clock;
  }
}

suite('the clock of a Redis server', () => {
  test('its time is never before the earliest nor after the latest, however slow the heartbeat', () => {
    const machine = new Machine();
    fc.assert(
      fc.property(server, time, fc.double({ min: 0, max: 2000, noNaN: true }), (one, startMs, laterMs) => {
        machine.trueMs = startMs;
        const clock = machine.read(one);
        machine.trueMs = startMs + laterMs;
        const serverMs = machine.trueMs + one.aheadMs;
        assert.ok(clock.earliestMs() <= serverMs, `${clock.earliestMs()} is after ${serverMs}`);
        assert.ok(clock.latestMs() >= serverMs, `${clock.latestMs()} is before ${serverMs}`);
        const delayMs = one.thereMs + one.backMs;
        assert.ok(clock.latestMs() - clock.earliestMs() <= delayMs + 4, 'no wider than the delay');
        assert.ok(clock.nowMs() >= clock.earliestMs() && clock.nowMs() <= clock.latestMs());
      }),
    );
  });

  test('a time of one server is never too early on another', () => {
    const machine = new Machine();
    fc.assert(
      fc.property(server, server, time, (from, to, startMs) => {
        machine.trueMs = startMs;
        const [fromClock, toClock] = [machine.read(from), machine.read(to)];
        assert.ok(toClock.mostAheadOf(fromClock) >= to.aheadMs - from.aheadMs);
      }),
    );
  });

  test('a clock that a test moves is exact', () => {
    const clock = new ManualClock(1_800_000_000_000);
    const moved = new ServerClock(clock);
    moved.onReading({ sentMs: 1, receivedMs: 9, serverMs: 70 });
    assert.deepEqual(
      [moved.nowMs(), moved.earliestMs(), moved.latestMs(), moved.mostAheadOf(new ServerClock(clock))],
      [1_800_000_000_000, 1_800_000_000_000, 1_800_000_000_000, 0],
    );
  });
});
