import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createLog } from '../base/log.ts';
import { openHeartbeats } from './heartbeats.ts';
import { openStorage } from './storage.ts';

suite('heartbeats of processes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-heartbeats-'));
  const log = createLog('silent');
  const storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'beats.sqlite'), log });
  after(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  test('those younger than 15 s are live, older ones and those of a stopped process are not', async () => {
    const row = (process_id: string, ageMs: number) => ({ process_id, seen_at_ms: Date.now() - ageMs });
    const one = await openHeartbeats(storage, log);
    assert.equal(one.liveCount(), 1);
    await storage.db
      .insertInto('process_heartbeats')
      .values([row('young', 10_000), row('old', 16_000)])
      .execute();
    const two = await openHeartbeats(storage, log);
    assert.equal(two.liveCount(), 3);
    assert.equal(one.liveCount(), 1, 'until it looks again');
    await one.beat();
    assert.equal(one.liveCount(), 3);
    await two.close();
    await one.beat();
    assert.equal(one.liveCount(), 2);
    await one.close();
  });

  test('without the database the last count stays', async () => {
    const lost = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'lost.sqlite'), log });
    const [one, two] = [await openHeartbeats(lost, log), await openHeartbeats(lost, log)];
    assert.equal(two.liveCount(), 2);
    await lost.close();
    await two.beat();
    assert.equal(two.liveCount(), 2);
    await Promise.all([one.close(), two.close()]);
  });
});
