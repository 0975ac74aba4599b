import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Universe } from '../../../sim/contracts.ts';
import { SIM_VENUES } from '../../../sim/venues/registry.ts';
import { viewAt } from '../../../sim/view.ts';
import { testRoundTrips } from '../../../test/venues/round-trips.ts';
import { DAY_MS, HOUR_MS } from '../../base/times.ts';

const START_MS = Date.UTC(2025, 5, 1);

// `roundtrip.long.test.ts` has more coins.
suite('every venue', () => testRoundTrips({ coins: 24, walked: 4 }));

suite('the simulator covers what parsers must handle', () => {
  test('every interval that a venue uses, multiplied and inverse contracts occur', () => {
    const universe = new Universe(1, 60);
    for (const sim of SIM_VENUES) {
      const seen = new Set<number>();
      for (let week = 0; week < 40; week++) {
        const view = viewAt(universe, sim.profile, START_MS + week * 7 * DAY_MS + HOUR_MS);
        for (const contract of view.open) seen.add(view.quote(contract).intervalHours);
        if (week > 0) continue;
        assert.equal(
          view.open.some((contract) => contract.isInverse),
          sim.profile.inverseQuote !== null,
        );
        assert.equal(
          view.open.some((contract) => contract.multiplier > 1),
          sim.profile.multipliedBase !== null,
        );
      }
      assert.deepEqual([...seen].sort(), [...new Set(sim.profile.intervals)].sort(), sim.profile.slug);
    }
  });
});
