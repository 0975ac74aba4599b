import type { Log } from '../../base/log.ts';
import { DAY_MS } from '../../base/times.ts';
import { within } from '../../base/within.ts';
import { redisCause } from '../../storage/redis/address.ts';
import type { Redis } from '../../storage/redis/redis.ts';
import type { RedisNames } from '../redis-names.ts';
import { RAISE_REVISION } from '../windows/redis/scripts.ts';
import type { DirectoryChange } from './changes.ts';
import type { DirectoryFeed } from './directory-feed.ts';

export interface SharedDirectory {
  /** The newest change that this process knows, or has to do without because the database is away. */
  revision(): number;
  /** Brings in a change that Redis knows of. */
  catchUpTo(revision: number): Promise<void>;
  heard(revision: number): void;
  /** Asks whether something has changed, and brings it in. */
  freshen(): Promise<void>;
  publish(change: DirectoryChange): Promise<void>;
}

/** A request waits this long for the database before it goes on with what is known. */
const PATIENCE_MS = 1_000;
/** By then every process that lives has read it from the database. */
const REVOKED_KEPT_MS = DAY_MS;

/**
 * The directory's revision in Redis, which every counted request compares: whoever changed a key or a plan, no process
 * answers by the old state once the change is confirmed, even if the database's notice is late.
 */
export function openSharedDirectory(
  redis: Redis,
  names: RedisNames,
  feed: DirectoryFeed,
  log: Log,
): SharedDirectory {
  let doneWithout = 0;
  const catchUpTo = async (revision: number): Promise<void> => {
    try {
      await within(PATIENCE_MS, feed.catchUp());
      // Less than Redis has heard of: a backup was restored underneath.
      if (feed.revision() < revision)
        await redis.run(RAISE_REVISION, [names.cluster], [String(feed.revision()), String(revision)]);
    } catch {
      doneWithout = revision;
    }
  };

  return {
    revision: () => Math.max(feed.revision(), doneWithout),
    catchUpTo,
    heard: (revision) => {
      if (revision > feed.revision()) void catchUpTo(revision);
    },
    freshen: async () => {
      const revision = await redis.command(['HGET', names.cluster, 'revision']).catch(() => null);
      if (Number(revision) > feed.revision()) await catchUpTo(Number(revision));
    },
    publish: (change) => publishChange(redis, names, change, log),
  };
}

/** From then on every process finds the change at its next request, before the database has told it. */
export async function publishChange(
  redis: Redis,
  names: RedisNames,
  { revision, revokedKeyId }: DirectoryChange,
  log: Log,
): Promise<void> {
  try {
    if (revokedKeyId !== undefined)
      await redis.command(['SET', names.revoked(revokedKeyId), '1', 'PX', String(REVOKED_KEPT_MS)]);
    await redis.run(RAISE_REVISION, [names.cluster], [String(revision), '']);
  } catch (error) {
    const reason = redisCause(error);
    log.warn({ reason }, 'a change of keys goes to other processes by the database alone');
  }
}
