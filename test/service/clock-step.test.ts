import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type Running, runService, until } from '../support/service.ts';

const HOUR_MS = 3_600_000;
const VENUES = ['binance', 'okx'];
/** A few cycles of one second, on a busy machine. */
const NEAR_MS = 30_000;
const PATHS = [
  '/api/v1/funding',
  '/api/v1/spreads',
  '/api/v1/arbitrage',
  '/api/v1/listings',
  '/api/v1/coins',
];
const GAUGES = [
  'perpwire_snapshot_as_of_timestamp_seconds',
  'perpwire_spread_as_of_timestamp_seconds',
  'perpwire_listing_as_of_timestamp_seconds',
];

/** The clock of a machine that is set; the venues keep the right time. */
class SetClock implements Clock {
  aheadMs = 0;
  nowMs(): number {
    return systemClock.nowMs() + this.aheadMs;
  }
  monotonicMs(): number {
    return systemClock.monotonicMs();
  }
  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return systemClock.sleep(delayMs, signal);
  }
}

async function asOfs(running: Running): Promise<number[]> {
  const replies = await Promise.all(PATHS.map((path) => running.get(path)));
  return replies.map(({ body }) => {
    const { meta } = body as { meta?: { as_of: string } };
    return meta ? Date.parse(meta.as_of) : Number.NaN;
  });
}

suite('a clock that is set an hour forward and back', () => {
  test('as_of follows it within a cycle, rows keep their age, and /readyz and the metrics agree', async (t) => {
    const clock = new SetClock();
    const running = await runService({
      venues: VENUES,
      coins: 10,
      isCollecting: true,
      settings: { SPREADS_SECONDS: '1' },
      serviceOptions: { clock },
    });
    t.after(() => running.stop());
    const admin = async (path: string) => (await fetch(`${running.service.adminUrl}${path}`)).text();
    const isNear = (timeMs: number) => Math.abs(timeMs - clock.nowMs()) < NEAR_MS;
    await until(async () => (await asOfs(running)).every(isNear), 'the first snapshots');
    const listed = VENUES.flatMap((slug) => running.sim.view(slug).open).length;
    const rows = async () => ((await running.get('/api/v1/funding')).body as { data: unknown[] }).data.length;
    // The first snapshot may have been taken before the second venue answered.
    await until(async () => (await rows()) === listed, 'every contract of both venues');

    clock.aheadMs = HOUR_MS;
    await until(async () => (await asOfs(running)).every(isNear), 'the time of the set clock');
    assert.equal(await rows(), listed, 'no row has aged by the step');

    clock.aheadMs = 0;
    await until(async () => (await asOfs(running)).every(isNear), 'the right time again');
    assert.equal(await rows(), listed);
    const spreads = (await running.get('/api/v1/spreads')).body as { data: { updated_at: string }[] };
    assert.ok(spreads.data.length > 0);
    for (const { updated_at } of spreads.data) assert.ok(Date.parse(updated_at) <= clock.nowMs());
    assert.equal(await admin('/readyz'), 'ready\n');
    const metrics = await admin('/metrics');
    for (const gauge of GAUGES) {
      const seconds = Number(new RegExp(`^${gauge} (\\S+)$`, 'm').exec(metrics)?.[1]);
      assert.ok(isNear(seconds * 1000), `${gauge} ${seconds}`);
    }
    for (const direction of ['forward', 'back'])
      assert.ok(metrics.includes(`perpwire_clock_steps_total{direction="${direction}"} 1`));
    const { db } = running.service.context.storage;
    const ahead = await db
      .selectFrom('snapshot_frames')
      .select('as_of_ms')
      .where('as_of_ms', '>', clock.nowMs() + NEAR_MS)
      .execute();
    assert.deepEqual(ahead, [], 'a restart finds no snapshot from the future either');
  });
});
