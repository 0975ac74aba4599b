import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { fedSource } from '../../cluster/frame-feed.ts';
import { PostgresFeed } from '../../cluster/postgres-feed.ts';
import { ListingCalendar, type Published } from '../../engines/listings/calendar.ts';
import { FollowedListings } from '../../engines/listings/followed.ts';
import { allReports, type SavedReport } from '../../history/reports/store.ts';
import type { FrameArchive } from '../../market/frame-store.ts';
import type { TableSource } from '../../market/timeline.ts';
import { isStorageUnavailable } from '../../storage/errors.ts';
import type { PostgresStorage } from '../../storage/storage.ts';
import type { Series } from '../market/series.ts';
import { snapshotReaders } from './snapshot-readers.ts';

export interface ApiRoleOptions {
  shared: PostgresStorage;
  archive: FrameArchive;
  series: Series;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** The calendar of this process's own engine; null where there is none. */
  ownListings: () => Published | null;
}

const FOLLOW_EVERY_MS = 2 * SECOND_MS;

/** What an API process takes from the active collector: tables, the calendar and reports of venues. */
export class ApiRole {
  readonly listings: TableSource;
  readonly #options: ApiRoleOptions;
  readonly #feed: PostgresFeed;
  readonly #followed: FollowedListings;
  #reports = new Map<string, SavedReport>();
  /** Logged once, not every two seconds. */
  #unreadableReports: readonly string[] = [];
  #task: RepeatingTask | null = null;

  constructor(options: ApiRoleOptions) {
    const { shared, series, ownListings } = options;
    this.#options = options;
    this.#feed = new PostgresFeed({
      ...options,
      listener: shared.listener,
      timelines: series.byName,
      readers: snapshotReaders(series),
    });
    this.#followed = new FollowedListings(shared);
    const calendar = new ListingCalendar(() => {
      const own = ownListings();
      return own && lastAsOfMs(own) >= lastAsOfMs(this.#followed) ? own : this.#followed;
    });
    this.listings = {
      at: (delaySeconds, nowMs) => calendar.at(delaySeconds, nowMs),
      exactly: (asOfMs) => calendar.exactly(asOfMs),
      after: (asOfMs, delaySeconds, nowMs) => calendar.after(asOfMs, delaySeconds, nowMs),
      fetch: async (asOfMs) => {
        if (asOfMs <= lastAsOfMs(this.#followed)) return false;
        await this.#followed.refresh();
        return asOfMs <= lastAsOfMs(this.#followed);
      },
    };
  }

  source(name: string): TableSource {
    const timeline = this.#options.series.byName.get(name);
    if (!timeline) throw new Error(`there is no series ${name}`);
    return fedSource(this.#feed, name, timeline);
  }

  /** True while snapshots before the newest are missing that the database may still have. */
  get isFetching(): boolean {
    return this.#feed.isFetching;
  }

  /** Null until a collector has saved a report. */
  reportOf(slug: string): SavedReport | null {
    return this.#reports.get(slug) ?? null;
  }

  /** Follows the active collector from now on. What was published before must have been restored already. */
  async start(): Promise<void> {
    const { clock, log } = this.#options;
    await this.#feed.start();
    await this.#follow();
    this.#task = startRepeatingTask({
      name: 'read the calendar and the reports of venues',
      everyMs: FOLLOW_EVERY_MS,
      firstDelayMs: FOLLOW_EVERY_MS,
      clock,
      log,
      run: async () => {
        await this.#follow();
        return undefined;
      },
    });
  }

  async stop(): Promise<void> {
    await this.#task?.stop();
    await this.#feed.stop();
  }

  async #follow(): Promise<void> {
    const { shared, log } = this.#options;
    try {
      const { readable, unreadable } = await allReports(shared);
      this.#reports = readable;
      const added = unreadable.filter((slug) => !this.#unreadableReports.includes(slug));
      if (added.length > 0)
        log.warn({ venues: added }, 'reports of venues are unreadable; their status is unknown');
      this.#unreadableReports = unreadable;
      await this.#followed.refresh();
    } catch (error) {
      // Nobody can publish while the database is unavailable, so nothing has changed.
      if (!isStorageUnavailable(error)) throw error;
    }
  }
}

function lastAsOfMs({ span }: Published): number {
  return span?.lastAsOfMs ?? 0;
}
