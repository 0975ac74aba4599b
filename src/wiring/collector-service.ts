import { type OnWait, openInto } from '../base/async/opened.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { COLLECTOR_SHEDS } from '../base/load.ts';
import { createLog, type Log } from '../base/log.ts';
import { SECOND_MS } from '../base/times.ts';
import { SIZES_USD } from '../history/samples/model.ts';
import type { Settings } from '../settings.ts';
import type { VenueHealth } from '../venues/health.ts';
import { openCollector } from './collector.ts';
import { openAdminDoor } from './doors/admin.ts';
import { openFoundation } from './foundation.ts';

interface CollectorService {
  adminUrl: string;
  /** Health of the venues; empty while this process stands by. */
  health(): VenueHealth[];
  /** `onWait` is told what it waits for when it takes long. */
  stop(onWait?: OnWait): Promise<void>;
}

/** Starts a process with --role collector: it watches venues for other processes and serves only the admin port. */
export async function startCollectorService({
  settings,
  clock = systemClock,
  log = createLog(settings.logLevel),
}: {
  settings: Settings;
  clock?: Clock;
  log?: Log;
}): Promise<CollectorService> {
  const { result, opened } = await openInto(log, async (opened) => {
    const foundation = await openFoundation(settings, clock, log, {
      hasRedis: false,
      sheds: COLLECTOR_SHEDS,
    });
    opened.add('the connections to the database', foundation.close);
    const { metrics, dependencies } = foundation;
    const collector = await openCollector(foundation, null);
    const { collecting, writers, reports } = collector;
    const gauges = [
      [metrics.snapshotAsOf, writers.funding],
      [metrics.spreadAsOf, writers.legs],
      [metrics.backtestAsOf, writers.backtest.get(SIZES_USD[0])],
    ] as const;
    opened.add('calls to venues that are under way, and storing what they sent', collector.stop);
    const admin = await openAdminDoor(foundation, {
      metrics,
      beforeMetrics: () => {
        for (const [gauge, writer] of gauges)
          if (writer?.newestAsOfMs) gauge.set(writer.newestAsOfMs / SECOND_MS);
      },
      // A collector that stands by is ready to take over.
      notReady: () => [],
      degraded: () => [...foundation.load.faults(), ...dependencies.unavailable()],
      jobs: () => (collecting.isActive() ? collecting.context.jobs.states() : []),
      venues: reports,
      audit: () => collecting.engine()?.audit.report() ?? null,
    });
    opened.add('requests to the admin port', admin.close);
    collector.start();
    return { adminUrl: admin.url, health: reports };
  });
  return { ...result, stop: (onWait) => opened.close(onWait) };
}
