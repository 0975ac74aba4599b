import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createLog } from '../../src/base/log.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/storage.ts';

export const silentLog = createLog('silent');

/** Options of a separate database for one test, deleted after it. */
export type FreshDatabase = (t: TestContext) => Promise<StorageOptions>;

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpwire-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const freshSqlite: FreshDatabase = async (t) => ({
  databaseUrl: null,
  sqliteFile: join(temporaryFolder(t), 'perpwire.sqlite'),
  log: silentLog,
});

export async function openFor(t: TestContext, options: StorageOptions): Promise<Storage> {
  const storage = await openStorage(options);
  t.after(() => storage.close());
  return storage;
}
