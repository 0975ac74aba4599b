import type { FastifyInstance, FastifyRequest } from 'fastify';
import { publicProblem } from '../http/server.ts';
import { serveAssets } from './assets.ts';
import { serveFees } from './fees/visitor-fees.ts';
import { serveLivePages } from './live/routes.ts';
import type { WebOptions } from './market-page.ts';
import { MARKET_PAGES } from './market-pages.ts';
import { DEFAULT_SIZE_USD } from './pages/spreads/backtest.ts';
import { pairChartCache } from './pages/spreads/pair-chart-cache.ts';
import { servePreferences } from './preferences/routes.ts';
import { serveSitemap } from './seo/sitemap.ts';
import { frameOf } from './serve/frame.ts';
import { serveMarketPages } from './serve/market-pages.ts';
import { sendNotFound, sendProblemPage } from './serve/problem-pages.ts';
import { serveTextPages } from './serve/text-pages.ts';
import { serveSiteFiles } from './site/files.ts';
import { serveStars } from './stars/routes.ts';
import { TEXT_PAGES } from './text-pages.ts';

/** The web door: pages with the same data as the API, rendered on the server, usable without scripts. */
export function webDoor(options: WebOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    const frame = (request: FastifyRequest) => frameOf(request, options.signedIn(request)?.email ?? null);
    serveAssets(server);
    serveSiteFiles(server, options.entrance.baseUrl);
    serveSitemap(server, options.entrance, MARKET_PAGES, TEXT_PAGES);
    servePreferences(server, options.entrance.baseUrl);
    serveStars(server, { ...options, baseUrl: options.entrance.baseUrl });
    const exchanges = options.entrance.data.venues.map(({ facts }) => facts.exchange);
    serveFees(server, { ...options, baseUrl: options.entrance.baseUrl, exchanges });
    server.setErrorHandler((error, request, reply) => {
      const problem = publicProblem(error, request.id, request.url, server.bare.log);
      return sendProblemPage(request, reply, problem, frame(request));
    });
    serveTextPages(server, options, TEXT_PAGES);
    const { data, clock } = options.entrance;
    const backtestVersion = () => data.backtest[DEFAULT_SIZE_USD].at(0, clock.nowMs())?.asOfMs ?? null;
    const charts = pairChartCache(options.pairChart, backtestVersion);
    const pageOptions = { ...options, ...charts };
    serveMarketPages(server, pageOptions, MARKET_PAGES);
    // The matrix was a page of its own.
    server.get('/funding/heat-map', async (_request, reply) => reply.redirect('/funding', 301));
    server.get('/funding/heat-map.md', async (_request, reply) =>
      reply.redirect('/funding.md?view=matrix', 301),
    );
    serveLivePages(server, pageOptions, MARKET_PAGES);
    server.get('/*', async (request, reply) => sendNotFound(request, reply, frame(request)));
  };
}
