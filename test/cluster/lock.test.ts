import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { createMetrics } from '../../src/base/metrics.ts';
import { JobLock, type JobLockOptions } from '../../src/cluster/lock.ts';
import { openStorage, type PostgresStorage } from '../../src/storage/storage.ts';
import { freshPostgres, silentLog, skipPostgres, until } from '../storage/databases.ts';
import { cutProxy } from './cut-proxy.ts';

const LEASE_MS = 900;

async function storageAt(t: TestContext, databaseUrl: string): Promise<PostgresStorage> {
  const storage = await openStorage({ databaseUrl, sqliteFile: '', log: silentLog });
  if (storage.kind !== 'postgres') throw new Error('needs PostgreSQL');
  t.after(() => storage.close());
  return storage;
}

async function competing(t: TestContext, storage: PostgresStorage, options: Partial<JobLockOptions> = {}) {
  const taken: number[] = [];
  let superseded = 0;
  const metrics = createMetrics();
  const lock = new JobLock({
    job: 'engine',
    storage,
    leaseMs: LEASE_MS,
    log: silentLog,
    metrics,
    onTaken: (number) => taken.push(number),
    onSuperseded: () => superseded++,
    ...options,
  });
  t.after(() => lock.stop());
  await lock.start();
  return {
    lock,
    taken,
    superseded: () => superseded,
    held: async () => (await metrics.leaseHeld.get()).values.map(({ value }) => value),
  };
}

/** Ends the sessions that hold or want the lock, or only the holder's. */
async function endSessions({ db }: PostgresStorage, which: 'holder' | 'all'): Promise<void> {
  await sql`select pg_terminate_backend(a.pid) from pg_stat_activity a
    where a.datname = current_database() and a.pid <> pg_backend_pid() and (
      exists (select 1 from pg_locks l where l.pid = a.pid and l.locktype = 'advisory')
      or (${which} = 'all' and a.query like '%advisory%'))`.execute(db);
}

suite('the lock of a job that one process does', { skip: skipPostgres }, () => {
  test('one process holds it; when it stops the next one has it, with the next number', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const storage = await storageAt(t, databaseUrl ?? '');
    const [first, second] = [await competing(t, storage), await competing(t, storage)];
    assert.equal(first.lock.number(), 1);
    assert.deepEqual([second.lock.number(), second.taken], [null, []]);
    assert.deepEqual([await first.held(), await second.held()], [[1], [0]]);
    await first.lock.stop();
    assert.equal(first.lock.number(), null);
    await until(() => second.lock.number() === 2, 'the next holder');
    assert.deepEqual([await first.held(), await second.held()], [[0], [1]]);
    assert.equal(first.superseded() + second.superseded(), 0);
  });

  test('each job has its own lock', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const storage = await storageAt(t, databaseUrl ?? '');
    const [engine, alerts] = [await competing(t, storage), await competing(t, storage, { job: 'alerts' })];
    assert.deepEqual([engine.lock.number(), alerts.lock.number()], [1, 1]);
  });

  test('without its connection nothing may be written; then the same process goes on, if no other came between', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const storage = await storageAt(t, databaseUrl ?? '');
    const { lock, taken, superseded } = await competing(t, storage);
    await endSessions(storage, 'holder');
    await until(() => lock.number() !== 1, 'the loss noticed');
    await until(() => lock.number() === 2, 'the lock again');
    assert.deepEqual(taken, [1, 2]);
    assert.equal(superseded(), 0);
  });

  test('a former holder is told when another process has taken over', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const url = new URL(databaseUrl ?? '');
    const storage = await storageAt(t, databaseUrl ?? '');
    const proxy = await cutProxy(t, Number(url.port));
    url.port = String(proxy.port);
    const first = await competing(t, await storageAt(t, url.href));
    const second = await competing(t, storage);
    proxy.cut();
    await until(() => second.lock.number() === 2, 'the other process');
    assert.equal(first.lock.number(), null);
    assert.equal(first.superseded(), 0, 'it cannot know yet');
    proxy.heal();
    await until(() => first.superseded() === 1, 'it is told');
    assert.equal(second.lock.number(), 2);
  });

  test('a server that no longer replies ends the right to write before the server frees the lock', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const url = new URL(databaseUrl ?? '');
    const storage = await storageAt(t, databaseUrl ?? '');
    const proxy = await cutProxy(t, Number(url.port));
    url.port = String(proxy.port);
    const first = await competing(t, await storageAt(t, url.href));
    let numberAtTakeover: number | null = -1;
    const second = await competing(t, storage, {
      onTaken: () => {
        numberAtTakeover = first.lock.number();
      },
    });
    assert.equal(first.lock.number(), 1);
    // The server notices the silent session by its timeout, and the process by its heartbeat.
    proxy.silence();
    await until(() => second.lock.number() === 2, 'the other process');
    assert.equal(numberAtTakeover, null, 'never two at a time');
  });

  test('after an outage of the server the former holder comes first', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const storage = await storageAt(t, databaseUrl ?? '');
    const first = await competing(t, storage);
    const others = await Promise.all([competing(t, storage), competing(t, storage), competing(t, storage)]);
    for (let number = 2; number <= 4; number++) {
      await endSessions(storage, 'all');
      await until(() => first.lock.number() === number, 'the former holder');
    }
    assert.deepEqual(first.taken, [1, 2, 3, 4]);
    assert.deepEqual(
      others.flatMap(({ taken }) => taken),
      [],
    );
  });

  test('a number that was raised past the holder’s is taken over by the next one', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const storage = await storageAt(t, databaseUrl ?? '');
    const { lock } = await competing(t, storage);
    await storage.db.updateTable('fences').set({ fence: 1_800_000_000_000 }).execute();
    await until(() => lock.number() === 1_800_000_000_001, 'the next number');
  });

  test('whoever wants the lock and loses the connection competes again', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    const storage = await storageAt(t, databaseUrl ?? '');
    const [first, second] = [await competing(t, storage), await competing(t, storage)];
    await endSessions(storage, 'all');
    await until(() => (first.lock.number() ?? second.lock.number()) !== null, 'one of them');
    await first.lock.stop();
    await until(() => second.lock.number() !== null, 'the other');
  });
});
