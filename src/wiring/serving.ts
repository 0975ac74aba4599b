import { type Accounts, openAccounts } from '../accounts/accounts.ts';
import { createPageViews } from '../accounts/attempts/page-views.ts';
import type { Opened } from '../base/async/opened.ts';
import { systemClock } from '../base/clock.ts';
import { createGuardedFetch, type GuardedFetch } from '../base/http/guarded-fetch.ts';
import { HostNames } from '../base/http/host-names.ts';
import { type FrameFeed, fedSource } from '../cluster/frame-feed.ts';
import type { MetricsJson } from '../doors/http/metrics-text.ts';
import { PAIR_HISTORIES_TABLE } from '../engines/arbitrage/histories.ts';
import { ARBITRAGE_LEGS_TABLE } from '../engines/arbitrage/legs.ts';
import { arbitrageSource } from '../engines/arbitrage/source.ts';
import { BACKTEST_TABLES } from '../engines/backtest/rows.ts';
import { DEPTH_TABLE } from '../engines/depth/table.ts';
import { FORECAST_MODELS_TABLE } from '../engines/forecast/models.ts';
import { coinsTable, exchangesTable } from '../engines/funding/catalogue.ts';
import { derivedSource } from '../engines/funding/snapshots.ts';
import { FUNDING_TABLE } from '../engines/funding/table.ts';
import { LEGS_TABLE } from '../engines/spreads/legs.ts';
import { rowsFromLegs } from '../engines/spreads/rows.ts';
import { DepthCostStore } from '../history/depth/store.ts';
import { ForecastStore } from '../history/forecasts/store.ts';
import { CoinPriceStore } from '../history/prices/store.ts';
import { SIZES_USD } from '../history/samples/model.ts';
import { TapeStore } from '../history/tape/store.ts';
import type { TableSource } from '../market/timeline.ts';
import { tokenRecognition } from '../oauth/token-recognition.ts';
import { Entrance } from '../operations/access/entrance.ts';
import type { DataSources } from '../operations/operation.ts';
import { type DiskFaults, diskFaultSentences, eitherFault, NO_DISK_FAULTS } from '../storage/disk-state.ts';
import { type AlertsPart, alertsPart } from './alerts/part.ts';
import type { CollectedData } from './collected/collected.ts';
import { startDatabaseCheck } from './database-check.ts';
import { openAdminDoor } from './doors/admin.ts';
import { openDoors } from './doors/doors.ts';
import { reservePort } from './doors/listening.ts';
import { type People, peoplePart } from './doors/people.ts';
import { openTls } from './doors/tls.ts';
import type { Foundation } from './foundation.ts';
import type { Series } from './market/series.ts';
import { servedTimes } from './market/served.ts';
import { venueStatus } from './market/venue-status.ts';

interface ServingOptions {
  foundation: Foundation;
  series: Series;
  feed: FrameFeed;
  collected: CollectedData;
  /** What is closed when the service stops. */
  opened: Opened;
  /** Faults of the collector's thread, and its metrics. */
  collectorFaults?: () => string[];
  collectorDisk?: () => DiskFaults;
  threadMetrics?: () => MetricsJson | null;
  /** Fetches the metadata documents of OAuth clients. Only tests replace it. */
  fetchClientMetadata?: GuardedFetch | undefined;
  /** Name servers for the names that users supply, as `address:port`. Only tests replace them. */
  nameServers?: readonly string[] | undefined;
}

/** The side that answers requests: tables, operations, alerts, accounts, doors. */
export interface Serving {
  baseUrl: string;
  adminUrl: string;
  accounts: Accounts;
  entrance: Entrance;
  people: People;
  alerts: AlertsPart;
}

/** Builds the layers from the bottom up, then opens the doors. */
export async function openServing(options: ServingOptions): Promise<Serving> {
  const { foundation, series, feed, collected, opened } = options;
  const { settings, clock, log, storage, redis, metrics, venues, dependencies } = foundation;
  const tls = openTls(settings);
  const reserved = settings.port === 0 ? await reservePort(settings.host) : null;
  const releasePort = async () => reserved?.release();
  opened.add('the port', releasePort);
  const port = reserved?.port ?? settings.port;
  const baseUrl =
    settings.baseUrl ??
    `${tls ? 'https' : 'http'}://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
  const tierGrants = settings.hostTierPlans;
  const accounts = await openAccounts({ storage, redis, clock, log, metrics, baseUrl, tierGrants });
  opened.add('storing the counts of requests', accounts.close);
  // Two of them: strangers who name clients do not delay the alerts of accounts.
  const namesOfClients = new HostNames({ clock, servers: options.nameServers });
  const namesOfAlerts = new HostNames({ clock, servers: options.nameServers });
  const people = await peoplePart(
    { storage, clock, log, settings, baseUrl },
    accounts,
    options.fetchClientMetadata ?? createGuardedFetch(namesOfClients),
  );
  opened.add('mail that is being sent', people.stop);
  const entrance = new Entrance({
    authenticate: accounts.authenticate,
    authenticateAgain: accounts.authenticateAgain,
    isAccessToken: tokenRecognition(people.authorization.connections, clock),
    lookAgain: accounts.lookAgain,
    windows: accounts.windows,
    openStreams: accounts.openStreams,
    rejectedKeys: accounts.rejectedKeys,
    pageViews: createPageViews(accounts.limitAttempts, settings.freePagesPerMinute),
    clock,
    baseUrl,
    isApiEnabled: settings.apiEnabled,
    data: dataSources(options, baseUrl),
  });
  const alerts = await alertsPart({
    ...{ ...foundation, baseUrl, accounts, people, data: entrance.data, names: namesOfAlerts },
    isFetchingSnapshots: () => feed.isFetching,
    pairHistory: collected.pair,
  });
  opened.add('alerts that are being delivered', alerts.stop);
  const jobs = () => [...collected.jobs(), ...alerts.jobs.states()];
  const diskFaults = () =>
    eitherFault(dependencies.diskFaults(), options.collectorDisk?.() ?? NO_DISK_FAULTS);
  const server = await openDoors({
    ...foundation,
    alerts,
    baseUrl,
    port,
    releasePort,
    tls,
    entrance,
    people,
    venueStatus: () =>
      venueStatus(
        venues.map((venue) => ({
          ...collected.reportOf(venue),
          availability: collected.availabilityOf(venue),
        })),
        collected.audit(),
      ),
    venueTimes: () => venues.map(collected.reportOf),
    jobs,
    diskFaults,
    accuracy: collected.audit,
    splitTickers: collected.splitTickers,
    pairChart: collected.pair,
  });
  opened.add('requests that are being answered', () => server.close());
  // Real time, also in tests that move the clock: the check is a process of its own.
  const check = storage.kind === 'sqlite' ? startDatabaseCheck({ storage, clock: systemClock, log }) : null;
  opened.add('the check of the database file', async () => check?.stop());
  const { listings } = collected;
  const { snapshotSeconds } = settings;
  const served = servedTimes({ series, listings }, { clock, metrics, snapshotSeconds });
  const admin = await openAdminDoor(foundation, {
    metrics,
    ...(options.threadMetrics ? { threadMetrics: options.threadMetrics } : {}),
    beforeMetrics: served.setMetrics,
    notReady: () => [
      ...(series.funding.at(0, clock.nowMs()) ? [] : ['no snapshot yet']),
      ...diskFaultSentences(diskFaults()),
    ],
    degraded: () => [
      ...foundation.load.faults(),
      ...(options.collectorFaults?.() ?? []),
      ...served.faults(),
      ...dependencies.unavailable(),
      ...(check?.faults() ?? []),
      ...accounts.degraded(),
    ],
    jobs,
    venues: () => venues.map(collected.reportOf),
    audit: collected.audit,
  });
  opened.add('requests to the admin port', admin.close);
  return { baseUrl, adminUrl: admin.url, accounts, entrance, people, alerts };
}

/** The tables that operations read. */
function dataSources({ foundation, series, feed, collected }: ServingOptions, baseUrl: string): DataSources {
  const { venues } = foundation;
  const sourceOf = (name: string): TableSource => {
    const timeline = series.byName.get(name);
    if (!timeline) throw new Error(`there is no series ${name}`);
    return fedSource(feed, name, timeline);
  };
  const funding = sourceOf(FUNDING_TABLE.name);
  const forecastModels = sourceOf(FORECAST_MODELS_TABLE.name);
  const depth = sourceOf(DEPTH_TABLE.name);
  return {
    venues,
    funding,
    spreads: derivedSource(sourceOf(LEGS_TABLE.name), rowsFromLegs),
    backtest: Object.fromEntries(
      SIZES_USD.map((size) => [size, sourceOf(BACKTEST_TABLES[size].name)]),
    ) as unknown as DataSources['backtest'],
    arbitrage: arbitrageSource(
      sourceOf(ARBITRAGE_LEGS_TABLE.name),
      sourceOf(PAIR_HISTORIES_TABLE.name),
      forecastModels,
      depth,
    ),
    depth,
    depthCosts: new DepthCostStore(foundation.storage),
    tape: new TapeStore(foundation.storage, foundation.log),
    forecastModels,
    forecastScores: new ForecastStore(foundation.storage),
    listings: collected.listings,
    coins: derivedSource(funding, (table) => coinsTable(table, baseUrl)),
    exchanges: derivedSource(funding, (table) => exchangesTable(table, venues, baseUrl)),
    history: collected.history,
    prices: new CoinPriceStore(foundation.storage),
  };
}
