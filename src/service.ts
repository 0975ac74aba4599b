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
import { restDoor } from './doors/rest/rest.ts';
import { coinsTable, exchangesTable } from './engines/catalogue.ts';
import { FUNDING_TABLE } from './engines/funding.ts';
import { derivedSource } from './engines/snapshots.ts';
import { storedFrames } from './market/frame-store.ts';
import { Freezer } from './market/freeze.ts';
import { LatestMarket } from './market/latest.ts';
import { Timeline } from './market/timeline.ts';
import { Entrance } from './operations/entrance.ts';
import type { DataSources } from './operations/operation.ts';
import { OPERATIONS } from './operations/registry.ts';
import { SettingError, type Settings } from './settings.ts';
import { openStorage } from './storage/storage.ts';
import { Collector, type CollectorOptions } from './venues/collector.ts';
import { VENUES } from './venues/registry.ts';
import type { Venue } from './venues/venue.ts';
import type { BatchObserver, Part, PartContext } from './wiring/part.ts';
import { type SnapshotPublisher, snapshotPublisher } from './wiring/snapshots.ts';

export interface ServiceOptions {
  settings: Settings;
  clock?: Clock;
  log?: Log;
}

export interface Service {
  baseUrl: string;
  adminUrl: string;
  accounts: Accounts;
  collectors: readonly Collector[];
  metrics: Metrics;
  log: Log;
  publisher: SnapshotPublisher;
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
}: ServiceOptions): Promise<Service> {
  const venues = chosenVenues(settings.venues);
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
    `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`;
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
  const publisher = snapshotPublisher({
    freezer: new Freezer(market, metrics, log),
    timeline,
    clock,
    log,
    metrics,
    everyMs: settings.snapshotSeconds * 1000,
    health: () => collectors.map((collector) => collector.health()),
  });

  const parts: Part[] = [publisher];
  const data: DataSources = {
    venues,
    funding: timeline,
    coins: derivedSource(timeline, (table) => coinsTable(table, baseUrl)),
    exchanges: derivedSource(timeline, (table) => exchangesTable(table, venues, baseUrl)),
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
  });
  await server.register(restDoor({ entrance, operations: OPERATIONS, metrics }));
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
    venues: () => collectors.map((collector) => collector.health()),
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

export function chosenVenues(slugs: readonly string[]): readonly Venue[] {
  if (slugs.length === 0) return VENUES;
  return slugs.map((slug) => {
    const venue = VENUES.find((candidate) => candidate.slug === slug || candidate.facts.exchange === slug);
    if (!venue)
      throw new SettingError(
        `VENUES has no venue "${slug}"; there are ${VENUES.map((known) => known.slug).join(', ')}`,
      );
    return venue;
  });
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
