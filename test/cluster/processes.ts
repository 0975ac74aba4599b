import type { TestContext } from 'node:test';
import { type Accounts, openAccounts } from '../../src/accounts/accounts.ts';
import type { CreatedKey } from '../../src/accounts/keys/key-store.ts';
import type { PlanName } from '../../src/accounts/plans.ts';
import type { Take, WindowOwner } from '../../src/accounts/windows/windows.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { openRedis } from '../../src/storage/redis/open.ts';
import type { Redis } from '../../src/storage/redis/redis.ts';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/storage.ts';
import { silentLog } from '../storage/databases.ts';
import { launchRedis, type RedisServer } from '../support/servers.ts';
import { until } from '../support/until.ts';

/** The connections, directory and windows of one API process. */
export interface ApiProcess {
  accounts: Accounts;
  storage: Storage;
  redis: Redis;
  /** The caller of a key at this process. */
  callerOf(keyText: string): WindowOwner;
  close(): Promise<void>;
}

export async function openProcess(
  t: TestContext,
  options: StorageOptions,
  redisUrl: string,
  clock: Clock = systemClock,
  timeoutMs = 2_000,
): Promise<ApiProcess> {
  const storage = await openStorage(options);
  const redis = await openRedis({ url: redisUrl, log: silentLog, timeoutMs });
  const closeLinks = async () => {
    await redis.close();
    await storage.close();
  };
  const accounts = await openAccounts({
    storage,
    redis,
    clock,
    log: silentLog,
    baseUrl: 'http://127.0.0.1',
    tierGrants: new Map(),
  }).catch(async (error: unknown) => {
    // A process with an open connection does not end, and the failed test would seem to hang.
    await closeLinks();
    throw error;
  });
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= (async () => {
      await accounts.close();
      await closeLinks();
    })();
    return closing;
  };
  t.after(close);
  return {
    accounts,
    storage,
    redis,
    close,
    callerOf: (keyText) => {
      const found = accounts.authenticate(keyText);
      if (!found.ok) throw new Error(found.reason);
      return found.caller;
    },
  };
}

/** Three processes on one database and one Redis. */
export async function openThree(t: TestContext, options: StorageOptions, redisUrl: string, clock?: Clock) {
  const first = await openProcess(t, options, redisUrl, clock);
  const second = await openProcess(t, options, redisUrl, clock);
  const third = await openProcess(t, options, redisUrl, clock);
  return [first, second, third] as const;
}

export async function keyOn({ accounts }: ApiProcess, plan: PlanName): Promise<CreatedKey> {
  const account = await accounts.accounts.create({ name: 'Ada', plan });
  return await accounts.keys.create({ accountId: account.id, name: 'bot' });
}

/** Sends that many requests at once, distributed over the processes. */
export async function hammer(
  processes: readonly ApiProcess[],
  holderOf: (process: ApiProcess) => WindowOwner,
  count: number,
): Promise<Take[]> {
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const process = processes[index % processes.length];
      if (!process) throw new Error('no process');
      return await process.accounts.windows.take(holderOf(process));
    }),
  );
}

export const passed = (takes: readonly Take[]) => takes.filter((take) => take.allowed).length;

/** A Redis that the test may stop. */
export async function ownRedis(t: TestContext, port?: number): Promise<RedisServer> {
  const server = await launchRedis(port);
  if (typeof server === 'string') throw new Error(server);
  t.after(() => server.stop());
  return server;
}

/** A holder without a key or account. */
export const holderOf = (requestsPerMinute: number, requestsPerMonth: number): WindowOwner => ({
  slotId: 'slot',
  keyId: null,
  plan: { requestsPerMinute, requestsPerMonth },
});

/** Waits until `degraded` of every process matches; null: until it is empty. */
export const untilAll = (processes: readonly ApiProcess[], degraded: RegExp | null) =>
  until(() =>
    processes.every(({ accounts }) => {
      const words = accounts.degraded().join();
      return degraded === null ? words === '' : degraded.test(words);
    }),
  );
