import { type OnWait, type Opened, openInto } from '../base/async/opened.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { SERVING_SHEDS } from '../base/load.ts';
import { createLog, type Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import type { FrameFeed } from '../cluster/frame-feed.ts';
import { PortFeed } from '../cluster/port-feed.ts';
import { PostgresFeed } from '../cluster/postgres-feed.ts';
import type { Settings } from '../settings.ts';
import { NO_DISK_FAULTS } from '../storage/disk-state.ts';
import type { VenueHealth } from '../venues/health.ts';
import type { CollectedData } from './collected/collected.ts';
import { followCollected } from './collected/followed.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { jobsByAge } from './market/engine-jobs.ts';
import { openSeries, type Series } from './market/series.ts';
import { openServing, type Serving } from './serving.ts';
import { COLLECTOR, CollectorThread, type ThreadModule } from './thread/collector-thread.ts';

interface ServiceOptions {
  settings: Settings;
  /** Only tests replace it. */
  clock?: Clock;
  log?: Log;
  /** The module of the collector's thread. The demo has its own. */
  collector?: ThreadModule;
}

/** A process that answers requests. */
export interface Service extends Serving {
  metrics: Metrics;
  log: Log;
  /** The collector of this process; null with --role api. */
  thread: CollectorThread | null;
  health(): VenueHealth[];
  /** Starts watching the venues. Requests are answered before that, from stored snapshots. */
  startCollecting(): void;
  /** `onWait` is told what it waits for when it takes long. */
  stop(onWait?: OnWait): Promise<void>;
}

/** Starts a process with --role all or api: the collector in a thread, the doors here. */
export async function startService({
  settings,
  clock = systemClock,
  log = createLog(settings.logLevel),
  collector = COLLECTOR,
}: ServiceOptions): Promise<Service> {
  const { result, opened } = await openInto(log, async (opened) => {
    const foundation = await openFoundation(settings, clock, log, { sheds: SERVING_SHEDS });
    opened.add('the connections to the database and Redis', foundation.close);
    const { metrics, venues } = foundation;
    const series = openTables(foundation, opened);
    const feed = feedOf(foundation, series);
    const thread =
      settings.role === 'api'
        ? null
        : new CollectorThread({
            ...collector,
            ...{ settings, log, metrics, feed: feed instanceof PortFeed ? feed : null },
          });
    thread?.start();
    opened.add('calls to venues that are under way, and storing what they sent', async () => thread?.stop());
    await series.restore();
    const followed = await followCollected(foundation);
    opened.add('reads of history', followed.stop);
    const collected: CollectedData = {
      ...followed,
      jobs: () => thread?.jobs() ?? jobsByAge({ series, ...followed }, foundation),
    };
    await feed.start();
    opened.add('snapshots of the collector', () => feed.stop());
    const serving = await openServing({
      ...{ foundation, series, feed, collected, opened },
      collectorFaults: () => thread?.faults() ?? [],
      collectorDisk: () => thread?.disk() ?? NO_DISK_FAULTS,
      threadMetrics: () => thread?.metrics ?? null,
    });
    return { serving, thread, metrics, health: () => venues.map(collected.reportOf) };
  });
  const { serving, thread, metrics, health } = result;
  return {
    ...serving,
    metrics,
    log,
    thread,
    health,
    startCollecting: () => {
      thread?.collect();
      serving.people.start();
      serving.alerts.start();
    },
    stop: (onWait) => opened.close(onWait),
  };
}

/** Opens the timelines of all tables. */
export function openTables(foundation: Foundation, opened: Opened): Series {
  const series = openSeries(foundation.archive, foundation);
  opened.add('snapshots on the disk', series.close);
  foundation.clockWatch.onStep(({ byMs, nowMs }) => {
    for (const timeline of series.byName.values()) timeline.clockStepped(byMs, nowMs);
  });
  return series;
}

/** From a collector in this process, or from PostgreSQL where several processes share it. */
export function feedOf(foundation: Foundation, series: Series): FrameFeed {
  const options = { ...foundation, timelines: series.byName };
  return foundation.shared
    ? new PostgresFeed({ ...options, listener: foundation.shared.listener })
    : new PortFeed(options);
}
