import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { sql } from 'kysely';
import { SampleStore } from '../../src/history/samples/store.ts';
import { backup } from '../../src/storage/backup/backup.ts';
import { BackupWriter, backupHeader, openBackup } from '../../src/storage/backup/file.ts';
import { restore } from '../../src/storage/backup/restore.ts';
import { type BackupSource, postgresSource, sqliteSource } from '../../src/storage/backup/source.ts';
import { tablesAfter } from '../../src/storage/backup/tables.ts';
import { loadMigrations, type Migration } from '../../src/storage/migrate.ts';
import { DEPTH_PARTITIONS, partitionStarts } from '../../src/storage/partitions.ts';
import { postgresAddress } from '../../src/storage/postgres/address.ts';
import { openPostgres } from '../../src/storage/postgres/pool.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/storage.ts';
import { minute } from '../backtest/setting.ts';
import {
  type FreshDatabase,
  freshPostgres,
  freshSqlite,
  onBothDatabases,
  openFor,
  silentLog,
  skipPostgres,
  temporaryFolder,
} from './databases.ts';

const NOON = Date.UTC(2026, 10, 14, 12) / 60_000;

async function sourceOf({ databaseUrl, sqliteFile }: StorageOptions): Promise<BackupSource> {
  return databaseUrl === null ? sqliteSource(sqliteFile) : await postgresSource(postgresAddress(databaseUrl));
}

async function backUp(options: StorageOptions, file: string, migrations?: readonly Migration[]) {
  const source = await sourceOf(options);
  try {
    const onProgress = () => undefined;
    return await backup({ source, file, log: silentLog, onProgress, ...(migrations ? { migrations } : {}) });
  } finally {
    await source.close();
  }
}

async function restoreTo(
  { databaseUrl, sqliteFile }: StorageOptions,
  file: string,
  { isForced = false, migrations }: { isForced?: boolean; migrations?: readonly Migration[] } = {},
) {
  const kind = databaseUrl === null ? 'sqlite' : 'postgres';
  const db =
    databaseUrl === null
      ? openSqlite(sqliteFile)
      : await openPostgres(postgresAddress(databaseUrl), silentLog);
  try {
    return await restore({
      db,
      kind,
      file,
      isForced,
      log: silentLog,
      onProgress: () => undefined,
      ...(migrations ? { migrations } : {}),
    });
  } finally {
    await db.destroy();
  }
}

const addAccount = ({ db }: Storage, id: string) =>
  db
    .insertInto('accounts')
    .values({ id, name: id, email: null, plan: 'demo', host_tier: null, created_at_ms: 5, revision: 1 })
    .execute();

const accountsOf = async ({ db }: Storage) =>
  (await db.selectFrom('accounts').select('id').orderBy('id').execute()).map(({ id }) => id);

/** A database with an account of the given name, and its backup. */
async function backedUp(t: TestContext, fresh: FreshDatabase, account: string) {
  const options = await fresh(t);
  const storage = await openStorage(options);
  await addAccount(storage, account);
  await storage.close();
  const file = join(temporaryFolder(t), 'backup');
  await backUp(options, file);
  return { options, file };
}

/** A database with the account "kept", which a refused file must not change. */
async function stays(t: TestContext, fresh: FreshDatabase, file: string, message: RegExp) {
  const options = await fresh(t);
  const storage = await openStorage(options);
  await addAccount(storage, 'kept');
  await storage.close();
  await assert.rejects(restoreTo(options, file, { isForced: true }), { name: 'StorageError', message });
  assert.deepEqual(await accountsOf(await openFor(t, options)), ['kept']);
}

describe('backup and restore', () => {
  onBothDatabases((fresh) => {
    test('every kind of value is restored unchanged', async (t) => {
      const options = await fresh(t);
      const storage = await openStorage(options);
      const account = {
        id: 'a',
        name: 'line\nbreak, "quotes", \\ and Ünïcode 🙂',
        email: null,
        plan: 'demo',
        host_tier: '',
        created_at_ms: 1_800_000_000_123,
        revision: 2 ** 52,
        suspended_at_ms: null,
        deleted_at_ms: 1_800_000_000_456,
        starred_coins: 'BTC,ETH',
        order_size_usd: 20_000,
        taker_fees: 'Binance:0.02',
      };
      await storage.db.insertInto('accounts').values(account).execute();
      const frame = Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 256);
      await storage.db.insertInto('snapshot_frames').values({ series: 's', as_of_ms: 1, frame }).execute();
      const correction = {
        contract_id: 1,
        minute: 2,
        old_rate_pct: 0.1 + 0.2,
        new_rate_pct: -1e-9,
        seen_at_ms: 3,
      };
      await storage.db.insertInto('settlement_corrections').values(correction).execute();
      await storage.close();
      const file = join(temporaryFolder(t), 'backup');
      assert.equal((await backUp(options, file)).rows, 5);
      for (const target of skipPostgres ? [freshSqlite] : [freshSqlite, freshPostgres]) {
        const into = await target(t);
        assert.equal((await restoreTo(into, file)).rows, 5);
        const { db } = await openFor(t, into);
        assert.deepEqual({ ...(await db.selectFrom('accounts').selectAll().executeTakeFirst()) }, account);
        const held = await db.selectFrom('snapshot_frames').select('frame').executeTakeFirstOrThrow();
        assert.ok(Buffer.from(frame).equals(held.frame));
        assert.deepEqual(
          { ...(await db.selectFrom('settlement_corrections').selectAll().executeTakeFirst()) },
          correction,
        );
      }
    });

    test('a database with data is refused unless --force deletes it', async (t) => {
      const { file } = await backedUp(t, fresh, 'from-backup');
      const options = await fresh(t);
      const storage = await openStorage(options);
      await addAccount(storage, 'old');
      await storage.close();
      await assert.rejects(restoreTo(options, file), {
        name: 'StorageError',
        message: /^the database is not empty: there are rows in accounts\. .*--force$/,
      });
      await restoreTo(options, file, { isForced: true });
      assert.deepEqual(await accountsOf(await openFor(t, options)), ['from-backup']);
    });

    test('a database that was only migrated counts as empty', async (t) => {
      const { file } = await backedUp(t, fresh, 'from-backup');
      const options = await fresh(t);
      await (await openStorage(options)).close();
      await restoreTo(options, file);
      assert.deepEqual(await accountsOf(await openFor(t, options)), ['from-backup']);
    });

    test('a backup of an older version is migrated', async (t) => {
      const older = (await loadMigrations()).filter(({ name }) => name < '0030');
      const options = await fresh(t);
      const storage = await openStorage({ ...options, migrations: older });
      const samples = new SampleStore(storage);
      await samples.open();
      await samples.add(minute(NOON, { 1: [99, 101] }));
      await storage.close();
      const file = join(temporaryFolder(t), 'backup');
      await backUp(options, file);
      assert.deepEqual(
        (await openBackup(file)).header.migrations,
        older.map(({ name }) => name),
      );
      for (const target of skipPostgres ? [freshSqlite] : [freshSqlite, freshPostgres]) {
        const into = await target(t);
        await restoreTo(into, file);
        const restored = await openFor(t, into);
        assert.equal((await new SampleStore(restored).nextAfter(0))?.startMinute, NOON);
        if (restored.kind === 'postgres')
          assert.deepEqual(await partitionStarts(restored.db, DEPTH_PARTITIONS), [NOON - 720]);
      }
    });

    test('a backup of a newer version is refused by name', async (t) => {
      const options = await fresh(t);
      const newer = [...(await loadMigrations()), { name: '9999-from-the-future', up: async () => {} }];
      await (await openStorage({ ...options, migrations: newer })).close();
      const file = join(temporaryFolder(t), 'backup');
      await backUp(options, file, newer);
      await stays(t, fresh, file, /made by a newer version of Perpwire.*9999-from-the-future/);
    });

    test('a database of a newer version is neither backed up nor overwritten', async (t) => {
      const { file } = await backedUp(t, fresh, 'a');
      const options = await fresh(t);
      const newer = [...(await loadMigrations()), { name: '9999-from-the-future', up: async () => {} }];
      await (await openStorage({ ...options, migrations: newer })).close();
      await assert.rejects(backUp(options, `${file}-2`), /made by a newer version.*9999-from-the-future/);
      await assert.rejects(restoreTo(options, file, { isForced: true }), /9999-from-the-future/);
    });

    test('a damaged file leaves the database unchanged', async (t) => {
      const { file } = await backedUp(t, fresh, 'from-backup');
      const lines = zstdDecompressSync(readFileSync(file)).toString();
      const forged = zstdCompressSync(
        Buffer.from(lines.replace('"from-backup","from', '"from-forger","from')),
      );
      writeFileSync(file, forged);
      await stays(t, fresh, file, /backup is damaged: its checksum does not fit its content/);
    });

    test('a truncated file leaves the database unchanged', async (t) => {
      const { file } = await backedUp(t, fresh, 'from-backup');
      const lines = zstdDecompressSync(readFileSync(file)).toString().trimEnd().split('\n');
      writeFileSync(file, zstdCompressSync(Buffer.from(`${lines.slice(0, -1).join('\n')}\n`)));
      await stays(t, fresh, file, /backup ends too early: it is not the whole backup/);
    });
  });

  /** The compressor's last bytes: the rows and their SHA-256 are whole without them. */
  const END_BYTES = 16;

  test('a changed byte and a cut at any place are detected', async (t) => {
    const { file } = await backedUp(t, freshSqlite, 'a');
    const good = readFileSync(file);
    /** What the file holds; null if it is refused. */
    const held = async () => {
      const rows: unknown[] = [];
      try {
        for await (const row of (await openBackup(file)).rows()) rows.push(row);
        return JSON.stringify(rows);
      } catch (error) {
        assert.equal(error instanceof Error && error.name, 'StorageError', String(error));
        return null;
      }
    };
    const whole = await held();
    assert.ok(whole);
    let unnoticed = 0;
    for (let at = 0; at < good.length; at += at < good.length - 60 ? 23 : 1) {
      const bad = Buffer.from(good);
      bad[at] = (bad[at] ?? 0) ^ 0x10;
      writeFileSync(file, bad);
      const read = await held();
      // A few bits of a compressed file mean nothing: without them it holds the same rows.
      if (read !== null) {
        assert.equal(read, whole, `byte ${at} changed`);
        unnoticed++;
      }
      writeFileSync(file, good.subarray(0, at));
      const cut = await held();
      assert.ok(cut === null || (cut === whole && at >= good.length - END_BYTES), `cut at ${at}`);
    }
    assert.ok(unnoticed <= END_BYTES, `${unnoticed} changes were not noticed`);
  });

  test('a file of a later format is refused', async (t) => {
    const file = join(temporaryFolder(t), 'backup');
    writeFileSync(file, zstdCompressSync(Buffer.from('{"perpwire_backup":2}\n')));
    await assert.rejects(openBackup(file), {
      name: 'StorageError',
      message: /has format 2, and this version of Perpwire reads format 1/,
    });
  });

  for (const [what, content] of [
    ['text', Buffer.from('not a backup\n')],
    ['JSON of something else', Buffer.from(zstdCompressSync(Buffer.from('{"a":1}\n')))],
  ] as const) {
    test(`a file of ${what} is not a backup`, async (t) => {
      const file = join(temporaryFolder(t), 'file');
      writeFileSync(file, content);
      await assert.rejects(openBackup(file), {
        name: 'StorageError',
        message: `${file} is not a backup made by perpwire backup`,
      });
    });
  }

  test('rows of a table that the file does not describe are refused', async (t) => {
    const file = join(temporaryFolder(t), 'backup');
    const migrations = (await loadMigrations()).map(({ name }) => name);
    const header = backupHeader({ created_at: '', from: 'sqlite', migrations, tables: [] });
    const writer = await BackupWriter.create(file, header);
    await writer.table('sqlite_master');
    await writer.row(['x']);
    await writer.finish();
    await stays(t, freshSqlite, file, /rows of a table "sqlite_master" that it does not describe/);
  });

  test('only the owner may read the file', async (t) => {
    const { file } = await backedUp(t, freshSqlite, 'a');
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  test('a backup that fails leaves no file', async (t) => {
    const options = await freshSqlite(t);
    await (await openStorage(options)).close();
    const source = sqliteSource(options.sqliteFile);
    const failing: BackupSource = {
      ...source,
      rows: () => {
        throw new Error('the disk is gone');
      },
    };
    const file = join(temporaryFolder(t), 'backup');
    const work = backup({ source: failing, file, log: silentLog, onProgress: () => undefined });
    await assert.rejects(work, /the disk is gone/);
    await source.close();
    assert.ok(!existsSync(file) && !existsSync(`${file}.partial`));
  });

  test('a database without our tables has nothing to back up', { skip: skipPostgres }, async (t) => {
    const options = await freshPostgres(t);
    await assert.rejects(backUp(options, join(temporaryFolder(t), 'x')), /holds nothing of Perpwire/);
  });

  test('other tables in the same database stay', { skip: skipPostgres }, async (t) => {
    const { file } = await backedUp(t, freshSqlite, 'from-backup');
    const options = await freshPostgres(t);
    const storage = await openFor(t, { ...options, migrations: [] });
    await sql`create table diary (id integer)`.execute(storage.db);
    await storage.close();
    await restoreTo(options, file, { isForced: true });
    const again = await openFor(t, options);
    assert.deepEqual((await sql`select * from diary`.execute(again.db)).rows, []);
  });

  test('every table comes after those that it references', async () => {
    const names = (await tablesAfter(await loadMigrations(), silentLog)).map(({ name }) => name);
    for (const [parent, child] of [
      ['accounts', 'slots'],
      ['slots', 'api_keys'],
      ['accounts', 'user_sessions'],
      ['listing_episodes', 'listing_versions'],
    ] as const)
      assert.ok(names.indexOf(parent) < names.indexOf(child), `${parent} before ${child}`);
  });
});
