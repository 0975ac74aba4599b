import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { collectOnce, type Running, runService } from '../support/service.ts';

const START_MS = Date.UTC(2026, 10, 15, 7, 3);
const MINUTE_MS = 60_000;
const PATHS = ['/api/v1/funding', '/api/v1/coins', '/api/v1/spreads', '/api/v1/arbitrage'];

/** Replaces one byte in the middle of the stored frames from this time on. */
async function damageFrames({ service }: Running, fromMs: number): Promise<string[]> {
  const { db } = service.context.storage;
  const rows = await db.selectFrom('snapshot_frames').selectAll().where('as_of_ms', '>=', fromMs).execute();
  for (const { series, as_of_ms, frame } of rows) {
    const bytes = Buffer.from(frame);
    const middle = bytes.length >> 1;
    bytes[middle] = ((bytes[middle] ?? 0) + 1) % 256;
    await db
      .updateTable('snapshot_frames')
      .set({ frame: bytes })
      .where('series', '=', series)
      .where('as_of_ms', '=', as_of_ms)
      .execute();
  }
  return rows.map(({ series }) => series);
}

suite('damaged snapshots in the database', () => {
  test('a restart serves the newest intact one; with none it answers 503 until there is new data', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpwire-damaged-'));
    const clock = new ManualClock(START_MS);
    const options = { dataDir, clock, venues: ['binance', 'okx'], coins: 10 };
    const asOfs = async (running: Running) => {
      const found: string[] = [];
      for (const plan of ['business', 'demo'] as const)
        for (const path of PATHS) {
          const { status, body } = await running.get(path, { plan });
          const { meta, code } = body as { meta?: { as_of: string }; code?: string };
          found.push(meta?.as_of ?? `${status} ${code}`);
        }
      return found;
    };
    const publish = async (running: Running) => {
      await running.service.publisher.publish(clock.nowMs());
      await running.service.spreads.publish(clock.nowMs());
    };

    const first = await runService(options);
    await collectOnce(first);
    const firstMs = clock.nowMs();
    clock.setMs(firstMs + 2 * MINUTE_MS);
    await publish(first);
    clock.setMs(firstMs + 4 * MINUTE_MS);
    const damaged = await damageFrames(first, firstMs + MINUTE_MS);
    // Lists that are computed from these two may have been stored meanwhile.
    for (const series of ['funding', 'spread-legs'])
      assert.equal(damaged.filter((one) => one === series).length, 1, series);
    await first.stop();

    clock.setMs(firstMs + 16 * MINUTE_MS);
    const second = await runService(options);
    const intact = new Date(firstMs).toISOString().replace('.000Z', 'Z');
    assert.deepEqual(await asOfs(second), Array(2 * PATHS.length).fill(intact), 'live and delayed readers');
    const metrics = await (await fetch(`${second.service.adminUrl}/metrics`)).text();
    for (const series of ['funding', 'spread-legs'])
      assert.ok(metrics.includes(`perpwire_frames_skipped_total{series="${series}",reason="damaged"} 1`));
    await damageFrames(second, 0);
    await second.stop();

    const third = await runService(options);
    assert.deepEqual(await asOfs(third), Array(2 * PATHS.length).fill('503 snapshot-unavailable'));
    await collectOnce(third);
    const [funding] = await asOfs(third);
    assert.equal(Date.parse(funding ?? ''), clock.nowMs());
    await third.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});
