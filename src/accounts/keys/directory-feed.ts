import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { startRepeatingTask } from '../../base/repeating-task.ts';
import type { PostgresStorage, SqliteStorage, Storage } from '../../storage/storage.ts';
import { DIRECTORY_CHANNEL } from './changes.ts';
import { accountsSinceQuery, type Directory, keysSinceQuery, revisionQuery } from './directory.ts';

/** Keeps the directory in memory equal to the database, which any process may change. */
export interface DirectoryFeed {
  /** Called before each lookup; synchronous. */
  freshen(): void;
  /** Reads all changes that were committed before the call. */
  catchUp(): Promise<void>;
  /** The revision of the newest change in the directory. */
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

/** Asks SQLite whether any process has committed, which is cheap; then the revision shows whether keys changed. */
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
  // The check makes system calls, and so would reading the clock. This process reads its own changes at once; those of
  // another process, such as a command, are noticed with this delay.
  let isCheckDue = true;
  let timer: NodeJS.Timeout | undefined;
  const freshen = () => {
    if (!isCheckDue) return;
    check();
    isCheckDue = false;
    timer = setTimeout(() => {
      isCheckDue = true;
    }, CHECK_EVERY_MS).unref();
  };
  const readRevision = () => {
    const current = reader.rows(revision)[0]?.revision ?? 0;
    if (current === seen) return;
    const since = startOf(directory, current, seen);
    // Keys first: then the second query includes the account of every key read here.
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

/** Finds changes whose notification was lost. */
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
  // Loads run one after the other, so that an older result never overwrites a newer one.
  let last: Promise<void> = Promise.resolve();
  const catchUp = () => {
    last = last.catch(() => undefined).then(load);
    return last;
  };
  const onNotice = () => {
    catchUp().catch((error: unknown) => log.warn({ err: error }, 'could not reload keys; trying again'));
  };
  const removeHandlers = [
    await storage.listener.on(DIRECTORY_CHANNEL, onNotice),
    storage.listener.onReconnect(onNotice),
  ];
  await catchUp();
  const fallback = startRepeatingTask({
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
      await fallback.stop();
      for (const remove of removeHandlers) remove();
      await last.catch(() => undefined);
    },
  };
}

/** A lower revision means that a backup was restored; everything is then read again. */
function startOf(directory: Directory, current: number, seen: number): number {
  if (current > seen) return seen;
  directory.clear();
  return -1;
}
