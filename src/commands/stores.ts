import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Account, AccountStore } from '../accounts/account-store.ts';
import { openStores } from '../accounts/accounts.ts';
import type { AfterChange } from '../accounts/keys/changes.ts';
import type { KeyStore } from '../accounts/keys/key-store.ts';
import { publishChange } from '../accounts/keys/shared-directory.ts';
import { type Operator, openOperator } from '../accounts/operator/operator.ts';
import { redisNames } from '../accounts/redis-names.ts';
import {
  type Actor,
  openSecurityLog,
  type SecurityAction,
  type SecurityLog,
} from '../accounts/security-log.ts';
import { systemClock } from '../base/clock.ts';
import { createLog, type Log } from '../base/log.ts';
import { processEnvironment, readSettings, type Settings } from '../settings.ts';
import { openRedis } from '../storage/redis/open.ts';
import { openStorage, type Storage } from '../storage/storage.ts';
import { UsageError } from './command.ts';

/** Help for the flags of every command that works on the database. */
export const STORAGE_HELP = `  --data-dir      folder of the embedded database (default data; the demo uses data/demo)
  --database-url  PostgreSQL to use instead: postgres://user:password@host/name`;

export interface StoreFlags {
  'data-dir'?: string | undefined;
  'database-url'?: string | undefined;
}

export const STORE_OPTIONS = { 'data-dir': { type: 'string' }, 'database-url': { type: 'string' } } as const;

/** The settings of the database, from the flags and the environment; `more` are further flags of settings. */
export function storeSettings(flags: StoreFlags, more: readonly string[] = []): Settings {
  const given = (['data-dir', 'database-url'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [`--${name}`, flags[name]],
  );
  return readSettings([...given, ...more], processEnvironment());
}

/** The file of the embedded database. */
export function sqliteFile({ dataDir }: Settings): string {
  return join(dataDir, 'perpwire.sqlite');
}

/** Opens the database, runs the work and closes the database. */
export async function withStorage<T>(
  settings: Settings,
  work: (storage: Storage, log: Log) => Promise<T>,
): Promise<T> {
  const log = createLog('warn');
  const storage = await openStorage({
    databaseUrl: settings.databaseUrl,
    sqliteFile: sqliteFile(settings),
    log,
  });
  try {
    return await work(storage, log);
  } finally {
    await storage.close();
  }
}

export const BY_HELP = `  --by         name of the operator in the security log (default: the user of this machine)`;
export const OPERATOR_OPTIONS = { ...STORE_OPTIONS, by: { type: 'string' } } as const;

export interface OperatorFlags extends StoreFlags {
  by?: string | undefined;
}

/** What a command of an operator works with. */
export interface Stores {
  storage: Storage;
  accounts: AccountStore;
  keys: KeyStore;
  operator: Operator;
  securityLog: SecurityLog;
  /** Logs an action of this operator. */
  note(action: SecurityAction, accountId: string | null, detail?: string): Promise<void>;
  /** The account with this id or e-mail address; throws a UsageError if there is none. */
  accountOf(reference: string, isWithDeleted?: boolean): Promise<Account>;
}

/** Opens accounts and keys, runs the work and closes them. A running service sees the changes at once. */
export async function withStores<T>(flags: OperatorFlags, work: (stores: Stores) => Promise<T>): Promise<T> {
  const settings = storeSettings(flags);
  return await withStorage(settings, async (storage, log) => {
    const redis = settings.redisUrl === null ? null : await openRedis({ url: settings.redisUrl, log });
    try {
      const afterChange: AfterChange = async (change) => {
        if (redis) await publishChange(redis, await redisNames(storage.db), change, log);
      };
      const stores = openStores(storage, systemClock, settings.hostTierPlans, afterChange);
      const securityLog = openSecurityLog(storage.db, systemClock);
      const by: Actor = { actor: 'operator', name: flags.by ?? userName() };
      return await work({
        ...stores,
        storage,
        securityLog,
        operator: openOperator(storage, systemClock, securityLog, by, afterChange),
        note: (action, accountId, detail) => securityLog.note(by, action, accountId, detail),
        accountOf: async (reference, isWithDeleted) => {
          const account = await stores.accounts.find(reference, isWithDeleted);
          if (!account)
            throw new UsageError(`there is no account "${reference}"; see perpwire accounts list`);
          return account;
        },
      });
    } finally {
      await redis?.close();
    }
  });
}

/** A container may have no name for its user. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
