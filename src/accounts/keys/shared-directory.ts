import { within } from '../../base/async/within.ts';
import type { Log } from '../../base/log.ts';
import { DAY_MS } from '../../base/times.ts';
import { redisCause } from '../../storage/redis/address.ts';
import type { Redis } from '../../storage/redis/redis.ts';
import type { RedisNames } from '../redis-names.ts';
import type { ReportUnreadable } from '../unreadable.ts';
import { RAISE_REVISION } from '../windows/redis/scripts.ts';
import type { DirectoryChange } from './changes.ts';
import type { DirectoryFeed } from './directory-feed.ts';

export interface SharedDirectory {
  /** The newest change that this process has read, or skipped because the database is unavailable. */
  revision(): number;
  /** Reads the directory up to a revision that Redis reported. */
  catchUpTo(revision: number): Promise<void>;
  /** Reads the directory in the background if the revision is newer. */
  onRevision(revision: number): void;
  /** Reads the directory if Redis has a newer revision. */
  freshen(): Promise<void>;
  publish(change: DirectoryChange): Promise<void>;
}

/** How long a request waits for the database before it continues with the directory in memory. */
const DATABASE_TIMEOUT_MS = 1_000;
/** By then every live process has read the revocation from the database. */
const REVOKED_KEPT_MS = DAY_MS;

export interface SharedDirectoryOptions {
  /** The server that is asked for the revision. */
  redis: Redis;
  /** All servers that count requests: each has the revision and the marks of revoked keys. */
  all: readonly Redis[];
  names: RedisNames;
  feed: DirectoryFeed;
  log: Log;
  reportUnreadable: ReportUnreadable;
}

/**
 * The directory's revision in Redis. Every counted request compares it, so no process uses an old key or plan once a
 * change is confirmed, even if the database's notification is late.
 */
export function openSharedDirectory({
  redis,
  all,
  names,
  feed,
  log,
  reportUnreadable,
}: SharedDirectoryOptions): SharedDirectory {
  let skippedRevision = 0;
  const catchUpTo = async (revision: number): Promise<void> => {
    try {
      await within(DATABASE_TIMEOUT_MS, feed.catchUp());
      // The database has a lower revision than Redis: a backup was restored.
      if (feed.revision() < revision)
        await Promise.all(
          all.map((one) =>
            one.run(RAISE_REVISION, [names.cluster], [String(feed.revision()), String(revision)]),
          ),
        );
    } catch {
      skippedRevision = revision;
    }
  };

  return {
    revision: () => Math.max(feed.revision(), skippedRevision),
    catchUpTo,
    onRevision: (revision) => {
      if (revision > feed.revision()) void catchUpTo(revision);
    },
    freshen: async () => {
      const reply = await redis.command(['HGET', names.cluster, 'revision']).catch(() => null);
      const revision = parseRevision(reply);
      if (revision === 'unreadable') reportUnreadable('revision');
      else if (revision !== null && revision > feed.revision()) await catchUpTo(revision);
    },
    publish: (change) => publishChange(all, names, change, log),
  };
}

/** The directory's revision in Redis; null if it has none. */
export function parseRevision(reply: unknown): number | 'unreadable' | null {
  if (reply === null) return null;
  return typeof reply === 'string' && /^\d{1,15}$/.test(reply) ? Number(reply) : 'unreadable';
}

/** Makes every process read the change at its next request, even before the database's notification. */
export async function publishChange(
  servers: readonly Redis[],
  names: RedisNames,
  { revision, revokedKeyId }: DirectoryChange,
  log: Log,
): Promise<void> {
  const publishTo = async (redis: Redis) => {
    if (revokedKeyId !== undefined)
      await redis.command(['SET', names.revoked(revokedKeyId), '1', 'PX', String(REVOKED_KEPT_MS)]);
    await redis.run(RAISE_REVISION, [names.cluster], [String(revision), '']);
  };
  const results = await Promise.allSettled(servers.map(publishTo));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed)
    log.warn(
      { reason: redisCause(failed.reason) },
      'could not publish a change of keys in Redis; other processes read it from the database',
    );
}
