import { type OnWait, openInto } from '../base/async/opened.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import type { GuardedFetch } from '../base/http/guarded-fetch.ts';
import { createLog, type Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { takeFrames } from '../cluster/frame-intake.ts';
import type { Settings } from '../settings.ts';
import type { CollectorOptions, Collector as VenueCollector } from '../venues/collecting/collector.ts';
import type { VenueHealth } from '../venues/health.ts';
import type { Venue } from '../venues/venue.ts';
import { collectedHere } from './collected/local.ts';
import { openCollector } from './collector.ts';
import { openFoundation } from './foundation.ts';
import type { Collecting } from './market/collecting.ts';
import type { Engine } from './market/engine.ts';
import type { HistoryPart } from './market/history.ts';
import type { PartContext } from './part.ts';
import { feedOf, openTables } from './service.ts';
import { openServing, type Serving } from './serving.ts';

export interface LocalServiceOptions {
  settings: Settings;
  clock?: Clock;
  log?: Log;
  /** Fetches the metadata documents of OAuth clients. */
  fetchClientMetadata?: GuardedFetch;
  /** Name servers for the names that users supply, as `address:port`. */
  nameServers?: readonly string[];
}

/** Both sides in one thread and on one clock, for tests and measurements: they see and drive the collector's parts. */
export interface LocalService
  extends Serving,
    Pick<Engine, 'publisher' | 'audit' | 'spreads' | 'prices' | 'samples' | 'backtest' | 'listings'> {
  metrics: Metrics;
  log: Log;
  collectors: readonly VenueCollector[];
  context: PartContext;
  history: HistoryPart;
  collectorOptions(venue: Venue): CollectorOptions;
  health(): VenueHealth[];
  startCollecting(): void;
  stop(onWait?: OnWait): Promise<void>;
}

export async function startLocalService({
  settings,
  clock = systemClock,
  log = createLog(settings.logLevel),
  fetchClientMetadata,
  nameServers,
}: LocalServiceOptions): Promise<LocalService> {
  const { result, opened } = await openInto(log, async (opened) => {
    const foundation = await openFoundation(settings, clock, log);
    opened.add('the connections to the database and Redis', foundation.close);
    const series = openTables(foundation, opened);
    await series.restore();
    const feed = feedOf(foundation, series);
    await feed.start();
    opened.add('snapshots of the collector', () => feed.stop());
    const receiver = { ...foundation, timelines: series.byName };
    const collector = await openCollector(foundation, (frames) => takeFrames(frames, receiver));
    opened.add('calls to venues that are under way, and storing what they sent', collector.stop);
    const collected = collectedHere(collector);
    const serving = await openServing({
      ...{ foundation, series, feed, collected, opened, fetchClientMetadata, nameServers },
    });
    return { serving, collector, metrics: foundation.metrics };
  });
  const { serving, collector, metrics } = result;
  const { collecting } = collector;
  return {
    ...serving,
    metrics,
    log,
    collectors: collecting.context.collectors,
    context: collecting.context,
    history: collecting.history,
    collectorOptions: collecting.collectorOptions,
    get publisher() {
      return engineOf(collecting).publisher;
    },
    get audit() {
      return engineOf(collecting).audit;
    },
    get spreads() {
      return engineOf(collecting).spreads;
    },
    get prices() {
      return engineOf(collecting).prices;
    },
    get samples() {
      return engineOf(collecting).samples;
    },
    get backtest() {
      return engineOf(collecting).backtest;
    },
    get listings() {
      return engineOf(collecting).listings;
    },
    health: collector.reports,
    startCollecting: () => {
      collector.start();
      serving.people.start();
      serving.alerts.start();
    },
    stop: (onWait) => opened.close(onWait),
  };
}

function engineOf({ engine }: Collecting): Engine {
  const here = engine();
  if (!here) throw new Error('another process is the active collector');
  return here;
}
