import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { ManualClock } from '../../src/base/clock.ts';
import { createMetrics } from '../../src/base/metrics.ts';
import { SettlementKeeper } from '../../src/history/settlements/keeper.ts';
import { openReplica } from '../../src/storage/postgres/replica.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { BTC, minuteOf } from '../history/keeping.ts';
import { launchPostgres, type PostgresServer } from '../support/servers.ts';
import { openFor, silentLog, until } from './databases.ts';

const primary = await launchPostgres();
const skip = typeof primary === 'string' ? primary : false;
const servers: PostgresServer[] = [];
after(async () => {
  for (const server of servers) await server.stop();
  if (typeof primary !== 'string') await primary.stop();
});

const NOW_MS = Date.UTC(2026, 10, 14);
const clock = new ManualClock(NOW_MS);

const on = (server: PostgresServer, databaseUrl: string) =>
  Object.assign(new URL(databaseUrl), { port: new URL(server.url).port }).href;

async function asked(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('a read replica of history', { skip }, () => {
  test('is read while it is current; if it is behind or unavailable, the primary is read', async (t) => {
    if (typeof primary === 'string') assert.fail();
    const databaseUrl = await primary.createDatabase();
    const follower = await primary.follow();
    servers.push(follower);
    const replicaUrl = on(follower, databaseUrl);
    const storage = await openFor(t, { databaseUrl, replicaUrl, sqliteFile: '', log: silentLog });
    const metrics = createMetrics();
    const keeper = await SettlementKeeper.open({ storage, clock, log: silentLog, metrics });
    t.after(() => keeper.close());
    const submit = (at: string) =>
      keeper.submit({
        names: BTC,
        prints: [{ minute: minuteOf(at), ratePct: 0.01 }],
        walked: null,
        onConflict: 'replace',
      });
    const read = async () => {
      const contract = keeper.directory.find('Binance', 'BTCUSDT');
      assert.ok(contract);
      return (await keeper.prints(contract, 0, NOW_MS)).minutes.length;
    };
    const reads = async (from: string) =>
      (await metrics.historyReads.get()).values.find(({ labels }) => labels.from === from)?.value ?? 0;
    /** Everything that is in the primary now: tables are created shortly before, and the replica may lack those too. */
    const caughtUp = async () => {
      const [written] = await asked(databaseUrl, 'select pg_current_wal_lsn()::text as place');
      const { place } = written as { place: string };
      const isReplayed = `select pg_last_wal_replay_lsn() >= '${place}'::pg_lsn as is_replayed`;
      await until(async () => {
        const [row] = await asked(replicaUrl, isReplayed);
        return (row as { is_replayed: boolean }).is_replayed;
      });
    };

    await submit('2026-11-13T00:00:00Z');
    await caughtUp();
    assert.equal(await read(), 1);
    assert.equal(await reads('replica'), 1);

    await asked(replicaUrl, 'select pg_wal_replay_pause()');
    await submit('2026-11-13T08:00:00Z');
    assert.equal(await read(), 2, 'what we have written is in the answer');
    assert.deepEqual([await reads('replica'), await reads('primary_replica_behind')], [1, 1]);

    await asked(replicaUrl, 'select pg_wal_replay_resume()');
    await caughtUp();
    assert.equal(await read(), 2);
    assert.equal(await reads('replica'), 2);

    const [first = []] = await keeper.reader.days([1, 2], 20_000, 21_000);
    assert.equal(
      first.length,
      1,
      'days are read there too, and a contract that has none is no reason not to',
    );
    assert.equal(await reads('replica'), 3);

    await follower.halt();
    await submit('2026-11-13T16:00:00Z');
    assert.equal(await read(), 3);
    assert.equal(await read(), 3);
    assert.equal(await reads('primary_replica_away'), 2);
  });

  test('a replica that is down does not keep the service from starting', async (t) => {
    if (typeof primary === 'string') assert.fail();
    const databaseUrl = await primary.createDatabase();
    const replicaUrl = 'postgres://nobody:secret@127.0.0.1:1/nothing';
    const storage = await openFor(t, { databaseUrl, replicaUrl, sqliteFile: '', log: silentLog });
    assert.equal((await sql<{ one: number }>`select 1 as one`.execute(storage.db)).rows[0]?.one, 1);
  });

  test('an invalid address is refused without showing its password', async () => {
    if (typeof primary === 'string') assert.fail();
    const databaseUrl = await primary.createDatabase();
    const replicaUrl = 'mysql://nobody:secret@somewhere';
    await assert.rejects(openStorage({ databaseUrl, replicaUrl, sqliteFile: '', log: silentLog }), {
      name: 'StorageError',
      message: 'The database URL must look like postgres://user:password@host:5432/database',
    });
  });

  test('a query on a replica that hangs times out', async (t) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const address = { url: `postgres://nobody@127.0.0.1:${port}/nothing`, label: 'replica' };
    const replica = openReplica(address, silentLog);
    t.after(async () => {
      silent.close();
      await replica.close();
    });
    assert.equal(await replica.rows('select 1', []), null);
  });

  test('a replica that fails is not used for a while', async (t) => {
    if (typeof primary === 'string') assert.fail();
    const replica = openReplica({ url: primary.url, label: 'replica' }, silentLog);
    t.after(() => replica.close());
    assert.equal(await replica.rows('select * from no_such_table', []), null);
    assert.equal(await replica.rows('select 1', []), null);
  });
});
