import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import { ManualClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { postgresCause } from '../../src/storage/postgres/address.ts';
import { BTC, minuteOf } from '../history/keeping.ts';
import { launchPostgres } from '../support/servers.ts';
import { openFor, silentLog, until } from './databases.ts';

const postgres = await launchPostgres();
const skip = typeof postgres === 'string' ? postgres : false;
after(async () => {
  if (typeof postgres !== 'string') await postgres.stop();
});

const causeOf = async (work: Promise<unknown>) => {
  try {
    await work;
  } catch (error) {
    return postgresCause(error);
  }
  return 'it did not fail';
};

describe('PostgreSQL that restarts', { skip }, () => {
  test('connections work again afterwards; during the restart queries fail with the cause', async (t) => {
    if (typeof postgres === 'string') assert.fail();
    const databaseUrl = await postgres.createDatabase();
    const storage = await openFor(t, { databaseUrl, sqliteFile: '', log: silentLog });
    if (storage.kind !== 'postgres') assert.fail();
    let notices = 0;
    await storage.listener.on('test', () => notices++);
    storage.listener.onReconnect(() => notices++);
    const clock = new ManualClock(Date.UTC(2026, 10, 14));
    const keeper = await SettlementKeeper.open({ storage, clock, log: silentLog, metrics: createMetrics() });
    const submit = (at: string) =>
      keeper.submit({
        names: BTC,
        prints: [{ minute: minuteOf(at), ratePct: 0.01 }],
        walked: null,
        onConflict: 'replace',
      });
    await submit('2026-11-13T00:00:00Z');
    const noticesBefore = notices;

    // When the server stops, one transaction is idle between statements and another waits for a result.
    let halted: () => void = () => undefined;
    const isHalted = new Promise<void>((resolve) => {
      halted = resolve;
    });
    const resting = causeOf(
      storage.db.transaction().execute(async (trx) => {
        await sql`select 1`.execute(trx);
        await isHalted;
        await sql`select 1`.execute(trx);
      }),
    );
    const waiting = causeOf(sql`select pg_sleep(60)`.execute(storage.db));
    await until(async () => {
      const { rows } = await sql<{ busy: number }>`select count(*) as busy from pg_stat_activity
        where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()`.execute(storage.db);
      return rows[0]?.busy === 1;
    });
    await postgres.halt();
    halted();
    assert.equal(await waiting, 'the server was shut down');
    assert.equal(await resting, 'the connection was lost');
    assert.equal(await causeOf(sql`select 1`.execute(storage.db)), 'the connection was refused');
    const late = submit('2026-11-13T08:00:00Z');

    await postgres.resume();
    assert.equal((await late).added.length, 1, 'a print waits for the database to come back');
    const contract = keeper.directory.find('Binance', 'BTCUSDT');
    assert.ok(contract);
    const { minutes } = await keeper.prints(contract, 0, clock.nowMs());
    assert.deepEqual(minutes, [minuteOf('2026-11-13T00:00:00Z'), minuteOf('2026-11-13T08:00:00Z')]);
    await until(() => notices > noticesBefore);
    const heard = notices;
    await sql`select pg_notify('test', '')`.execute(storage.db);
    await until(() => notices > heard);
    await keeper.close();
  });
});
