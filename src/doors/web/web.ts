import type { FastifyInstance } from 'fastify';
import { venueIcon } from '../http/icons.ts';
import { publicProblem } from '../http/server.ts';
import { serveAssets } from './assets.ts';
import { sendFault, sendNothingHere } from './faults.ts';
import { serveMarketPages, type WebOptions } from './market-page.ts';
import { MARKET_PAGES } from './market-pages.ts';
import { serveReference } from './pages/reference.ts';
import { serveTextPages } from './text-pages.ts';

/** The web door: pages of the same data, made on the server, that work without scripts. */
export function webDoor(options: WebOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    const signedInAs = (request: Parameters<WebOptions['signedIn']>[0]) =>
      options.signedIn(request)?.email ?? null;
    serveAssets(server);
    server.get('/icon.svg', async (_request, reply) =>
      reply
        .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
        .send(venueIcon('Perpwire')),
    );
    server.setErrorHandler((error, request, reply) => {
      const problem = publicProblem(error, request.id, request.url, server.bare.log);
      return sendFault(request, reply, problem, signedInAs(request));
    });
    serveTextPages(server, options);
    serveReference(server);
    serveMarketPages(server, options, MARKET_PAGES);
    server.get('/*', async (request, reply) => sendNothingHere(request, reply, signedInAs(request)));
  };
}
