import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer as createNetServer } from 'node:net';
import { join } from 'node:path';
import { type Accounts, openAccounts } from './accounts/accounts.ts';
import { type Clock, systemClock } from './base/clock.ts';
import { createHttpClient } from './base/http-client.ts';
import { createLog, type Log } from './base/log.ts';
import { createMetrics, type Metrics } from './base/metrics.ts';
import { createAdminServer } from './doors/http/admin.ts';
import { venueIcon } from './doors/http/icons.ts';
import { createHttpServer } from './doors/http/server.ts';
import { documentsDoor } from './doors/mcp/document-routes.ts';
import { mcpDoor } from './doors/mcp/mcp.ts';
import { toolsOf } from './doors/mcp/tools.ts';
import { oauthDoor } from './doors/oauth/oauth.ts';
import { restDoor } from './doors/rest/rest.ts';
import { feedsDoor } from './doors/web/feeds.ts';
import { peopleDoor } from './doors/web/people/people.ts';
import { webDoor } from './doors/web/web.ts';
import { coinsTable, exchangesTable } from './engines/catalogue.ts';
import { FUNDING_TABLE } from './engines/funding.ts';
import { derivedSource } from './engines/snapshots.ts';
import { storedFrames } from './market/frame-store.ts';
import { Freezer } from './market/freeze.ts';
import { LatestMarket } from './market/latest.ts';
import { quarantineOf } from './market/quarantine.ts';
import { Timeline } from './market/timeline.ts';
import type { guardedFetch } from './oauth/guarded-fetch.ts';
import { Entrance } from './operations/entrance.ts';
import type { DataSources } from './operations/operation.ts';
import { OPERATIONS } from './operations/registry.ts';
import { SettingError, type Settings } from './settings.ts';
import { openStorage } from './storage/storage.ts';
import { Collector, type CollectorOptions } from './venues/collector.ts';
import type { Venue } from './venues/venue.ts';
import { availabilityPart } from './wiring/availability.ts';
import { type BacktestPart, backtestPart } from './wiring/backtest.ts';
import { chosenVenues } from './wiring/chosen-venues.ts';
import { type HistoryPart, historyPart } from './wiring/history.ts';
import { type ListingsPart, listingsPart } from './wiring/listings.ts';
import type { BatchObserver, Part, PartContext } from './wiring/part.ts';
import { type People, peoplePart } from './wiring/people.ts';
import { type SamplesPart, samplesPart } from './wiring/samples.ts';
import { type SnapshotPublisher, snapshotPublisher } from './wiring/snapshots.ts';
import { type SpreadsPart, spreadsPart } from './wiring/spreads.ts';
import { openTls } from './wiring/tls.ts';
import { venueStatus } from './wiring/venue-status.ts';

export interface ServiceOptions {
  settings: Settings;
  clock?: Clock;
  log?: Log;
  /** Only tests give their own: how documents that describe OAuth clients are fetched. */
  fetchClientMetadata?: typeof guardedFetch;
}

export interface Service {
  baseUrl: string;
  adminUrl: string;
  accounts: Accounts;
  collectors: readonly Collector[];
  metrics: Metrics;
  log: Log;
  publisher: SnapshotPublisher;
  history: HistoryPart;
  spreads: SpreadsPart;
  samples: SamplesPart;
  backtest: BacktestPart;
  listings: ListingsPart;
  entrance: Entrance;
  people: People;
  context: PartContext;
  /** For collecting a simulator's past with the same market behind it. */
  collectorOptions: (venue: Venue) => CollectorOptions;
  /** Starts watching the venues. Requests are answered before, from what was kept. */
  startCollecting(): void;
  stop(): Promise<void>;
}

/** Builds the layers in order and opens the doors. */
export async function startService({
  settings,
  clock = systemClock,
  log = createLog(settings.logLevel),
  fetchClientMetadata,
}: ServiceOptions): Promise<Service> {
  const venues = chosenVenues(settings.venues);
  const tls = openTls(settings);
  const metrics = createMetrics();
  mkdirSync(settings.dataDir, { recursive: true });
  const storage = await openStorage({
    databaseUrl: settings.databaseUrl,
    sqliteFile: join(settings.dataDir, 'perpwire.sqlite'),
    log,
  });
  const port = settings.port === 0 ? await freePort(settings.host) : settings.port;
  const baseUrl =
    settings.baseUrl ??
    `${tls ? 'https' : 'http'}://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
  const accounts = await openAccounts({ storage, clock, log, baseUrl, tierGrants: settings.hostTierPlans });

  const http = createHttpClient();
  const market = new LatestMarket(metrics, log);
  const timeline = new Timeline(FUNDING_TABLE, storedFrames(storage), log);
  await timeline.restore(clock.nowMs(), settings.restoreMaxAgeSeconds * 1000);
  const observers: BatchObserver[] = [];
  const collectorOptions = (venue: Venue): CollectorOptions => ({
    venue,
    http,
    clock,
    log,
    metrics,
    simUrl: settings.venuesUrl,
    accept: (from, batch, receivedAtMs, contracts) => {
      market.accept(from, batch, receivedAtMs, contracts);
      for (const observer of observers) observer(from, batch, receivedAtMs, contracts);
    },
    volumeOf: (from, venueSymbol) => market.volumeOf(from, venueSymbol),
  });
  const collectors = venues.map((venue) => new Collector(collectorOptions(venue)));
  const context: PartContext = {
    settings,
    storage,
    clock,
    log,
    metrics,
    baseUrl,
    venues,
    market,
    collectors,
    observe: (observer) => observers.push(observer),
  };
  const freezer = new Freezer(market, metrics, log);
  const history = await historyPart(context, freezer);
  const publisher = snapshotPublisher({
    settledSums: history.settledSums,
    freezer,
    timeline,
    clock,
    log,
    metrics,
    everyMs: settings.snapshotSeconds * 1000,
    health: () => collectors.map((collector) => collector.health()),
  });

  const spreads = await spreadsPart(context, freezer);
  const samples = await samplesPart(context, freezer);
  const backtest = await backtestPart(context, samples);
  const listings = await listingsPart(context, freezer);
  const parts: Part[] = [history, publisher, spreads, listings];
  parts.push(backtest, samples);
  const venueReports = () =>
    collectors.map((collector) => ({
      ...collector.health(),
      quarantined: quarantineOf(market, freezer, collector.venue),
    }));
  const availability = availabilityPart({ clock, log, health: venueReports });
  parts.push(availability);
  const people = await peoplePart(context, accounts, fetchClientMetadata);
  parts.push(people);
  const data: DataSources = {
    venues,
    funding: timeline,
    spreads: spreads.source,
    backtest: backtest.sources,
    listings: listings.source,
    coins: derivedSource(timeline, (table) => coinsTable(table, baseUrl)),
    exchanges: derivedSource(timeline, (table) => exchangesTable(table, venues, baseUrl)),
    history: history.keeper,
  };
  const entrance = new Entrance({
    authenticate: accounts.authenticate,
    windows: accounts.windows,
    rejectedKeys: accounts.rejectedKeys,
    clock,
    baseUrl,
    isApiEnabled: settings.apiEnabled,
    data,
  });
  const server = createHttpServer({
    baseUrl: () => baseUrl,
    trustedProxies: settings.trustedProxies,
    log,
    metrics,
    tls: tls?.pair ?? null,
  });
  tls?.keepFresh(server, clock, log);
  await server.register(async (pages) => {
    pages.addHook('onRequest', people.recognise);
    await webDoor({
      entrance,
      signedIn: people.signedIn,
      venueStatus: () => venueStatus(venueReports(), availability),
      pairChart: backtest.pair,
    })(pages);
  });
  await server.register(restDoor({ entrance, operations: OPERATIONS, metrics }));
  await server.register(
    mcpDoor({
      entrance,
      tools: toolsOf(OPERATIONS),
      findGrant: people.findGrant,
      origins: { baseUrl, allowedOrigins: settings.allowedOrigins, allowedHosts: settings.allowedHosts },
      challenge: { metadataUrl: `${baseUrl}/.well-known/oauth-protected-resource/mcp` },
      metrics,
      log,
    }),
  );
  await server.register(feedsDoor(entrance));
  await server.register(documentsDoor(OPERATIONS, baseUrl));
  await server.register(oauthDoor(people.authorization));
  await server.register(peopleDoor({ ...people, baseUrl }));
  for (const venue of venues) {
    server.get(`/icons/${venue.slug}.svg`, async (_request, reply) =>
      reply
        .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
        .send(venueIcon(venue.facts.exchange)),
    );
  }
  const admin = createAdminServer({
    metrics,
    notReady: () => (timeline.at(0, clock.nowMs()) ? null : 'no snapshot yet'),
    venues: venueReports,
  });
  try {
    await server.listen({ host: settings.host, port });
    await new Promise<void>((resolve, reject) => {
      admin.once('error', reject);
      admin.listen(settings.adminPort, settings.adminHost, resolve);
    });
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new SettingError(`cannot listen: ${cause}; choose another --port or --admin-port`);
  }
  const adminPort = (admin.address() as AddressInfo).port;

  return {
    baseUrl,
    adminUrl: `http://${settings.adminHost}:${adminPort}`,
    accounts,
    collectors,
    metrics,
    log,
    publisher,
    samples,
    backtest,
    history,
    spreads,
    listings,
    entrance,
    people,
    context,
    collectorOptions,
    startCollecting: () => {
      for (const collector of collectors) collector.start();
      for (const part of parts) part.start();
    },
    stop: async () => {
      for (const part of parts.toReversed()) await part.stop();
      await Promise.all(collectors.map((collector) => collector.stop()));
      await server.close();
      await history.keeper.close();
      await new Promise((resolve) => {
        admin.close(resolve);
        admin.closeAllConnections();
      });
      await http.close();
      await accounts.close();
      await storage.close();
    },
  };
}

/** A free port must be known before the doors open, because it is part of every link. */
async function freePort(host: string): Promise<number> {
  const probe = createNetServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen(0, host, resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
