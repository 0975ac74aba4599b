import { type OnFailure, openAll } from '../base/async/open-all.ts';
import { type OnWait, stopInOrder } from '../base/async/stop-in-order.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createLog, type Log } from '../base/log.ts';
import type { Settings } from '../settings.ts';
import type { VenueHealth } from '../venues/health.ts';
import { openAdminDoor } from './doors/admin.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import { engineJobs } from './market/engine-jobs.ts';
import { openMarketData } from './market/market-data.ts';
import { servedTimes } from './market/served.ts';

export interface CollectorService {
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
  return await openAll(log, async (onFailure) => {
    const foundation = await openFoundation(settings, clock, log);
    onFailure(foundation.close);
    return await build(foundation, onFailure);
  });
}

async function build(foundation: Foundation, onFailure: OnFailure): Promise<CollectorService> {
  const { settings, clock } = foundation;
  const { venues, metrics, dependencies } = foundation;
  // A collector writes no links, so it needs no base URL.
  const market = await openMarketData(foundation, settings.baseUrl ?? '');
  onFailure(market.close);
  onFailure(market.stop);
  const { collecting } = market;
  const reports = () => (collecting?.isActive() ? venues.map(market.reportOf) : []);
  const served = servedTimes(market, { clock, metrics, snapshotSeconds: settings.snapshotSeconds });
  const admin = await openAdminDoor(foundation, {
    metrics,
    beforeMetrics: served.setMetrics,
    // A collector that stands by is ready to take over.
    notReady: () => null,
    degraded: () => [...foundation.load.faults(), ...dependencies.unavailable()],
    jobs: () => engineJobs(market, foundation),
    venues: reports,
    audit: market.audit,
  });
  market.startCollecting();
  return {
    adminUrl: admin.url,
    health: reports,
    stop: (onWait) =>
      stopInOrder(
        [
          ['calls to venues that are under way, and storing what they sent', market.stop],
          ['reads of history', market.close],
          ['requests to the admin port', admin.close],
          ['the connections to the database and Redis', foundation.close],
        ],
        onWait,
      ),
  };
}
