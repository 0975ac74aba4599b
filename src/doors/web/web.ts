import type { FastifyInstance } from 'fastify';
import { publicProblem } from '../http/server.ts';
import { serveAssets } from './assets.ts';
import { sendFault, sendNothingHere } from './faults.ts';
import { serveMarketPages, type WebOptions } from './market-page.ts';
import { MARKET_PAGES } from './market-pages.ts';
import { DEFAULT_SIZE_USD } from './pages/backtest.ts';
import { keptPairCharts } from './pages/kept-pair-charts.ts';
import { serveReference } from './pages/reference.ts';
import { serveSiteFiles } from './site/files.ts';
import { serveTextPages } from './text-pages.ts';

/** The web door: pages of the same data, made on the server, that work without scripts. */
export function webDoor(options: WebOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    const signedInAs = (request: Parameters<WebOptions['signedIn']>[0]) =>
      options.signedIn(request)?.email ?? null;
    serveAssets(server);
    serveSiteFiles(server);
    server.setErrorHandler((error, request, reply) => {
      const problem = publicProblem(error, request.id, request.url, server.bare.log);
      return sendFault(request, reply, problem, signedInAs(request));
    });
    serveTextPages(server, options);
    serveReference(server, options.operations);
    const { data, clock } = options.entrance;
    const backtestVersion = () => data.backtest[DEFAULT_SIZE_USD].at(0, clock.nowMs())?.asOfMs ?? null;
    const charts = keptPairCharts(options.pairChart, backtestVersion);
    serveMarketPages(server, { ...options, ...charts }, MARKET_PAGES);
    server.get('/*', async (request, reply) => sendNothingHere(request, reply, signedInAs(request)));
  };
}
