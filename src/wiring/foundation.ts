import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { type ClockWatch, watchClock } from '../base/clock-steps.ts';
import { createHttpClient, type HttpClient } from '../base/http/http-client.ts';
import { type LoadMonitor, monitorLoad, NO_SHEDDING, SHED_ORDER, type Shed } from '../base/load.ts';
import type { Log } from '../base/log.ts';
import { createMetrics, type Metrics } from '../base/metrics.ts';
import { type FrameArchive, storedFrames } from '../market/frame-store.ts';
import { SettingError, type Settings } from '../settings.ts';
import { diskFaultText } from '../storage/disk-faults.ts';
import { makePrivateFolder } from '../storage/private-files.ts';
import { openRedis } from '../storage/redis/open.ts';
import type { Redis } from '../storage/redis/redis.ts';
import { openStorage, type PostgresStorage, type Storage } from '../storage/storage.ts';
import type { Venue } from '../venues/venue.ts';
import { chosenVenues } from './chosen-venues.ts';
import { type Dependencies, watchDependencies } from './dependencies.ts';
import { checkRole, sharedDatabase } from './roles/joining.ts';

/** What every role needs: settings, database, Redis, metrics, HTTP client. */
export interface Foundation {
  settings: Settings;
  clock: Clock;
  clockWatch: ClockWatch;
  load: LoadMonitor;
  log: Log;
  metrics: Metrics;
  venues: readonly Venue[];
  storage: Storage;
  redis: Redis | null;
  /** The database that joins this process to others; null in a single process. */
  shared: PostgresStorage | null;
  archive: FrameArchive;
  http: HttpClient;
  dependencies: Dependencies;
  close(): Promise<void>;
}

interface FoundationUse {
  /** Whether it counts requests. */
  hasRedis?: boolean;
  /** What it does of what is stopped under overload. */
  sheds?: readonly Shed[];
}

/** Fails if the database is unavailable. Redis may become available later. */
export async function openFoundation(
  settings: Settings,
  clock: Clock,
  log: Log,
  { hasRedis = true, sheds = SHED_ORDER }: FoundationUse = {},
): Promise<Foundation> {
  checkRole(settings);
  await using opening = new AsyncDisposableStack();
  const venues = chosenVenues(settings.venues);
  const metrics = createMetrics();
  makeDataDir(settings.dataDir);
  const storage = await openStorage({
    databaseUrl: settings.databaseUrl,
    replicaUrl: settings.databaseReplicaUrl,
    sqliteFile: join(settings.dataDir, 'perpwire.sqlite'),
    log,
  });
  opening.defer(() => storage.close());
  const redis =
    settings.redisUrl === null || !hasRedis ? null : await openRedis({ url: settings.redisUrl, log });
  opening.defer(() => redis?.close());
  const http = createHttpClient();
  opening.defer(() => http.close());
  const dependencies = watchDependencies({ storage, redis, log, metrics });
  opening.defer(() => dependencies.stop());
  const clockWatch = watchClock(clock, log, metrics);
  opening.defer(() => clockWatch.stop());
  const load = settings.shedLoad ? monitorLoad(log, metrics, sheds) : NO_SHEDDING;
  opening.defer(() => load.stop());
  const opened = opening.move();
  return {
    settings,
    clock,
    clockWatch,
    load,
    log,
    metrics,
    venues,
    storage,
    redis,
    shared: sharedDatabase(storage, settings),
    archive: storedFrames(storage),
    http,
    dependencies,
    close: () => opened.disposeAsync(),
  };
}

/** With PostgreSQL too: mail without SMTP_URL and snapshots on disk are in this folder. */
function makeDataDir(dataDir: string): void {
  try {
    makePrivateFolder(dataDir);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    const text = diskFaultText(error) ?? `${cause}; choose another one`;
    throw new SettingError(`cannot make the data folder ${dataDir}: ${text}`);
  }
}
