import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { loadMigrations, type Migration } from '../../src/storage/migrate.ts';
// Adds its tables to the schema's type.
import type {} from '../../src/storage/migrations/0012-depth-samples.ts';
import { openStorage, type Storage } from '../../src/storage/storage.ts';
import { freshPostgres, onBothDatabases, openFor, skipPostgres, temporaryFolder } from './databases.ts';

const run = promisify(execFile);

const applied = async (storage: Storage) => {
  const rows = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(
    storage.db,
  );
  return rows.rows.map((row) => row.name);
};

const addsTable = (name: string, table: string): Migration => ({
  name,
  up: async ({ trx }) => {
    await trx.schema.createTable(table).addColumn('id', 'integer').execute();
  },
});

describe('migrations', () => {
  onBothDatabases((fresh) => {
    test('a new database gets every migration, in order, once', async (t) => {
      const options = await fresh(t);
      const names = (await loadMigrations()).map((migration) => migration.name);
      assert.deepEqual(names, names.toSorted());
      assert.deepEqual(await applied(await openFor(t, options)), names);
      assert.deepEqual(await applied(await openFor(t, options)), names);
    });

    test('a later version runs only the new migrations', async (t) => {
      const options = await fresh(t);
      const first = addsTable('0001-first', 'first');
      await (await openStorage({ ...options, migrations: [first] })).close();
      const both = [first, addsTable('0002-second', 'second')];
      const storage = await openFor(t, { ...options, migrations: both });
      assert.deepEqual(await applied(storage), ['0001-first', '0002-second']);
    });

    test('processes that start at once migrate once', async (t) => {
      const { databaseUrl, sqliteFile } = await fresh(t);
      const program = join(import.meta.dirname, 'open-once.ts');
      const start = () => run(process.execPath, [program, databaseUrl ?? '', sqliteFile]);
      await Promise.all([start(), start(), start(), start(), start()]);
    });

    test('a migration that fails changes nothing', async (t) => {
      const options = await fresh(t);
      const fails: Migration = { name: '0002-fails', up: () => Promise.reject(new Error('no such luck')) };
      const first = addsTable('0001-first', 'first');
      await assert.rejects(openStorage({ ...options, migrations: [first, fails] }), {
        name: 'StorageError',
        message: /^Cannot prepare the tables of the .*: no such luck$/,
      });
      assert.deepEqual(await applied(await openFor(t, { ...options, migrations: [first] })), ['0001-first']);
    });

    test('a database of a newer version is refused by name', async (t) => {
      const options = await fresh(t);
      const newer = [addsTable('0001-first', 'first'), addsTable('9999-from-the-future', 'future')];
      await (await openStorage({ ...options, migrations: newer })).close();
      await assert.rejects(openStorage({ ...options, migrations: newer.slice(0, 1) }), {
        name: 'StorageError',
        message: /newer version of Perpwire.*9999-from-the-future/,
      });
    });
  });

  test('processes that start at once on the database of an older version migrate it once', {
    skip: skipPostgres,
  }, async (t) => {
    const options = await freshPostgres(t);
    const older = (await loadMigrations()).filter(({ name }) => name < '0030');
    const old = await openStorage({ ...options, migrations: older });
    const block = { start_minute: 1, minutes: 1, block: new Uint8Array([1]) };
    await old.db.insertInto('depth_blocks').values(block).execute();
    await old.close();
    const program = join(import.meta.dirname, 'open-once.ts');
    const start = () => run(process.execPath, [program, options.databaseUrl ?? '', options.sqliteFile]);
    await Promise.all([start(), start(), start(), start(), start()]);
    const storage = await openFor(t, options);
    const held = await storage.db.selectFrom('depth_blocks').select('start_minute').execute();
    assert.deepEqual(
      held.map((row) => row.start_minute),
      [1],
    );
  });

  test('a file with a wrong name is refused', async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'listings.ts'), 'export const up = async () => {};');
    await assert.rejects(loadMigrations(pathToFileURL(`${folder}/`)), /listings\.ts is not named like/);
  });

  test('two files with one number are refused', async (t) => {
    const folder = temporaryFolder(t);
    for (const name of ['0001-a.ts', '0001-b.ts'])
      writeFileSync(join(folder, name), 'export const up = async () => {};');
    await assert.rejects(loadMigrations(pathToFileURL(`${folder}/`)), /two migrations have the number 0001/);
  });

  test('a file without "up" is refused', async (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, '0001-a.ts'), 'export const down = 1;');
    await assert.rejects(loadMigrations(pathToFileURL(`${folder}/`)), /0001-a\.ts exports no function "up"/);
  });
});
