import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { ManualClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { MINUTE_MS } from '../../src/base/times.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { BTC } from '../history/keeping.ts';
import { silentLog, temporaryFolder } from '../storage/sqlite.ts';

export const DAYS = 120;
const FIRST_MINUTE = Date.parse('2025-01-01T00:00:00Z') / MINUTE_MS;

export const prints = Array.from({ length: DAYS * 3 }, (_, i) => ({
  minute: FIRST_MINUTE + i * 480,
  ratePct: i / 1e6,
}));

/** A folder of data with the prints, which were learned some minutes ago. */
export async function storedPrints(t: TestContext, own = prints): Promise<string> {
  const folder = temporaryFolder(t);
  const sqliteFile = join(folder, 'perpwire.sqlite');
  const storage = await openStorage({ databaseUrl: null, sqliteFile, log: silentLog });
  const clock = new ManualClock(Date.now() - 5 * MINUTE_MS);
  const keeper = await SettlementKeeper.open({ storage, clock, log: silentLog, metrics: createMetrics() });
  await keeper.submit({ names: BTC, prints: own, walked: null, onConflict: 'replace' });
  await keeper.close();
  await storage.close();
  return folder;
}
