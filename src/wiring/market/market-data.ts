import { type OnFailure, openAll } from '../../base/async/open-all.ts';
import { startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { FramePublisher } from '../../cluster/frame-publisher.ts';
import { FollowedAuditReport } from '../../engines/audit/followed-report.ts';
import type { AuditReport } from '../../engines/audit/report.ts';
import type { PairName, PairView } from '../../engines/backtest/pair-view.ts';
import { PairCharts } from '../../engines/backtest/running/pair-charts.ts';
import { SettlementKeeper } from '../../history/settlements/keeper.ts';
import { FollowedSplits } from '../../market/coins/followed-splits.ts';
import type { SplitTicker } from '../../market/coins/stored-splits.ts';
import { ALWAYS_HELD } from '../../storage/engine-lease.ts';
import { type Availability, availabilityOf } from '../../venues/availability.ts';
import { silentReport, type VenueReport, type VenueTimes } from '../../venues/health.ts';
import type { Venue } from '../../venues/venue.ts';
import type { Foundation } from '../foundation.ts';
import { ApiRole } from '../roles/api.ts';
import { CollectorRole } from '../roles/collector.ts';
import { type Collecting, openCollecting } from './collecting.ts';
import type { Engine } from './engine.ts';
import { openSeries, type Series } from './series.ts';

/** The data of the service, whether this process or another one collects and computes it. */
export interface MarketData {
  series: Series;
  /** Null with --role api. */
  collecting: Collecting | null;
  /** Null in a single process and with --role collector. */
  api: ApiRole | null;
  keeper: SettlementKeeper;
  /** The engine while this process holds its lease, else null. */
  engine(): Engine | null;
  reportOf(venue: Venue): VenueReport;
  timesOf(venue: Venue): VenueTimes;
  availabilityOf(venue: Venue): Availability;
  pair(name: PairName): Promise<PairView | null>;
  /** The newest report of the audit, wherever it runs; null before the first one. */
  audit(): AuditReport | null;
  /** The tickers that are more than one coin. */
  splitTickers(): readonly SplitTicker[];
  startCollecting(): void;
  stop(): Promise<void>;
  /** Called after `stop`: closes what requests read from. */
  close(): Promise<void>;
}

const HISTORY_EVERY_MS = 5 * SECOND_MS;

/** Opens what the role of this process needs: collecting, the engine, or only a copy of what others publish. */
export function openMarketData(foundation: Foundation, baseUrl: string): Promise<MarketData> {
  return openAll(foundation.log, (onFailure) => open(foundation, baseUrl, onFailure));
}

async function open(foundation: Foundation, baseUrl: string, onFailure: OnFailure): Promise<MarketData> {
  const { settings, shared, archive, log, metrics, clock, clockWatch, load, venues, storage, http } =
    foundation;
  const { role } = settings;
  let series: Series | null = null;
  const collectorRole =
    shared && role !== 'api'
      ? new CollectorRole({
          ...foundation,
          shared,
          // With --role all the tables are up to date already, because that role follows the collectors of other processes.
          beforeActive: async () => {
            if (role === 'collector') await series?.restore();
          },
        })
      : null;
  const engineLease = collectorRole?.engineLease ?? ALWAYS_HELD;
  const publisher = collectorRole
    ? new FramePublisher({ archive, fence: () => (engineLease.isHeld() ? engineLease.fence() : null) })
    : null;
  const opened = openSeries(publisher ?? archive, foundation);
  onFailure(() => opened.close());
  series = opened;
  if (role !== 'collector') await opened.restore();
  clockWatch.onStep(({ byMs, nowMs }) => {
    for (const timeline of opened.byName.values()) timeline.clockStepped(byMs, nowMs);
    if (byMs > 0 || role === 'api' || !engineLease.isHeld()) return;
    archive
      .deleteAfter(nowMs)
      .catch((error: unknown) => log.error({ err: error }, 'could not delete snapshots from the future'));
  });

  const collecting =
    role === 'api'
      ? null
      : await openCollecting({
          settings,
          storage,
          clock,
          clockWatch,
          load,
          log,
          metrics,
          baseUrl,
          venues,
          http,
          series: opened,
          engineLease,
        });
  onFailure(() => collecting?.history.keeper.close());
  onFailure(async () => {
    await collecting?.stop();
    await publisher?.stop();
    await collectorRole?.leave();
  });
  const engine = () => (engineLease.isHeld() ? (collecting?.engine() ?? null) : null);
  const api =
    shared && role !== 'collector'
      ? new ApiRole({
          ...foundation,
          shared,
          series: opened,
          ownListings: () => collecting?.engine()?.listings.published() ?? null,
        })
      : null;
  onFailure(() => api?.stop());
  await api?.start();
  if (collectorRole && collecting) await collectorRole.join(collecting);
  else await collecting?.activate();
  const keeper =
    collecting?.history.keeper ??
    (await SettlementKeeper.open({ storage, clock, log, metrics, isReader: true }));
  if (!collecting) onFailure(() => keeper.close());
  const following = collecting
    ? null
    : startRepeatingTask({
        name: 'read new history',
        everyMs: HISTORY_EVERY_MS,
        clock,
        log,
        run: async () => {
          await keeper.refresh();
          return undefined;
        },
      });
  onFailure(() => following?.stop());

  const charts = new PairCharts({
    storage,
    log,
    windowDays: settings.backtestDays,
    folder: settings.dataDir,
  });
  onFailure(() => charts.close());
  const followedAudit = shared ? await FollowedAuditReport.open(foundation) : null;
  onFailure(() => followedAudit?.stop());
  const followedSplits = shared ? await FollowedSplits.open(foundation) : null;

  const isHere = () => collecting?.isActive() ?? false;
  return {
    series: opened,
    collecting,
    api,
    keeper,
    engine,
    reportOf: (venue) => {
      if (isHere() || !api) return collecting?.reportOf(venue) ?? silentReport(venue);
      return api.reportOf(venue.slug)?.report ?? silentReport(venue);
    },
    timesOf: (venue) => {
      if (isHere() || !api) return collecting?.timesOf(venue) ?? silentReport(venue);
      return api.reportOf(venue.slug)?.report ?? silentReport(venue);
    },
    availabilityOf: (venue) =>
      isHere() && collecting
        ? collecting.availability.of(venue.slug)
        : availabilityOf(api?.reportOf(venue.slug)?.minutes ?? ''),
    pair: async (name) => {
      const own = engine();
      return own ? await own.backtest.pair(name) : await charts.pair(name);
    },
    audit: () => {
      const own = engine();
      return own ? own.audit.report() : (followedAudit?.report() ?? null);
    },
    splitTickers: () => engine()?.splits.tickers ?? followedSplits?.tickers() ?? [],
    startCollecting: () => collecting?.start(),
    stop: async () => {
      await charts.close();
      await followedSplits?.stop();
      await followedAudit?.stop();
      await following?.stop();
      await collecting?.stop();
      await publisher?.stop();
      await collectorRole?.leave();
      await api?.stop();
    },
    close: async () => {
      await keeper.close();
      opened.close();
    },
  };
}
