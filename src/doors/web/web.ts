import type { FastifyInstance, FastifyRequest } from 'fastify';
import { publicProblem } from '../http/server.ts';
import { serveAssets } from './assets.ts';
import type { WebOptions } from './market-page.ts';
import { MARKET_PAGES } from './market-pages.ts';
import { DEFAULT_SIZE_USD } from './pages/backtest.ts';
import { pairChartCache } from './pages/pair-chart-cache.ts';
import { serveMarketPages } from './serve/market-pages.ts';
import { sendNotFound, sendProblemPage } from './serve/problem-pages.ts';
import { serveTextPages } from './serve/text-pages.ts';
import { serveSiteFiles } from './site/files.ts';
import { TEXT_PAGES } from './text-pages.ts';

/** The web door: pages with the same data as the API, rendered on the server, usable without scripts. */
export function webDoor(options: WebOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    const signedInAs = (request: FastifyRequest) => options.signedIn(request)?.email ?? null;
    serveAssets(server);
    serveSiteFiles(server);
    server.setErrorHandler((error, request, reply) => {
      const problem = publicProblem(error, request.id, request.url, server.bare.log);
      return sendProblemPage(request, reply, problem, signedInAs(request));
    });
    serveTextPages(server, options, TEXT_PAGES);
    const { data, clock } = options.entrance;
    const backtestVersion = () => data.backtest[DEFAULT_SIZE_USD].at(0, clock.nowMs())?.asOfMs ?? null;
    const charts = pairChartCache(options.pairChart, backtestVersion);
    serveMarketPages(server, { ...options, ...charts }, MARKET_PAGES);
    server.get('/*', async (request, reply) => sendNotFound(request, reply, signedInAs(request)));
  };
}
