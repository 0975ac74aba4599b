import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { sql } from 'kysely';
import { until } from '../../test/support/until.ts';
import { createLog } from '../base/log.ts';
import { createMetrics } from '../base/metrics.ts';
import { watchDependencies } from '../wiring/dependencies.ts';
import { diskFaultSentences } from './disk-state.ts';
import { openStorage } from './storage.ts';

suite('a database file that cannot be written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-full-'));
  const log = createLog('silent');
  let nowMs = 0;
  const storage = await openStorage({
    databaseUrl: null,
    sqliteFile: join(folder, 'full.sqlite'),
    log,
    monotonicMs: () => nowMs,
  });
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

  const fault = () => dependencies.diskFaults().unwritable;

  test('reports nothing while it grows', async () => {
    await fill();
    assert.equal(fault(), null);
  });

  test('is reported with SQLite’s message', async () => {
    await allowPages(1);
    await assert.rejects(fill(), /full/);
    assert.equal(fault(), 'database or disk is full');
    assert.deepEqual(diskFaultSentences(dependencies.diskFaults()), [
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
    assert.notEqual(fault(), null);
  });

  test('is reported if a statement that returns rows fails', async () => {
    if (storage.kind === 'sqlite') storage.disk.writable();
    await assert.rejects(
      sql`insert into filler values (zeroblob(100000)) returning length(bytes)`.execute(db),
      /full/,
    );
    assert.notEqual(fault(), null);
  });

  test('stays reported while small writes succeed, until none has failed for ten seconds and a large one succeeds', async () => {
    await sql`update filler set bytes = null`.execute(db);
    assert.notEqual(fault(), null);
    await allowPages(1_000_000);
    await fill();
    assert.notEqual(fault(), null, 'one success is not enough');
    nowMs += 10_000;
    await until(() => fault() === null, 'the end of the fault');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('room')),
      [],
    );
  });

  test('an error that is not of the disk is not reported', async () => {
    await assert.rejects(sql`insert into nowhere values (1)`.execute(db), /no such table/);
    assert.deepEqual(dependencies.diskFaults(), { unwritable: null, damage: null });
  });
});
