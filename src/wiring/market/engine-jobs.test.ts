import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from '../../base/clock.ts';
import { Jobs } from '../../base/jobs.ts';
import { readSettings } from '../../settings.ts';
import { engineJobs } from './engine-jobs.ts';
import type { MarketData } from './market-data.ts';

const NOW_MS = Date.UTC(2026, 10, 14, 9);
const source = (ageSeconds: number) => ({ at: () => ({ asOfMs: NOW_MS - ageSeconds * 1000 }) });

/** What a process serves: everything is fresh but the backtest. */
function marketData(has: { api: boolean; engine: boolean }): MarketData {
  const ownJobs = new Jobs(new ManualClock(0));
  ownJobs.job('snapshots', 10_000).start();
  const data = {
    series: {
      funding: source(12),
      arbitrageLegs: source(12),
      legs: source(4),
      backtest: new Map([[25, source(240)]]),
    },
    api: has.api ? { listings: source(9) } : null,
    collecting: { context: { jobs: ownJobs } },
    engine: () => (has.engine ? {} : null),
    audit: () => ({ asOfMs: NOW_MS - 70_000 }),
  };
  return data as unknown as MarketData;
}

suite('jobs of the engine, by process', () => {
  const statesOf = (has: { api: boolean; engine: boolean }) =>
    engineJobs(marketData(has), { clock: new ManualClock(NOW_MS), settings: readSettings([], {}) });

  test('a process that serves what another one computes judges by the age of the results', () => {
    const states = statesOf({ api: true, engine: false });
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

  test('the process with the engine judges by what its jobs reported', () => {
    for (const api of [true, false])
      assert.deepEqual(statesOf({ api, engine: true }), [
        { name: 'snapshots', everyMs: 10_000, forMs: 0, isLate: false },
      ]);
  });

  test('a collector without the engine has none of its jobs', () => {
    assert.deepEqual(statesOf({ api: false, engine: false }), []);
  });
});
