import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { CompiledQuery, sql } from 'kysely';
import { postgresAddress } from '../../src/storage/postgres/address.ts';
import { notify } from '../../src/storage/postgres/notify.ts';
import { openSession } from '../../src/storage/postgres/session.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { cutProxy } from '../cluster/cut-proxy.ts';
import {
  freshPostgres,
  freshSqlite,
  onBothDatabases,
  openFor,
  silentLog,
  skipPostgres,
  temporaryFolder,
  until,
} from './databases.ts';

const accountRow = (id: string) => ({
  id,
  name: id,
  email: null,
  plan: 'demo',
  host_tier: null,
  created_at_ms: 1_800_000_000_123,
  revision: 1,
  suspended_at_ms: null,
  deleted_at_ms: null,
  starred_coins: null,
  order_size_usd: null,
  taker_fees: null,
});

const used = async (storage: Storage) => {
  const row = await storage.db.selectFrom('slot_months').select('used').executeTakeFirst();
  return row?.used;
};

describe('both databases return the same', () => {
  onBothDatabases((fresh) => {
    test('times as numbers, text, null', async (t) => {
      const { db } = await openFor(t, await fresh(t));
      await db.insertInto('accounts').values(accountRow('a')).execute();
      const row = await db.selectFrom('accounts').selectAll().executeTakeFirstOrThrow();
      assert.deepEqual({ ...row }, accountRow('a'));
    });

    test('counts and sums as numbers', async (t) => {
      const { db } = await openFor(t, await fresh(t));
      await db
        .insertInto('accounts')
        .values([accountRow('a'), accountRow('b')])
        .execute();
      const row = await db
        .selectFrom('accounts')
        .select((select) => [
          select.fn.countAll<number>().as('rows'),
          select.fn.sum<number>('created_at_ms').as('sum'),
        ])
        .executeTakeFirstOrThrow();
      assert.deepEqual({ ...row }, { rows: 2, sum: 3_600_000_000_246 });
    });

    test('bytes unchanged', async (t) => {
      const { db } = await openFor(t, await fresh(t));
      const frame = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
      await db.insertInto('snapshot_frames').values({ series: 'live', as_of_ms: 1, frame }).execute();
      const row = await db.selectFrom('snapshot_frames').select('frame').executeTakeFirstOrThrow();
      assert.ok(row.frame instanceof Uint8Array);
      assert.ok(Buffer.from(frame).equals(row.frame));
    });

    test('a row whose parent is missing is refused', async (t) => {
      const { db } = await openFor(t, await fresh(t));
      const slot = { id: 's', account_id: 'nobody', kind: 'key' as const, number: 1 };
      await assert.rejects(db.insertInto('slots').values(slot).execute(), /foreign key/i);
    });

    test('increments of two connections add up', async (t) => {
      const options = await fresh(t);
      const storages = [await openFor(t, options), await openFor(t, options)];
      const month = { slot_id: 's', month_start_ms: 0, used: 0 };
      await storages[0]?.db.insertInto('slot_months').values(month).execute();
      const add = (storage: Storage) =>
        storage.db.transaction().execute(async (trx) => {
          const query = trx.selectFrom('slot_months').select('used').where('slot_id', '=', 's');
          const locked = storage.kind === 'postgres' ? query.forUpdate() : query;
          const row = await locked.executeTakeFirstOrThrow();
          await trx
            .updateTable('slot_months')
            .set({ used: row.used + 1 })
            .execute();
        });
      for (let round = 0; round < 20; round++) for (const storage of storages) await add(storage);
      assert.equal(await used(storages[0] ?? assert.fail()), 40);
    });
  });
});

describe('SQLite', () => {
  test('a missing folder is created', async (t) => {
    const sqliteFile = join(temporaryFolder(t), 'a', 'b', 'perpwire.sqlite');
    await openFor(t, { databaseUrl: null, sqliteFile, log: silentLog });
  });

  test('a folder that cannot be created is named', async (t) => {
    const blocker = join(temporaryFolder(t), 'file');
    writeFileSync(blocker, '');
    const sqliteFile = join(blocker, 'sub', 'perpwire.sqlite');
    await assert.rejects(openStorage({ databaseUrl: null, sqliteFile, log: silentLog }), {
      name: 'StorageError',
      message: `Cannot create the folder ${join(blocker, 'sub')} for the database: a part of the path is a file, not a folder; choose another --data-dir`,
    });
  });

  test('a folder in the place of the file is named', async (t) => {
    const sqliteFile = join(temporaryFolder(t), 'folder');
    mkdirSync(sqliteFile);
    await assert.rejects(openStorage({ databaseUrl: null, sqliteFile, log: silentLog }), {
      name: 'StorageError',
      message: `Cannot open the database file ${sqliteFile}: it cannot be opened; check the permissions of the file and its folder, or choose another --data-dir`,
    });
  });

  test('a file that is not a database is named', async (t) => {
    const sqliteFile = join(temporaryFolder(t), 'notes.txt');
    writeFileSync(
      sqliteFile,
      'not a database, just a text that is long enough to be read as a page header\n'.repeat(50),
    );
    await assert.rejects(openStorage({ databaseUrl: null, sqliteFile, log: silentLog }), {
      name: 'StorageError',
      message: `Cannot open the database file ${sqliteFile}: file is not a database; move it away or choose another --data-dir`,
    });
  });

  test('the second reader sees commits of other connections and nothing uncommitted', async (t) => {
    const options = await freshSqlite(t);
    const storage = await openFor(t, options);
    if (storage.kind !== 'sqlite') assert.fail();
    const reader = storage.openReader();
    t.after(() => reader.close());
    const query = storage.db.selectFrom('accounts').select('id').compile();
    const before = reader.commits();
    assert.equal(reader.commits(), before);
    await storage.db.transaction().execute(async (trx) => {
      await trx.insertInto('accounts').values(accountRow('a')).execute();
      assert.equal(reader.commits(), before);
      assert.equal(reader.rows(query).length, 0);
    });
    assert.notEqual(reader.commits(), before);
    assert.deepEqual(
      reader.rows(query).map((row) => row.id),
      ['a'],
    );
  });

  test('the second reader never delays a checkpoint', async (t) => {
    const storage = await openFor(t, await freshSqlite(t));
    if (storage.kind !== 'sqlite') assert.fail();
    const reader = storage.openReader();
    t.after(() => reader.close());
    reader.commits();
    reader.rows(storage.db.selectFrom('accounts').select('id').compile());
    const result = await storage.db.executeQuery<{ busy: number }>(
      CompiledQuery.raw('pragma wal_checkpoint(truncate)'),
    );
    assert.equal(result.rows[0]?.busy, 0);
  });
});

describe('PostgreSQL', { skip: skipPostgres }, () => {
  const failure = async (databaseUrl: string): Promise<string> => {
    try {
      await (await openStorage({ databaseUrl, sqliteFile: '', log: silentLog })).close();
    } catch (error) {
      assert.ok(error instanceof Error);
      assert.equal(error.name, 'StorageError');
      return error.message;
    }
    return assert.fail('it opened');
  };
  const changed = async (t: Parameters<typeof freshPostgres>[0], change: (url: URL) => void) => {
    const url = new URL((await freshPostgres(t)).databaseUrl ?? '');
    change(url);
    return url;
  };

  test('a port where nothing listens', async (t) => {
    const url = await changed(t, (to) => {
      to.port = '1';
    });
    assert.equal(
      await failure(url.href),
      `Cannot use the PostgreSQL database "${url.pathname.slice(1)}" at 127.0.0.1:1: the connection was refused`,
    );
  });

  test('a wrong password, which the message does not repeat', async (t) => {
    const url = await changed(t, (to) => {
      to.password = 'wrong-secret';
    });
    const message = await failure(url.href);
    assert.match(message, /the user name or password is wrong$/);
    assert.doesNotMatch(message, /wrong-secret/);
  });

  test('a database that does not exist', async (t) => {
    const url = await changed(t, (to) => {
      to.pathname = '/nowhere';
    });
    assert.match(
      await failure(url.href),
      /database "nowhere" at 127\.0\.0\.1:\d+: there is no such database$/,
    );
  });

  test('a host name that does not exist', async (t) => {
    const url = await changed(t, (to) => {
      to.hostname = 'no-such-host.invalid';
    });
    assert.match(await failure(url.href), /at no-such-host\.invalid:\d+: the host name /);
  });

  test('another kind of URL', async () => {
    const expected = 'The database URL must look like postgres://user:password@host:5432/database';
    assert.equal(await failure('mysql://user:secret@host/db'), expected);
  });

  test('text that is not a URL', async () => {
    const expected = 'The database URL must look like postgres://user:password@host:5432/database';
    assert.equal(await failure('secret'), expected);
  });

  test('a listener receives notifications with their text on each channel, also after a reconnect, of which it is told', async (t) => {
    const storage = await openFor(t, await freshPostgres(t));
    if (storage.kind !== 'postgres') assert.fail();
    const { db, listener } = storage;
    const heard: string[] = [];
    let reconnects = 0;
    listener.onReconnect(() => reconnects++);
    await listener.on('first', (text) => heard.push(`first ${text}`));
    const remove = await listener.on('second', (text) => heard.push(`second ${text}`));
    await notify(db, 'first', 'a');
    await notify(db, 'second', 'b');
    await until(() => heard.length === 2);
    assert.deepEqual(heard, ['first a', 'second b']);
    assert.equal(reconnects, 0);
    const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
      where query like 'listen%' and datname = current_database()`.execute(db);
    assert.equal(rows.length, 1, 'both channels use one connection');
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
    await until(() => reconnects === 1);
    remove();
    await notify(db, 'second', 'c');
    await notify(db, 'first', 'd');
    await until(() => heard.length === 3);
    assert.equal(heard[2], 'first d', 'the removed handler hears nothing');
  });

  test('a notification inside a transaction arrives when it commits, and not if it is rolled back', async (t) => {
    const storage = await openFor(t, await freshPostgres(t));
    if (storage.kind !== 'postgres') assert.fail();
    const heard: string[] = [];
    await storage.listener.on('channel', (text) => heard.push(text));
    await assert.rejects(
      storage.db.transaction().execute(async (trx) => {
        await notify(trx, 'channel', 'rolled back');
        throw new Error('no');
      }),
    );
    await storage.db.transaction().execute((trx) => notify(trx, 'channel', 'committed'));
    await until(() => heard.length > 0);
    assert.deepEqual(heard, ['committed']);
  });

  test('a session whose server no longer replies is noticed and closed', async (t) => {
    const { databaseUrl } = await freshPostgres(t);
    if (databaseUrl === null) assert.fail();
    const url = new URL(databaseUrl);
    const proxy = await cutProxy(t, Number(url.port));
    url.port = String(proxy.port);
    let cause = '';
    const session = await openSession(postgresAddress(url.href), {
      heartbeatMs: 20,
      replyTimeoutMs: 200,
      onLost: (reason) => {
        cause = reason;
      },
    });
    t.after(() => session.close());
    assert.deepEqual(await session.query('select 1 as one'), [{ one: 1 }]);
    proxy.silence();
    await until(() => cause !== '');
    assert.match(cause, /no reply/);
  });
});
