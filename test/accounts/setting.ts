import type { TestContext } from 'node:test';
import { type Accounts, openAccounts } from '../../src/accounts/accounts.ts';
import type { CreatedKey } from '../../src/accounts/keys/key-store.ts';
import type { PlanName } from '../../src/accounts/plans.ts';
import type { MemoryWindows } from '../../src/accounts/windows/memory.ts';
import { ManualClock } from '../../src/base/clock.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/storage.ts';
import { silentLog } from '../storage/databases.ts';

export const NOON_MS = Date.UTC(2026, 10, 15, 12);
export const LOOPBACK = 'http://127.0.0.1:8080';

export interface Setting {
  clock: ManualClock;
  storage: Storage;
  accounts: Accounts<MemoryWindows>;
  /** Creates an account with one key. */
  keyOn(plan: PlanName, hostTier?: string): Promise<CreatedKey>;
}

/** Accounts on an opened database with a clock that the test moves. */
export async function openSetting(
  t: TestContext,
  options: StorageOptions,
  changed: { baseUrl?: string; clock?: ManualClock } = {},
): Promise<Setting> {
  const clock = changed.clock ?? new ManualClock(NOON_MS);
  const storage = await openStorage(options);
  const accounts = await openAccounts({
    storage,
    log: silentLog,
    baseUrl: LOOPBACK,
    tierGrants: new Map<string, PlanName>([['top', 'developer']]),
    ...changed,
    clock,
  });
  t.after(async () => {
    await accounts.close();
    await storage.close();
  });
  return {
    clock,
    storage,
    accounts,
    keyOn: async (plan, hostTier) => {
      const account = await accounts.accounts.create({ name: 'Ada', plan, hostTier: hostTier ?? null });
      return await accounts.keys.create({ accountId: account.id, name: 'bot' });
    },
  };
}
