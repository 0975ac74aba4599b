import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { VENUES } from '../registry.ts';
import { phaseMs } from './poll-phase.ts';

suite('the phase of a poll', () => {
  for (const [everyMs, largestMs] of [
    [1000, 250],
    [5000, 500],
    [60_000, 500],
  ] as const)
    test(`of every ${everyMs} ms is the same each time, whole milliseconds, and less than ${largestMs}`, () => {
      for (const name of ['tickers', 'books', 'contracts', 'rates', 'prices']) {
        const phase = phaseMs('okx', name, everyMs);
        assert.equal(phase, phaseMs('okx', name, everyMs));
        assert.ok(Number.isInteger(phase) && phase >= 0 && phase < largestMs, `${phase}`);
      }
    });

  test('spreads the polls of all venues with one period over half a second', () => {
    const phases = VENUES.flatMap(({ slug, polls }) =>
      polls
        .filter(({ everySeconds }) => everySeconds === 15)
        .map(({ name, everySeconds }) => phaseMs(slug, name, everySeconds * 1000)),
    );
    const inTenths = new Map<number, number>();
    for (const phase of phases)
      inTenths.set(Math.floor(phase / 50), (inTenths.get(Math.floor(phase / 50)) ?? 0) + 1);
    assert.ok(phases.length > 20, `${phases.length} polls`);
    for (const [tenth, count] of inTenths)
      assert.ok(count <= phases.length / 3, `${count} in tenth ${tenth}`);
  });
});
