import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Storage } from '../storage/storage.ts';
import { type AccountStore, createAccountStore } from './account-store.ts';
import { type Authenticate, createAuthenticate } from './authenticate.ts';
import { openCountedWindows } from './counted-windows.ts';
import { type Caller, Directory } from './directory.ts';
import { openDirectoryFeed } from './directory-feed.ts';
import { createKeyStore, type KeyStore } from './key-store.ts';
import type { MemoryWindows } from './memory-windows.ts';
import type { TierGrants } from './plans.ts';
import { createRejectedKeys, type RejectedKeys } from './rejected-keys.ts';
import type { Scope } from './scopes.ts';

export interface AccountsOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
  /** Decides whether test keys work. */
  baseUrl: string;
  tierGrants: TierGrants;
}

export interface Accounts {
  accounts: AccountStore;
  keys: KeyStore;
  authenticate: Authenticate;
  /** For an OAuth grant; null when there is no such account. */
  callerForGrant(accountId: string, scopes: readonly Scope[]): Caller | null;
  windows: MemoryWindows;
  rejectedKeys: RejectedKeys;
  /** Stores usage now; it is stored twice a second anyway. */
  flushUsage(): Promise<void>;
  close(): Promise<void>;
}

/** All that a serving process needs. A command that only changes keys takes `openStores` instead. */
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { storage, clock, log, baseUrl, tierGrants } = options;
  const directory = new Directory(tierGrants);
  const feed = await openDirectoryFeed(storage, directory, clock, log);
  const counted = await openCountedWindows(storage.db, clock, log);
  let closing: Promise<void> | null = null;
  return {
    ...openStores(storage, clock, tierGrants, () => feed.catchUp()),
    authenticate: createAuthenticate({ directory, freshen: feed.freshen, clock, baseUrl }),
    callerForGrant: (accountId, scopes) => {
      feed.freshen();
      return directory.callerForGrant(accountId, scopes);
    },
    windows: counted.windows,
    rejectedKeys: createRejectedKeys(clock),
    flushUsage: () => counted.flush(),
    close: () => {
      closing ??= counted.close().finally(() => feed.close());
      return closing;
    },
  };
}

/** The stores alone: what they change takes effect in serving processes at once. */
export function openStores(
  storage: Storage,
  clock: Clock,
  tierGrants: TierGrants,
  afterChange: () => Promise<void> = async () => undefined,
): { accounts: AccountStore; keys: KeyStore } {
  return {
    accounts: createAccountStore(storage, clock, afterChange),
    keys: createKeyStore(storage, clock, tierGrants, afterChange),
  };
}
