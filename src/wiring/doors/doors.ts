import type { FastifyInstance } from 'fastify';
import type { PlanOffers } from '../../accounts/plan-offers.ts';
import type { Clock } from '../../base/clock.ts';
import type { JobState } from '../../base/jobs.ts';
import type { LoadMonitor } from '../../base/load.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { listenOnAllOf } from '../../doors/http/localhost.ts';
import { createHttpServer } from '../../doors/http/server.ts';
import { lakeDoor } from '../../doors/lake/lake.ts';
import { discoveryDoor } from '../../doors/mcp/discovery/routes.ts';
import { mcpDoor } from '../../doors/mcp/mcp.ts';
import { toolsOf } from '../../doors/mcp/tools/tools.ts';
import { oauthDoor } from '../../doors/oauth/oauth.ts';
import { restDoor } from '../../doors/rest/rest.ts';
import { streamsDoor } from '../../doors/streams/streams.ts';
import { feedsDoor } from '../../doors/web/feeds/feeds.ts';
import { venueIcon } from '../../doors/web/markup/icons/venue-icon.ts';
import { markdownPages } from '../../doors/web/pages/registry.ts';
import type { PairChart } from '../../doors/web/pages/spreads/pair-chart-cache.ts';
import type { VenueStatus } from '../../doors/web/pages/venues/venue-status.ts';
import { peopleDoor } from '../../doors/web/people.ts';
import { webDoor } from '../../doors/web/web.ts';
import type { AuditReport } from '../../engines/audit/report.ts';
import { openLake } from '../../lake/open.ts';
import type { SplitTicker } from '../../market/coins/stored-splits.ts';
import type { Entrance } from '../../operations/access/entrance.ts';
import { OPERATIONS } from '../../operations/registry.ts';
import type { Settings } from '../../settings.ts';
import type { DiskFaults } from '../../storage/disk-state.ts';
import type { VenueTimes } from '../../venues/health.ts';
import type { Venue } from '../../venues/venue.ts';
import type { AlertsPart } from '../alerts/part.ts';
import { listening } from './listening.ts';
import type { People } from './people.ts';
import type { Tls } from './tls.ts';

interface DoorsOptions {
  settings: Settings;
  baseUrl: string;
  port: number;
  /** Called just before the port is opened. */
  releasePort: () => Promise<void>;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  load: LoadMonitor;
  tls: Tls | null;
  venues: readonly Venue[];
  entrance: Entrance;
  people: People;
  alerts: AlertsPart;
  venueStatus: () => VenueStatus[];
  venueTimes: () => VenueTimes[];
  jobs: () => JobState[];
  diskFaults: () => DiskFaults;
  accuracy: () => AuditReport | null;
  splitTickers: () => readonly SplitTicker[];
  pairChart: PairChart;
}

/** Opens the public port with every door: pages, REST, MCP, feeds, documents, OAuth and sign-in. */
export async function openDoors(options: DoorsOptions): Promise<FastifyInstance> {
  await using opening = new AsyncDisposableStack();
  const { settings, baseUrl, clock, log, metrics, tls, entrance, people } = options;
  const server = createHttpServer({
    baseUrl: () => baseUrl,
    trustedProxies: settings.trustedProxies,
    log,
    metrics,
    tls: tls?.pair ?? null,
    load: options.load,
    rateHeaders: async (keyText, address) => await entrance.rateHeadersOfKey(keyText, address),
    budgets: {
      visitorMsPerSecond: settings.visitorWorkMs,
      visitorsMsPerSecond: settings.visitorsWorkMs,
      accountMsPerSecond: settings.accountWorkMs,
      clock,
      accountOf: people.accountOf,
    },
  });
  opening.defer(() => server.close());
  tls?.keepFresh(server, clock, log);
  const offers: PlanOffers = {
    prices: settings.planPrices,
    contact: settings.contact,
    isSignUpOpen: settings.signUp,
  };
  await server.register(async (pages) => {
    pages.addHook('onRequest', people.recognise);
    await webDoor({
      entrance,
      operations: OPERATIONS,
      signedIn: people.signedIn,
      venueStatus: options.venueStatus,
      venueTimes: options.venueTimes,
      jobs: options.jobs,
      diskFaults: options.diskFaults,
      accuracy: options.accuracy,
      splitTickers: options.splitTickers,
      pairChart: options.pairChart,
      offers,
      saveStars: async (accountId, coins) => {
        await people.accounts.accounts.setStarredCoins(accountId, coins);
      },
      saveFees: async (accountId, takerFees) => {
        await people.accounts.accounts.setTakerFees(accountId, takerFees);
      },
      saveOrderSize: async (accountId, sizeUsd) => {
        await people.accounts.accounts.setOrderSize(accountId, sizeUsd);
      },
    })(pages);
  });
  await server.register(restDoor({ entrance, operations: OPERATIONS, metrics }));
  await server.register(streamsDoor({ entrance, operations: OPERATIONS, metrics }));
  await server.register(
    mcpDoor({
      entrance,
      tools: toolsOf(OPERATIONS),
      operations: OPERATIONS,
      offers,
      findGrant: people.findGrant,
      origins: { baseUrl, allowedOrigins: settings.allowedOrigins, allowedHosts: settings.allowedHosts },
      challenge: { metadataUrl: `${baseUrl}/.well-known/oauth-protected-resource/mcp` },
      metrics,
      log,
    }),
  );
  await server.register(lakeDoor({ entrance, store: openLake(settings), metrics, log }));
  await server.register(feedsDoor(entrance));
  await server.register(
    discoveryDoor(
      {
        operations: OPERATIONS,
        baseUrl,
        freePagesPerMinute: entrance.freePagesPerMinute,
        offers,
      },
      markdownPages(),
    ),
  );
  await server.register(oauthDoor(people.authorization));
  await server.register(
    peopleDoor({
      ...people,
      alerts: options.alerts.alerts,
      telegram: options.alerts.telegram,
      baseUrl,
      isSignUpOpen: settings.signUp,
      securityLogDays: settings.securityLogDays,
      data: entrance.data,
      exchanges: entrance.data.venues.map(({ facts }) => facts.exchange),
    }),
  );
  for (const venue of options.venues) {
    server.route({
      method: ['GET', 'HEAD'],
      url: `/icons/${venue.slug}.svg`,
      handler: async (_request, reply) =>
        reply
          .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
          .send(venueIcon(venue.facts.exchange)),
    });
  }
  await options.releasePort();
  await listening(server.listen({ host: settings.host, port: options.port }), '--host or --port');
  await listening(listenOnAllOf(settings.host, server.server), '--host or --port');
  opening.move();
  return server;
}
