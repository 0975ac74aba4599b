import type { FastifyInstance } from 'fastify';
import type { Entrance } from '../../../operations/access/entrance.ts';
import { Body } from '../../http/answers/body.ts';
import { sendBody } from '../../http/answers/send-body.ts';
import { VISITOR } from '../layout/visitor.ts';
import { escapeHtml } from '../markup/html.ts';
import type { AnyMarketPage } from '../pages/market-page.ts';
import { needsQuery } from '../pages/seo/market-meta.ts';
import type { TextPage } from '../pages/text-page.ts';

export const SITEMAP_PATH = '/sitemap.xml';
const HEADERS = {
  'content-type': 'application/xml; charset=utf-8',
  'cache-control': 'public, max-age=3600',
} as const;

/** Every page that search engines should know: lists, texts, and a page for each coin and each venue. */
export function serveSitemap(
  server: FastifyInstance,
  entrance: Entrance,
  pages: readonly AnyMarketPage[],
  texts: readonly TextPage[],
): void {
  let made: { table: object | null; body: Body } | null = null;
  const { baseUrl, data, clock } = entrance;
  server.route({
    method: ['GET', 'HEAD'],
    url: SITEMAP_PATH,
    handler: (request, reply) => {
      const table = data.coins.at(VISITOR.plan.delaySeconds, clock.nowMs())?.table ?? null;
      if (made?.table !== table || !made) {
        const coins = Array.from(
          { length: table?.rowCount ?? 0 },
          (_, row) => table?.text('coin', row) ?? '',
        );
        const venues = data.venues.map(({ facts }) => facts.exchange);
        const paths = [
          ...pages
            .filter((page) => page.isIndexed !== false && !needsQuery(page))
            .flatMap(({ path }) => filled(path, { coin: coins, exchange: venues })),
          ...texts.map(({ path }) => path),
        ];
        made = { table, body: Body.of(sitemapOf(baseUrl, paths)) };
      }
      return sendBody(request, reply, made.body, HEADERS);
    },
  });
}

function filled(path: string, names: Readonly<Record<string, readonly string[]>>): string[] {
  const [, parameter] = /:(\w+)/.exec(path) ?? [];
  if (parameter === undefined) return [path];
  return (names[parameter] ?? []).map((name) => path.replace(`:${parameter}`, encodeURIComponent(name)));
}

function sitemapOf(baseUrl: string, paths: readonly string[]): string {
  const lines = paths.map((path) => `<url><loc>${escapeHtml(`${baseUrl}${path}`)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join('')}</urlset>\n`;
}
