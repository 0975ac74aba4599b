import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import { createLog } from '../../base/log.ts';
import { openStorage, type Storage } from '../../storage/storage.ts';
import { COOKIE_SECRET } from '../people/sessions.ts';
import { type KeySource, keyFile } from './secret-keys.ts';
import { openKeys, readOrCreate } from './stored-secrets.ts';

suite('processes that start together create one key', () => {
  let folder: string;
  let file: string;
  let storage: Storage;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'perpwire-key-'));
    file = join(folder, 'secret.key');
    const sqliteFile = join(folder, 'perpwire.db');
    storage = await openStorage({ databaseUrl: null, sqliteFile, log: createLog('silent') });
  });
  afterEach(async () => {
    await storage.close();
    rmSync(folder, { recursive: true });
  });

  /** Opens the keys and creates a secret, as a starting process does. */
  async function start(source: KeySource) {
    const keys = await openKeys(storage.db, source);
    return { keys, secret: await readOrCreate(storage.db, keys, COOKIE_SECRET) };
  }

  const keysInFile = () => readFileSync(file, 'utf8').trim().split('\n').length;

  test('when another one creates key and secret after we found no file', async () => {
    const other = await start(keyFile(file, true));
    const source = keyFile(file, true);
    let isFirstLook = true;
    const read = () => {
      const seen = isFirstLook ? null : source.read();
      isFirstLook = false;
      return seen;
    };
    const ours = await start({ ...source, read });
    assert.deepEqual(ours.secret, other.secret);
    assert.equal(ours.keys.isNew, false);
    assert.equal(keysInFile(), 1);
  });

  test('when another one creates the key just before we do', async () => {
    const source = keyFile(file, true);
    const create = () => {
      keyFile(file, true).create?.();
      return source.create?.() ?? false;
    };
    const ours = await start({ ...source, create });
    const other = await start(keyFile(file, true));
    assert.deepEqual(ours.secret, other.secret);
    assert.equal(ours.keys.isNew, false);
    assert.equal(keysInFile(), 1);
  });

  test('twenty at once', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => start(keyFile(file, true))));
    assert.equal(new Set(all.map(({ secret }) => JSON.stringify(secret))).size, 1);
    assert.equal(all.filter(({ keys }) => keys.isNew).length, 1);
    assert.equal(keysInFile(), 1);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.endsWith('.new')),
      [],
      'no half-written key is left',
    );
  });

  test('a database that has another key still refuses the start', async () => {
    await start(keyFile(file, true));
    rmSync(file);
    await assert.rejects(start(keyFile(file, true)), /does not have; set SECRET_KEY or SECRET_KEY_FILE/);
  });
});
