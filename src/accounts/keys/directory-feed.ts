import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { startRepeatingTask } from '../../base/repeating-task.ts';
import type { PostgresStorage, SqliteStorage, Storage } from '../../storage/storage.ts';
import { DIRECTORY_CHANNEL } from './changes.ts';
import { accountsSinceQuery, type Directory, keysSinceQuery, revisionQuery } from './directory.ts';

/** Keeps the directory equal to the database, whichever process changes it. */
export interface DirectoryFeed {
  /** Before each look-up, without awaiting. */
  freshen(): void;
  /** Brings in what was committed before the call. */
  catchUp(): Promise<void>;
  /** Of the newest change that is in the directory. */
  revision(): number;
  close(): Promise<void>;
}

export async function openDirectoryFeed(
  storage: Storage,
  directory: Directory,
  clock: Clock,
  log: Log,
): Promise<DirectoryFeed> {
  return storage.kind === 'sqlite'
    ? openSqliteFeed(storage, directory)
    : await openPostgresFeed(storage, directory, clock, log);
}

const CHECK_EVERY_MS = 10;

/** SQLite tells for next to nothing whether anyone has committed; then the revision tells if it was about keys. */
function openSqliteFeed(storage: SqliteStorage, directory: Directory): DirectoryFeed {
  const reader = storage.openReader();
  const { db } = storage;
  const revision = revisionQuery(db).compile();
  let seen = -1;
  let seenCommits = -1;
  const check = () => {
    const commits = reader.commits();
    if (commits === seenCommits) return;
    readRevision();
    seenCommits = commits;
  };
  // Asking costs system calls, and so does the time of day. The own process' changes are brought in as they are made;
  // those of another one, made by hand, are noticed this much later.
  let isDue = true;
  let timer: NodeJS.Timeout | undefined;
  const freshen = () => {
    if (!isDue) return;
    check();
    isDue = false;
    timer = setTimeout(() => {
      isDue = true;
    }, CHECK_EVERY_MS).unref();
  };
  const readRevision = () => {
    const current = reader.rows(revision)[0]?.revision ?? 0;
    if (current === seen) return;
    const since = startOf(directory, current, seen);
    // Keys first: the account of each key read here is then surely in the second answer.
    const keys = reader.rows(keysSinceQuery(db, since).compile());
    directory.apply(keys, reader.rows(accountsSinceQuery(db, since).compile()));
    seen = current;
  };
  check();
  return {
    freshen,
    catchUp: async () => check(),
    revision: () => seen,
    close: async () => {
      clearTimeout(timer);
      reader.close();
    },
  };
}

/** The net under LISTEN, for a notice that got lost. */
const RELOAD_EVERY_MS = 5_000;

async function openPostgresFeed(
  storage: PostgresStorage,
  directory: Directory,
  clock: Clock,
  log: Log,
): Promise<DirectoryFeed> {
  const { db } = storage;
  let seen = -1;
  const load = async () => {
    const current = (await revisionQuery(db).executeTakeFirst())?.revision ?? 0;
    if (current === seen) return;
    const since = startOf(directory, current, seen);
    const keys = await keysSinceQuery(db, since).execute();
    directory.apply(keys, await accountsSinceQuery(db, since).execute());
    seen = current;
  };
  // One load after the other, so that an older answer never overwrites a newer one.
  let last: Promise<void> = Promise.resolve();
  const catchUp = () => {
    last = last.catch(() => undefined).then(load);
    return last;
  };
  await catchUp();
  const onNotice = () => {
    catchUp().catch((error: unknown) => log.warn({ err: error }, 'keys could not be reloaded; trying again'));
  };
  const listener = await storage.listen(DIRECTORY_CHANNEL, onNotice);
  const net = startRepeatingTask({
    name: 'reload keys',
    everyMs: RELOAD_EVERY_MS,
    firstDelayMs: RELOAD_EVERY_MS,
    clock,
    log,
    run: async () => {
      await catchUp();
      return undefined;
    },
  });
  return {
    freshen: () => undefined,
    catchUp,
    revision: () => seen,
    close: async () => {
      await net.stop();
      await listener.close();
      await last.catch(() => undefined);
    },
  };
}

/** A revision that went back means that a backup was restored underneath: then everything is read again. */
function startOf(directory: Directory, current: number, seen: number): number {
  if (current > seen) return seen;
  directory.clear();
  return -1;
}
