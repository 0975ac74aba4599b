import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { type Heartbeats, openHeartbeats } from '../storage/heartbeats.ts';
import type { Redis } from '../storage/redis/redis.ts';
import type { Storage } from '../storage/storage.ts';
import { type AccountStore, createAccountStore } from './account-store.ts';
import { HeldNames } from './attempts/held-names.ts';
import { AttemptLimit, type LimitAttempts } from './attempts/memory.ts';
import { RedisAttempts } from './attempts/redis.ts';
import {
  type Authenticate,
  type Authentication,
  createAuthenticate,
  createLookAgain,
  type LookAgain,
} from './keys/authenticate.ts';
import type { AfterChange } from './keys/changes.ts';
import { type Caller, Directory } from './keys/directory.ts';
import { type DirectoryFeed, openDirectoryFeed } from './keys/directory-feed.ts';
import { createKeyStore, type KeyStore } from './keys/key-store.ts';
import { createRejectedKeys, type RejectedKeys } from './keys/rejected-keys.ts';
import { openSharedDirectory } from './keys/shared-directory.ts';
import { blockChannel, openSharedRejectedKeys } from './keys/shared-rejected-keys.ts';
import type { TierGrants } from './plans.ts';
import { redisNames } from './redis-names.ts';
import type { Scope } from './scopes.ts';
import { openSecurityLog, type SecurityLog } from './security-log.ts';
import { MemoryOpenStreams, type OpenStreams } from './streams/memory.ts';
import { RedisOpenStreams } from './streams/redis.ts';
import { unreadableReporter } from './unreadable.ts';
import type { MemoryWindows } from './windows/memory.ts';
import { openSharedWindows } from './windows/redis/open.ts';
import { openCountedWindows } from './windows/stored.ts';
import type { Windows } from './windows/windows.ts';

interface AccountsOptions {
  storage: Storage;
  clock: Clock;
  log: Log;
  /** Decides whether test keys work. */
  baseUrl: string;
  tierGrants: TierGrants;
  /** If set, windows and guards are shared with all processes on the same Redis. */
  redis?: Redis | null;
  metrics?: Metrics;
}

export interface Accounts<Kind extends Windows = Windows> {
  accounts: AccountStore;
  keys: KeyStore;
  securityLog: SecurityLog;
  authenticate: Authenticate;
  lookAgain: LookAgain;
  /** For an unknown key, which another process may just have created. Null without Redis. */
  authenticateAgain: ((keyText: string) => Promise<Authentication>) | null;
  /** The caller of an OAuth grant or a session; null if there is no such account or it is suspended. */
  callerForGrant(accountId: string, scopes: readonly Scope[]): Caller | null;
  isSuspended(accountId: string): boolean;
  windows: Kind;
  openStreams: OpenStreams;
  rejectedKeys: RejectedKeys;
  /** Creates limits for other attempts, such as sign-ins and mails. */
  limitAttempts: LimitAttempts;
  /** Stores usage now instead of within half a second. */
  flushUsage(): Promise<void>;
  /** What is degraded, for the operator; empty if nothing is. */
  degraded(): string[];
  close(): Promise<void>;
}

/** The name of the limit of wrong keys in metrics. */
const WRONG_KEYS = 'wrong-keys';

/** For a process that serves requests. A command that only changes keys uses `openStores`. */
export async function openAccounts(
  options: AccountsOptions & { redis?: null },
): Promise<Accounts<MemoryWindows>>;
export async function openAccounts(options: AccountsOptions): Promise<Accounts>;
export async function openAccounts(options: AccountsOptions): Promise<Accounts> {
  const { storage, clock, log, baseUrl, tierGrants, redis = null } = options;
  await using opening = new AsyncDisposableStack();
  const directory = new Directory(tierGrants);
  const feed = await openDirectoryFeed(storage, directory, clock, log);
  opening.defer(feed.close);
  const heldNames = new HeldNames(clock, log, options.metrics ?? null);
  opening.defer(() => heldNames.stop());
  const shared = redis && (await openShared({ ...options, redis, feed, heldNames }, opening));
  const counted = shared?.counted ?? (await openCountedWindows(storage.db, clock, log));
  if (!shared) opening.defer(counted.close);
  const stores = openStores(storage, clock, tierGrants, async (change) => {
    await feed.catchUp();
    await shared?.directory.publish(change);
  });
  const authenticate = createAuthenticate({ directory, freshen: feed.freshen, clock, baseUrl });
  const lookAgain = createLookAgain(directory, clock);
  const opened = opening.move();
  return {
    ...stores,
    securityLog: openSecurityLog(storage.db, clock),
    authenticate,
    authenticateAgain:
      shared &&
      (async (keyText) => {
        await shared.directory.freshen();
        return authenticate(keyText);
      }),
    lookAgain: (caller) => {
      feed.freshen();
      return lookAgain(caller);
    },
    callerForGrant: (accountId, scopes) => {
      feed.freshen();
      return directory.callerForGrant(accountId, scopes);
    },
    isSuspended: (accountId) => {
      feed.freshen();
      return directory.isSuspended(accountId);
    },
    windows: counted.windows,
    openStreams: shared?.openStreams ?? new MemoryOpenStreams(),
    rejectedKeys: shared?.rejectedKeys ?? heldNames.add(WRONG_KEYS, createRejectedKeys(clock)),
    limitAttempts:
      shared?.limitAttempts ?? ((limit, rules) => heldNames.add(limit, new AttemptLimit(rules, clock))),
    flushUsage: () => counted.flush(),
    degraded: () => shared?.degraded() ?? [],
    close: () => opened.disposeAsync(),
  };
}

/** The parts that all processes on one Redis share. */
async function openShared(
  options: AccountsOptions & { redis: Redis; feed: DirectoryFeed; heldNames: HeldNames },
  opening: AsyncDisposableStack,
) {
  const { storage, redis, clock, log, heldNames } = options;
  const names = await redisNames(storage.db);
  const reportUnreadable = unreadableReporter(log, options.metrics);
  const limitAttempts: LimitAttempts = (limit, rules) => {
    const own = heldNames.add(limit, new AttemptLimit(rules, clock));
    return new RedisAttempts(redis, names, limit, rules, clock, reportUnreadable, own);
  };
  const heartbeats = await openHeartbeats(storage, log);
  opening.defer(heartbeats.close);
  const directory = openSharedDirectory({ ...options, names, reportUnreadable });
  const counted = openSharedWindows({ ...options, names, directory, heartbeats, reportUnreadable });
  opening.defer(counted.close);
  const openStreams = new RedisOpenStreams(redis, names, heartbeats.processId, log);
  opening.defer(() => openStreams.stop());
  const rejectedKeys = await openSharedRejectedKeys(
    ...([redis, blockChannel(storage), names, clock, reportUnreadable] as const),
  );
  opening.defer(() => rejectedKeys.close());
  return {
    limitAttempts,
    directory,
    counted,
    openStreams,
    rejectedKeys: heldNames.add(WRONG_KEYS, rejectedKeys),
    degraded: () => (counted.windows.isShared ? [] : [shareText(heartbeats)]),
  };
}

function shareText(heartbeats: Heartbeats): string {
  const count = heartbeats.liveCount();
  const who = count === 1 ? 'this process allows' : `each of ${count} processes allows an equal share of`;
  return `Rate limits are not shared: ${who} each limit`;
}

/** Only the stores. Their changes take effect in serving processes at once. */
export function openStores(
  storage: Storage,
  clock: Clock,
  tierGrants: TierGrants,
  afterChange: AfterChange = async () => undefined,
): { accounts: AccountStore; keys: KeyStore } {
  return {
    accounts: createAccountStore(storage, clock, afterChange),
    keys: createKeyStore(storage, clock, tierGrants, afterChange),
  };
}
