import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { openSqlite } from './sqlite.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

suite('files that other users of the machine must not read', () => {
  const opened = async (folder: string, check: () => void) => {
    const db = openSqlite(join(folder, 'perpwire.db'));
    await db.schema.createTable('t').ifNotExists().addColumn('a', 'integer').execute();
    check();
    await db.destroy();
  };
  const files = ['perpwire.db', 'perpwire.db-shm', 'perpwire.db-wal'];

  test('a new database: folder 700; database, -wal and -shm 600, whatever the umask', async (t) => {
    const parent = mkdtempSync(join(tmpdir(), 'perpwire-modes-'));
    const umask = process.umask(0);
    t.after(() => {
      process.umask(umask);
      rmSync(parent, { recursive: true });
    });
    const folder = join(parent, 'data');
    await opened(folder, () => {
      assert.equal(modeOf(folder), '700');
      assert.deepEqual(readdirSync(folder).sort(), files);
      for (const file of files) assert.equal(modeOf(join(folder, file)), '600', file);
    });
  });

  test('a database of an older version is restricted at the next start', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-modes-'));
    t.after(() => rmSync(folder, { recursive: true }));
    await opened(folder, () => undefined);
    chmodSync(folder, 0o755);
    chmodSync(join(folder, 'perpwire.db'), 0o644);
    await opened(folder, () => {
      assert.equal(modeOf(folder), '700');
      for (const file of files) assert.equal(modeOf(join(folder, file)), '600', file);
    });
  });

  test('a shared folder such as /tmp keeps its mode', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpwire-modes-'));
    t.after(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o1777);
    for (let i = 0; i < 2; i++) await opened(folder, () => assert.equal(modeOf(folder), '1777'));
  });
});
