import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sql } from 'kysely';
import { openMemorySqlite } from './sqlite.ts';

suite('statements that are prepared once', () => {
  test('a query that was run before a migration returns the columns of after it', async () => {
    const db = openMemorySqlite();
    const rows = async () =>
      (await sql`select * from coins`.execute(db)).rows.map((row) => ({ ...(row as object) }));
    await sql`create table coins (id integer primary key)`.execute(db);
    await sql`insert into coins (id) values (1)`.execute(db);
    assert.deepEqual(await rows(), [{ id: 1 }]);
    await sql`alter table coins add column name text default 'BTC'`.execute(db);
    assert.deepEqual(await rows(), [{ id: 1, name: 'BTC' }]);
    await db.destroy();
  });

  test('a statement works again after it failed', async () => {
    const db = openMemorySqlite();
    await sql`create table coins (id integer primary key)`.execute(db);
    const add = (id: number) => sql`insert into coins (id) values (${id})`.execute(db);
    await add(1);
    await assert.rejects(add(1), /UNIQUE/);
    await add(2);
    const { rows } = await sql<{ count: number }>`select count(*) as count from coins`.execute(db);
    assert.equal(rows[0]?.count, 2);
    await db.destroy();
  });

  test('more different texts than are cached still run', async () => {
    const db = openMemorySqlite();
    for (let i = 0; i < 600; i++) {
      const { rows } = await sql<{ value: number }>`select ${sql.lit(i)} as value`.execute(db);
      assert.equal(rows[0]?.value, i);
    }
    await db.destroy();
  });
});
