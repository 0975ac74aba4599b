import { within } from '../../base/async/within.ts';
import type { Log } from '../../base/log.ts';
import { DAY_MS } from '../../base/times.ts';
import { redisCause } from '../../storage/redis/address.ts';
import { type Redis, redisScript } from '../../storage/redis/redis.ts';
import type { RedisNames } from '../redis-names.ts';
import type { ReportUnreadable } from '../unreadable.ts';
import type { DirectoryChange } from './changes.ts';
import type { DirectoryFeed } from './directory-feed.ts';

export interface SharedDirectory {
  /** The newest change that this process has read, or skipped because the database is unavailable. */
  revision(): number;
  /** Reads the directory up to the revision that Redis reported for an account. */
  catchUpTo(accountId: string, revision: number): Promise<void>;
  /** Reads the directory if Redis has a newer revision. */
  freshen(): Promise<void>;
  publish(change: DirectoryChange): Promise<void>;
}

/** How long a request waits for the database before it continues with the directory in memory. */
const DATABASE_TIMEOUT_MS = 1_000;
/** By then every live process has read the change from the database. */
const TTL_MS = DAY_MS;

/** Raises a revision. ARGV: revision, and a revision it may replace though higher (after a restored backup). */
const RAISE_REVISION = redisScript(`
local known = redis.call('GET', KEYS[1])
if not known or tonumber(known) < tonumber(ARGV[1]) or known == ARGV[2] then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ${TTL_MS})
end
return 1`);

interface SharedDirectoryOptions {
  redis: Redis;
  names: RedisNames;
  feed: DirectoryFeed;
  log: Log;
  reportUnreadable: ReportUnreadable;
}

/**
 * The directory's revision in Redis. Every counted request compares it, so no process uses an old key or plan once a
 * change is confirmed, even if the database's notification is late.
 */
export function openSharedDirectory(options: SharedDirectoryOptions): SharedDirectory {
  const { redis, names, feed, log, reportUnreadable } = options;
  let skippedRevision = 0;
  const catchUpTo = async (revision: number, key: string): Promise<void> => {
    try {
      await within(DATABASE_TIMEOUT_MS, feed.catchUp());
      // The database has a lower revision than Redis: a backup was restored.
      if (feed.revision() < revision)
        await redis.run(RAISE_REVISION, [key], [feed.revision(), revision].map(String));
    } catch {
      skippedRevision = revision;
    }
  };

  return {
    revision: () => Math.max(feed.revision(), skippedRevision),
    catchUpTo: (accountId, revision) => catchUpTo(revision, names.revision(accountId)),
    freshen: async () => {
      const reply = await redis.command(['GET', names.revision()]).catch(() => null);
      const revision = parseRevision(reply);
      if (revision === 'unreadable') reportUnreadable('revision');
      else if (revision !== null && revision > feed.revision()) await catchUpTo(revision, names.revision());
    },
    publish: (change) => publishChange(redis, names, change, log),
  };
}

/** The directory's revision in Redis; null if it has none. */
export function parseRevision(reply: unknown): number | 'unreadable' | null {
  if (reply === null) return null;
  return typeof reply === 'string' && /^\d{1,15}$/.test(reply) ? Number(reply) : 'unreadable';
}

/** Makes every process read the change at its next request, even before the database's notification. */
export async function publishChange(
  redis: Redis,
  names: RedisNames,
  { revision, accountId, revokedKeyId }: DirectoryChange,
  log: Log,
): Promise<void> {
  try {
    if (revokedKeyId !== undefined)
      await redis.command(['SET', names.revoked(accountId, revokedKeyId), '1', 'PX', String(TTL_MS)]);
    for (const key of [names.revision(accountId), names.revision()])
      await redis.run(RAISE_REVISION, [key], [String(revision), '']);
  } catch (error) {
    log.warn(
      { reason: redisCause(error) },
      'could not publish a change of keys in Redis; other processes read it from the database',
    );
  }
}
