import type { FastifyInstance, FastifyRequest } from 'fastify';
import { REFERENCE } from '../documents/reference.ts';
import { publicProblem } from '../http/server.ts';
import { serveSiteFiles } from './feeds/site-files.ts';
import { serveSitemap } from './feeds/sitemap.ts';
import { serveFees } from './layout/fees/visitor-fees.ts';
import { serveOrderSize } from './layout/order-size.ts';
import { servePreferences } from './layout/preferences/routes.ts';
import { sendNotFound, sendProblemPage } from './layout/problem-pages.ts';
import { serveStars } from './layout/stars/routes.ts';
import { viewerOf } from './layout/viewer.ts';
import { serveAssets } from './markup/assets.ts';
import { serveLivePages } from './pages/live/routes.ts';
import { serveMarketPages } from './pages/market-page.ts';
import type { WebOptions } from './pages/page-context.ts';
import { canBeTried } from './pages/reference/paths.ts';
import { tryPage } from './pages/reference/try.ts';
import { MARKET_PAGES, TEXT_PAGES } from './pages/registry.ts';
import { DEFAULT_SIZE_USD } from './pages/spreads/backtest.ts';
import { pairChartCache } from './pages/spreads/pair-chart-cache.ts';
import { serveTextPages } from './pages/text-page.ts';

/** The web door: pages with the same data as the API, rendered on the server, usable without scripts. */
export function webDoor(options: WebOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    const viewer = (request: FastifyRequest) => viewerOf(request, options.signedIn(request)?.email ?? null);
    serveAssets(server);
    serveSiteFiles(server, options.entrance.baseUrl);
    serveSitemap(server, options.entrance, MARKET_PAGES, TEXT_PAGES);
    servePreferences(server, options.entrance.baseUrl);
    serveStars(server, { ...options, baseUrl: options.entrance.baseUrl });
    const exchanges = options.entrance.data.venues.map(({ facts }) => facts.exchange);
    serveFees(server, { ...options, baseUrl: options.entrance.baseUrl, exchanges });
    serveOrderSize(server, { ...options, baseUrl: options.entrance.baseUrl });
    server.setErrorHandler((error, request, reply) => {
      const problem = publicProblem(error, request.id, request.url, server.bare.log);
      return sendProblemPage(request, reply, problem, viewer(request));
    });
    serveTextPages(server, options, TEXT_PAGES);
    const { data, clock } = options.entrance;
    const backtestVersion = () => data.backtest[DEFAULT_SIZE_USD].at(0, clock.nowMs())?.asOfMs ?? null;
    const charts = pairChartCache(options.pairChart, backtestVersion);
    const pageOptions = { ...options, ...charts };
    const tryPages = options.operations.filter(canBeTried).map(tryPage);
    serveMarketPages(server, pageOptions, [...MARKET_PAGES, ...tryPages]);
    // The form was one page for all endpoints.
    server.get('/developers/reference/try', async (_request, reply) => reply.redirect(REFERENCE.path, 301));
    // The matrix was a page of its own.
    server.get('/funding/heat-map', async (_request, reply) => reply.redirect('/funding', 301));
    server.get('/funding/heat-map.md', async (_request, reply) =>
      reply.redirect('/funding.md?view=matrix', 301),
    );
    serveLivePages(server, pageOptions, MARKET_PAGES);
    server.get('/*', async (request, reply) => sendNotFound(request, reply, viewer(request)));
  };
}
