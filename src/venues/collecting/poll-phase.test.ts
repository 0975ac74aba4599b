import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { VENUES } from '../registry.ts';
import { phaseMs } from './poll-phase.ts';

suite('the phase of a poll', () => {
  test('is the same each time, whole milliseconds, and less than a quarter of the period', () => {
    for (const everyMs of [5000, 15_000, 60_000]) {
      const phase = phaseMs('okx', 'tickers', everyMs);
      assert.equal(phase, phaseMs('okx', 'tickers', everyMs));
      assert.ok(Number.isInteger(phase) && phase >= 0 && phase < everyMs / 4, `${phase}`);
    }
  });

  test('spreads the polls of all venues with one period over its first quarter', () => {
    const phases = VENUES.flatMap(({ slug, polls }) =>
      polls
        .filter(({ everySeconds }) => everySeconds === 15)
        .map(({ name, everySeconds }) => phaseMs(slug, name, everySeconds * 1000)),
    );
    const inTenths = new Map<number, number>();
    for (const phase of phases)
      inTenths.set(Math.floor(phase / 375), (inTenths.get(Math.floor(phase / 375)) ?? 0) + 1);
    assert.ok(phases.length > 20, `${phases.length} polls`);
    for (const [tenth, count] of inTenths)
      assert.ok(count <= phases.length / 3, `${count} in tenth ${tenth}`);
  });
});
