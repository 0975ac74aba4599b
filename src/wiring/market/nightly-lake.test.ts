import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { ManualClock } from '../../base/clock.ts';
import { createLog } from '../../base/log.ts';
import { HOUR_MS } from '../../base/times.ts';
import { EMPTY_MANIFEST, type Manifest, withDay } from '../../lake/files/manifest.ts';
import { NightlyLake } from './nightly-lake.ts';

const AFTER_MIDNIGHT_MS = Date.parse('2026-11-18T00:10:00Z');
const builtTo = (day: string) => withDay(EMPTY_MANIFEST, { day, known_to: `${day}T23:00:00Z`, files: [] });

function nightly(manifest: Manifest, nowMs: number, isHeld = true) {
  const state = { manifest, builds: 0, looks: 0 };
  const clock = new ManualClock(nowMs);
  const lake = new NightlyLake({
    store: {
      manifest: async () => {
        state.looks++;
        return state.manifest;
      },
    },
    build: async () => {
      state.builds++;
      state.manifest = builtTo('2026-11-17');
    },
    clock,
    log: createLog('silent'),
    engineLease: {
      isHeld: () => {
        if (!isHeld) state.looks++;
        return isHeld;
      },
    },
  });
  return { state, clock, lake };
}

suite('the nightly build of the lake', () => {
  test('builds yesterday an hour after midnight UTC, once', async () => {
    const { state, clock, lake } = nightly(builtTo('2026-11-16'), AFTER_MIDNIGHT_MS);
    lake.start();
    await until(() => state.looks === 1);
    assert.equal(state.builds, 0, 'late prints are awaited');
    clock.advanceMs(HOUR_MS);
    await until(() => state.looks === 2);
    await until(() => state.builds === 1);
    clock.advanceMs(HOUR_MS);
    await until(() => state.looks === 3);
    await lake.stop();
    assert.equal(state.builds, 1);
  });

  test('starts an empty lake at once', async () => {
    const { state, lake } = nightly(EMPTY_MANIFEST, AFTER_MIDNIGHT_MS);
    lake.start();
    await until(() => state.builds === 1);
    await lake.stop();
  });

  test('a process that stands by builds nothing', async () => {
    const { state, lake } = nightly(EMPTY_MANIFEST, AFTER_MIDNIGHT_MS, false);
    lake.start();
    await until(() => state.looks === 1);
    await lake.stop();
    assert.equal(state.builds, 0);
  });
});
