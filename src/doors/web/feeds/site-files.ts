import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { SITEMAP_PATH } from './sitemap.ts';

/**
 * Paths that search engines must not index: account pages, forms and endpoints for programs. A cursor is valid for
 * minutes, so an indexed page with one would no longer exist when a user opens the search result.
 */
const NOT_FOR_ROBOTS = [
  '/account',
  '/api/',
  '/development/',
  '/forgot-password',
  '/mcp',
  '/oauth/',
  '/reset-password',
  '/sign-in',
  '/sign-out',
  '/sign-up',
  '/verify-email',
  '/*cursor=',
];

/** Files in `site`, by their path. `npm run link-pictures` draws the pictures of links. */
const FILES = {
  '/icon.svg': 'image/svg+xml',
  '/favicon.ico': 'image/x-icon',
  '/cards/home.png': 'image/png',
  '/cards/funding.png': 'image/png',
  '/cards/arbitrage.png': 'image/png',
};

/** Serves what browsers, robots and social networks request beside the pages. */
export function serveSiteFiles(server: FastifyInstance, baseUrl: string): void {
  const route = (url: string, type: string, body: Buffer) =>
    server.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) =>
        reply
          .headers({
            'content-type': type,
            'content-length': body.length,
            'cache-control': 'public, max-age=86400',
          })
          .send(request.method === 'HEAD' ? '' : body),
    });
  for (const [path, type] of Object.entries(FILES))
    route(path, type, readFileSync(join(import.meta.dirname, 'site', path)));
  const rules = NOT_FOR_ROBOTS.map((path) => `Disallow: ${path}\n`).join('');
  const robots = `User-agent: *\nAllow: /\n${rules}\nSitemap: ${baseUrl}${SITEMAP_PATH}\n`;
  route('/robots.txt', 'text/plain; charset=utf-8', Buffer.from(robots));
}
