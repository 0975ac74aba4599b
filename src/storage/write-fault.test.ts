import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { watchDependencies } from '../wiring/dependencies.ts';
import { openStorage } from './storage.ts';

suite('a database file that cannot be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-full-'));
  const log = createLog('silent');
  const storage = await openStorage({ databaseUrl: null, sqliteFile: join(folder, 'full.sqlite'), log });
  const dependencies = watchDependencies({ storage, redis: null, log, metrics: createMetrics() });
  const { db } = storage;
  await sql`create table filler (bytes blob)`.execute(db);
  const fill = () => sql`insert into filler values (zeroblob(100000))`.execute(db);
  const allowPages = (pages: number) => sql.raw(`pragma max_page_count = ${pages}`).execute(db);
  after(async () => {
    await dependencies.stop();
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  test('reports nothing while it grows', async () => {
    await fill();
    assert.deepEqual(dependencies.unavailable(), []);
  });

  test('is reported with SQLite’s message', async () => {
    await allowPages(1);
    await assert.rejects(fill(), /full/);
    assert.deepEqual(dependencies.unavailable(), [
      'The database file cannot be written to: database or disk is full',
    ]);
  });

  test('is reported if a transaction fails, and reads do not hide it', async () => {
    await assert.rejects(
      db.transaction().execute(async (trx) => {
        await sql`select count(*) from filler`.execute(trx);
        await sql`insert into filler values (zeroblob(100000))`.execute(trx);
      }),
      /full/,
    );
    await sql`select count(*) from filler`.execute(db);
    assert.equal(dependencies.unavailable().length, 1);
  });

  test('an error that is not of the disk is not reported', async () => {
    await allowPages(1_000_000);
    await fill();
    await assert.rejects(sql`insert into nowhere values (1)`.execute(db), /no such table/);
    assert.deepEqual(dependencies.unavailable(), []);
  });
});
