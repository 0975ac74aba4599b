import { type Accounts, openAccounts } from '../accounts/accounts.ts';
import { createPageViews } from '../accounts/attempts/page-views.ts';
import { type OnFailure, openAll } from '../base/async/open-all.ts';
import { type OnWait, stopInOrder } from '../base/async/stop-in-order.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { createGuardedFetch, type GuardedFetch } from '../base/http/guarded-fetch.ts';
import { HostNames } from '../base/http/host-names.ts';
import { createLog, type Log } from '../base/log.ts';
import type { Metrics } from '../base/metrics.ts';
import { PAIR_HISTORIES_TABLE } from '../engines/arbitrage/histories.ts';
import { ARBITRAGE_LEGS_TABLE } from '../engines/arbitrage/legs.ts';
import { arbitrageSource } from '../engines/arbitrage/source.ts';
import { BACKTEST_TABLES } from '../engines/backtest/rows.ts';
import { coinsTable, exchangesTable } from '../engines/funding/catalogue.ts';
import { derivedSource } from '../engines/funding/snapshots.ts';
import { FUNDING_TABLE } from '../engines/funding/table.ts';
import { LEGS_TABLE } from '../engines/spreads/legs.ts';
import { rowsFromLegs } from '../engines/spreads/rows.ts';
import { SIZES_USD } from '../history/samples/model.ts';
import type { TableSource } from '../market/timeline.ts';
import { tokenRecognition } from '../oauth/token-recognition.ts';
import { Entrance } from '../operations/access/entrance.ts';
import type { DataSources } from '../operations/operation.ts';
import type { Settings } from '../settings.ts';
import type { Collector, CollectorOptions } from '../venues/collecting/collector.ts';
import type { VenueHealth } from '../venues/health.ts';
import type { Venue } from '../venues/venue.ts';
import { type AlertsPart, alertsPart } from './alerts/part.ts';
import { openAdminDoor } from './doors/admin.ts';
import { openDoors } from './doors/doors.ts';
import { reservePort } from './doors/listening.ts';
import { type People, peoplePart } from './doors/people.ts';
import { openTls, type Tls } from './doors/tls.ts';
import { type Foundation, openFoundation } from './foundation.ts';
import type { Collecting } from './market/collecting.ts';
import type { Engine } from './market/engine.ts';
import { engineJobs } from './market/engine-jobs.ts';
import type { HistoryPart } from './market/history.ts';
import { type MarketData, openMarketData } from './market/market-data.ts';
import { servedTimes } from './market/served.ts';
import { venueStatus } from './market/venue-status.ts';
import type { PartContext } from './part.ts';

export interface ServiceOptions {
  settings: Settings;
  clock?: Clock;
  log?: Log;
  /** Fetches the metadata documents of OAuth clients. Only tests replace it. */
  fetchClientMetadata?: GuardedFetch;
  /** Name servers for the names that users supply, as `address:port`. Only tests replace them. */
  nameServers?: readonly string[];
}

/**
 * A process that answers requests. Members that need collecting throw with --role api; members of the engine throw while
 * another process holds its lease.
 */
export interface Service
  extends Pick<Engine, 'publisher' | 'audit' | 'spreads' | 'samples' | 'backtest' | 'listings'> {
  baseUrl: string;
  adminUrl: string;
  accounts: Accounts;
  collectors: readonly Collector[];
  metrics: Metrics;
  log: Log;
  /** Health of the venues; empty if this process does not watch them. */
  health(): VenueHealth[];
  history: HistoryPart;
  entrance: Entrance;
  people: People;
  alerts: AlertsPart;
  context: PartContext;
  /** For further collectors that feed the same market, such as the demo's, which collect a simulator's past. */
  collectorOptions: (venue: Venue) => CollectorOptions;
  /** Starts watching the venues. Requests are answered before that, from stored snapshots. */
  startCollecting(): void;
  /** `onWait` is told what it waits for when it takes long. */
  stop(onWait?: OnWait): Promise<void>;
}

/** Starts a process with --role all or api: builds the layers from the bottom up, then opens the doors. */
export async function startService({
  settings,
  clock = systemClock,
  log = createLog(settings.logLevel),
  fetchClientMetadata,
  nameServers,
}: ServiceOptions): Promise<Service> {
  const tls = openTls(settings);
  return await openAll(log, async (onFailure) => {
    const foundation = await openFoundation(settings, clock, log);
    onFailure(foundation.close);
    return await build({ foundation, tls, onFailure, fetchClientMetadata, nameServers });
  });
}

interface Building {
  foundation: Foundation;
  tls: Tls | null;
  onFailure: OnFailure;
  fetchClientMetadata: GuardedFetch | undefined;
  nameServers: readonly string[] | undefined;
}

async function build(building: Building): Promise<Service> {
  const { foundation, tls, onFailure, fetchClientMetadata, nameServers } = building;
  const { settings, clock, log } = foundation;
  const { storage, metrics, venues, dependencies } = foundation;
  const reserved = settings.port === 0 ? await reservePort(settings.host) : null;
  const releasePort = async () => reserved?.release();
  onFailure(releasePort);
  const port = reserved?.port ?? settings.port;
  const baseUrl =
    settings.baseUrl ??
    `${tls ? 'https' : 'http'}://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
  const { hostTierPlans: tierGrants } = settings;
  const { redis } = foundation;
  const accounts = await openAccounts({ storage, redis, clock, log, metrics, baseUrl, tierGrants });
  onFailure(accounts.close);
  const market = await openMarketData(foundation, baseUrl);
  onFailure(market.close);
  onFailure(market.stop);
  // Two of them: strangers who name clients do not delay the alerts of accounts.
  const namesOfClients = new HostNames({ clock, servers: nameServers });
  const namesOfAlerts = new HostNames({ clock, servers: nameServers });
  const people = await peoplePart(
    { storage, clock, log, settings, baseUrl },
    accounts,
    fetchClientMetadata ?? createGuardedFetch(namesOfClients),
  );
  onFailure(people.stop);
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
    data: dataSources(foundation, market, baseUrl),
  });
  const alerts = await alertsPart({
    ...{ ...foundation, baseUrl, accounts, people, data: entrance.data, names: namesOfAlerts },
    isFetchingSnapshots: () => market.api?.isFetching ?? false,
  });
  onFailure(alerts.stop);
  const jobs = () => [...engineJobs(market, foundation), ...alerts.jobs.states()];
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
        venues.map((venue) => ({ ...market.reportOf(venue), availability: market.availabilityOf(venue) })),
        market.audit(),
      ),
    venueTimes: () => venues.map(market.timesOf),
    jobs,
    accuracy: market.audit,
    splitTickers: market.splitTickers,
    pairChart: market.pair,
  });
  onFailure(() => server.close());
  const served = servedTimes(market, { clock, metrics, snapshotSeconds: settings.snapshotSeconds });
  const admin = await openAdminDoor(foundation, {
    metrics,
    beforeMetrics: served.setMetrics,
    notReady: () => (market.series.funding.at(0, clock.nowMs()) ? null : 'no snapshot yet'),
    degraded: () => [
      ...foundation.load.faults(),
      ...served.faults(),
      ...dependencies.unavailable(),
      ...accounts.degraded(),
    ],
    jobs,
    venues: () => venues.map(market.reportOf),
    audit: market.audit,
  });

  const collecting = (): Collecting => {
    if (!market.collecting) throw new Error('a process with --role api watches no venues');
    return market.collecting;
  };
  const engine = (): Engine => {
    const here = collecting().engine();
    if (!here) throw new Error('another process holds the lease of the engine');
    return here;
  };
  return {
    baseUrl,
    adminUrl: admin.url,
    accounts,
    metrics,
    log,
    entrance,
    people,
    alerts,
    get collectors() {
      return market.collecting?.context.collectors ?? [];
    },
    get context() {
      return collecting().context;
    },
    get history() {
      return collecting().history;
    },
    get publisher() {
      return engine().publisher;
    },
    get audit() {
      return engine().audit;
    },
    get spreads() {
      return engine().spreads;
    },
    get samples() {
      return engine().samples;
    },
    get backtest() {
      return engine().backtest;
    },
    get listings() {
      return engine().listings;
    },
    health: () => (market.collecting?.isActive() ? venues.map(market.reportOf) : []),
    collectorOptions: (venue) => collecting().collectorOptions(venue),
    startCollecting: () => {
      market.startCollecting();
      people.start();
      alerts.start();
    },
    stop: (onWait) =>
      stopInOrder(
        [
          ['alerts that are being delivered', alerts.stop],
          ['mail that is being sent', people.stop],
          ['calls to venues that are under way, and storing what they sent', market.stop],
          ['requests that are being answered', () => server.close()],
          ['reads of history', market.close],
          ['requests to the admin port', admin.close],
          ['storing the counts of requests', accounts.close],
          ['the connections to the database and Redis', foundation.close],
        ],
        onWait,
      ),
  };
}

/** The tables that operations read. Among several processes they follow what the engine's owner publishes. */
function dataSources({ venues }: Foundation, market: MarketData, baseUrl: string): DataSources {
  const { series, api, collecting, keeper } = market;
  const sourceOf = (name: string, own: TableSource | undefined): TableSource => {
    const source = api?.source(name) ?? own;
    if (!source) throw new Error(`there is no series ${name}`);
    return source;
  };
  const funding = sourceOf(FUNDING_TABLE.name, series.funding);
  const listings = api?.listings ?? collecting?.engine()?.listings.source;
  if (!listings) throw new Error('there is no calendar');
  return {
    venues,
    funding,
    spreads: derivedSource(sourceOf(LEGS_TABLE.name, series.legs), rowsFromLegs, series.printed),
    backtest: Object.fromEntries(
      SIZES_USD.map((size) => [size, sourceOf(BACKTEST_TABLES[size].name, series.backtest.get(size))]),
    ) as unknown as DataSources['backtest'],
    arbitrage: arbitrageSource(
      sourceOf(ARBITRAGE_LEGS_TABLE.name, series.arbitrageLegs),
      sourceOf(PAIR_HISTORIES_TABLE.name, series.arbitrageHistories),
      series.preparedArbitrage,
    ),
    listings,
    coins: derivedSource(funding, (table) => coinsTable(table, baseUrl)),
    exchanges: derivedSource(funding, (table) => exchangesTable(table, venues, baseUrl)),
    history: keeper,
  };
}
