import type { FastifyInstance } from 'fastify';
import { SITEMAP_PATH } from '../seo/sitemap.ts';
import { favicon } from './favicon.ts';
import { SITE_ICON } from './icons.ts';

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

/** Files that browsers and robots request without a link. */
export function serveSiteFiles(server: FastifyInstance, baseUrl: string): void {
  const rules = NOT_FOR_ROBOTS.map((path) => `Disallow: ${path}\n`).join('');
  const robots = `User-agent: *\nAllow: /\n${rules}\nSitemap: ${baseUrl}${SITEMAP_PATH}\n`;
  const files = [
    { path: '/icon.svg', type: 'image/svg+xml', body: Buffer.from(SITE_ICON) },
    { path: '/favicon.ico', type: 'image/x-icon', body: favicon() },
    { path: '/robots.txt', type: 'text/plain; charset=utf-8', body: Buffer.from(robots) },
  ];
  for (const { path, type, body } of files) {
    server.route({
      method: ['GET', 'HEAD'],
      url: path,
      handler: async (request, reply) =>
        reply
          .headers({
            'content-type': type,
            'content-length': body.length,
            'cache-control': 'public, max-age=86400',
          })
          .send(request.method === 'HEAD' ? '' : body),
    });
  }
}
