import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { readSettings } from '../../settings.ts';
import { type EngineResults, jobsByAge } from './engine-jobs.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9);
const source = (ageSeconds: number) => ({ at: () => ({ asOfMs: NOW_MS - ageSeconds * 1000 }) });

/** What a process serves: everything is fresh but the backtest. */
const RESULTS = {
  series: {
    funding: source(12),
    arbitrageLegs: source(12),
    legs: source(4),
    backtest: new Map([[25, source(240)]]),
  },
  listings: source(9),
  audit: () => ({ asOfMs: NOW_MS - 70_000 }),
} as unknown as EngineResults;

suite('jobs of a collector in another process', () => {
  test('they are judged by the age of the results', () => {
    const states = jobsByAge(RESULTS, { clock: new ManualClock(NOW_MS), settings: readSettings([], {}) });
    assert.deepEqual(
      states.map(({ name, isLate }) => [name, isLate]),
      [
        ['snapshots', false],
        ['arbitrage', false],
        ['spreads', false],
        ['listings', false],
        ['audit', false],
        ['backtest', true],
      ],
    );
    assert.equal(states.at(-1)?.forMs, 240_000);
  });
});
