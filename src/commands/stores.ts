import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountStore } from '../accounts/account-store.ts';
import { openStores } from '../accounts/accounts.ts';
import type { AfterChange } from '../accounts/keys/changes.ts';
import type { KeyStore } from '../accounts/keys/key-store.ts';
import { publishChange } from '../accounts/keys/shared-directory.ts';
import { redisNames } from '../accounts/redis-names.ts';
import { systemClock } from '../base/clock.ts';
import { createLog } from '../base/log.ts';
import { processEnvironment, readSettings } from '../settings.ts';
import { openRedis } from '../storage/redis/open.ts';
import { openStorage } from '../storage/storage.ts';

/** Flags of every command that works on the database, besides its own. */
export const STORAGE_HELP = `  --data-dir      folder of the embedded database (default data; the demo's is data/demo)
  --database-url  PostgreSQL instead`;

export interface StoreFlags {
  'data-dir'?: string | undefined;
  'database-url'?: string | undefined;
}

export const STORE_OPTIONS = { 'data-dir': { type: 'string' }, 'database-url': { type: 'string' } } as const;

/** Opens the accounts and keys, does the work, closes. A running service notices changes at once. */
export async function withStores<T>(
  flags: StoreFlags,
  work: (stores: { accounts: AccountStore; keys: KeyStore }) => Promise<T>,
): Promise<T> {
  const args = (['data-dir', 'database-url'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}`, flags[name]],
  );
  const settings = readSettings(args, processEnvironment());
  mkdirSync(settings.dataDir, { recursive: true });
  const log = createLog('warn');
  const storage = await openStorage({
    databaseUrl: settings.databaseUrl,
    sqliteFile: join(settings.dataDir, 'perpwire.sqlite'),
    log,
  });
  const redis = settings.redisUrl === null ? null : await openRedis({ url: settings.redisUrl, log });
  try {
    const afterChange: AfterChange = async (change) => {
      if (redis) await publishChange(redis, await redisNames(storage.db), change, log);
    };
    return await work(openStores(storage, systemClock, settings.hostTierPlans, afterChange));
  } finally {
    await redis?.close();
    await storage.close();
  }
}
