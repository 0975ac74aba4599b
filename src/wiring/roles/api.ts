import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { type RepeatingTask, startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { FrameFeed } from '../../cluster/frame-feed.ts';
import { PairCalls } from '../../cluster/pair-calls.ts';
import type { PairName, PairView } from '../../engines/backtest/pair-view.ts';
import { ListingCalendar, type Published } from '../../engines/listings/calendar.ts';
import type { FrameArchive } from '../../market/frame-store.ts';
import type { TableSource } from '../../market/timeline.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Venue } from '../../venues/venue.ts';
import type { Series } from '../market/series.ts';
import type { ClusterLink } from './link.ts';
import { FollowedListings } from './listings-follow.ts';
import { type AllReports, allReports, type SavedReport } from './reports.ts';
import { snapshotReaders } from './snapshot-readers.ts';

export interface ApiRoleOptions {
  link: ClusterLink;
  storage: Storage;
  archive: FrameArchive;
  series: Series;
  venues: readonly Venue[];
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** The calendar of this process's own engine; null where there is none. */
  ownListings: () => Published | null;
}

const FOLLOW_EVERY_MS = 2 * SECOND_MS;

/** What an API process takes from the collectors: tables, the calendar, reports of venues, and charts of pairs. */
export class ApiRole {
  readonly listings: TableSource;
  readonly #options: ApiRoleOptions;
  readonly #feed: FrameFeed;
  readonly #pairs: PairCalls;
  readonly #followed: FollowedListings;
  #reports = new Map<string, SavedReport>();
  /** Logged once, not every two seconds. */
  #unreadableReports: readonly string[] = [];
  #missedListings: number | null = null;
  #task: RepeatingTask | null = null;

  constructor(options: ApiRoleOptions) {
    const { link, storage, series, ownListings } = options;
    this.#options = options;
    this.#feed = new FrameFeed({
      ...options,
      redis: link.redis,
      channel: link.channels.frames,
      timelines: series.byName,
      readers: snapshotReaders(series),
    });
    this.#pairs = new PairCalls({
      ...link,
      clock: options.clock,
      log: options.log,
      metrics: options.metrics,
    });
    this.#followed = new FollowedListings(storage);
    const calendar = new ListingCalendar(() => {
      const own = ownListings();
      return own && lastAsOfMs(own) >= lastAsOfMs(this.#followed) ? own : this.#followed;
    });
    this.listings = {
      at: (delaySeconds, nowMs) => calendar.at(delaySeconds, nowMs),
      exactly: (asOfMs) => {
        const found = calendar.exactly(asOfMs);
        if (!found) this.#missedListings = asOfMs;
        return found;
      },
      after: (asOfMs, delaySeconds, nowMs) => calendar.after(asOfMs, delaySeconds, nowMs),
    };
  }

  source(series: string): TableSource {
    return this.#feed.source(series);
  }

  /**
   * Called after an operation throws. Null: no data was missing. Otherwise fetches the missing snapshot and resolves to
   * whether a retry makes sense.
   */
  readonly lookAgain = (): Promise<boolean> | null => {
    const missed = this.#missedListings;
    this.#missedListings = null;
    if (missed === null) return this.#feed.fetchMissed();
    if (missed <= lastAsOfMs(this.#followed)) return null;
    return this.#followed.refresh().then(
      () => missed <= lastAsOfMs(this.#followed),
      () => false,
    );
  };

  /** True while snapshots before the newest are missing that the database may still have. */
  get isFetching(): boolean {
    return this.#feed.isFetching;
  }

  /** Null until the owner of the venue has saved a report. */
  reportOf(slug: string): SavedReport | null {
    return this.#reports.get(slug) ?? null;
  }

  pair(name: PairName): Promise<PairView | null> {
    return this.#pairs.ask(name);
  }

  /** Follows the collectors from now on. What they published before must have been restored already. */
  async start(): Promise<void> {
    const { clock, log } = this.#options;
    await this.#feed.start();
    await this.#pairs.start();
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
    await this.#pairs.stop();
  }

  async #follow(): Promise<void> {
    const { link } = this.#options;
    const reports = await allReports(link);
    if (reports) this.#takeReports(reports);
    // While the database is unavailable nobody can publish the calendar, so it has not changed.
    await this.#followed.refresh().catch(() => undefined);
  }

  #takeReports({ readable, unreadable }: AllReports): void {
    const { log, metrics } = this.#options;
    this.#reports = readable;
    for (const venue of unreadable) {
      metrics.clusterMessages.inc({ kind: 'report', outcome: 'unreadable' });
      if (!this.#unreadableReports.includes(venue))
        log.warn({ venue }, 'the report of the venue in Redis is unreadable; its status is unknown');
    }
    this.#unreadableReports = unreadable;
  }
}

function lastAsOfMs({ span }: Published): number {
  return span?.lastAsOfMs ?? 0;
}
