import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Body } from '../../http/answers/body.ts';
import { type Headers, sendBody } from '../../http/answers/send-body.ts';
import { cardPath } from '../cards/routes.ts';
import type { WebOptions } from '../market-page.ts';
import { type Html, html } from '../markup/html.ts';
import { preferencesText } from '../preferences/preferences.ts';
import { articleData } from '../seo/structured-data.ts';
import type { TextPage } from '../text-page.ts';
import { EMPTY_FRAME, type Frame, frameOf } from './frame.ts';
import { renderPage } from './layout.ts';
import { MARKDOWN_TYPE, PAGE_HEADERS, REVALIDATED } from './page-headers.ts';

const HTML_HEADERS = { ...REVALIDATED, ...PAGE_HEADERS };
const MARKDOWN_HEADERS = {
  'content-type': MARKDOWN_TYPE,
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
};
const DEVELOPERS = '/developers';

/** Serves pages without market data. They change only with a new version of the service, so each is rendered once. */
export function serveTextPages(
  server: FastifyInstance,
  { entrance, operations, signedIn }: WebOptions,
  pages: readonly TextPage[],
): void {
  const { baseUrl, freePagesPerMinute } = entrance;
  const context = { baseUrl, operations, freePagesPerMinute };
  const developerPages = pages.filter(({ path }) => path.startsWith(DEVELOPERS));
  const route = (url: string, headers: Headers, bodyFor: (request: FastifyRequest) => Body) =>
    server.route({
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => sendBody(request, reply, bodyFor(request), headers),
    });
  for (const page of pages) {
    const { path, title, description, scripts = [], body } = page;
    page.serve?.(server, context);
    const twin = `${path}.md`;
    route(
      twin,
      MARKDOWN_HEADERS,
      once(() => Body.of(page.markdown(context))),
    );
    if (body === null) continue;
    const isDeveloperPage = developerPages.includes(page);
    const content = once(
      () => html`${isDeveloperPage ? developerNavigation(developerPages, path) : null}${body(context)}`,
    );
    const rendered = (frame: Frame) =>
      Body.of(
        renderPage({
          title,
          description,
          path: isDeveloperPage ? DEVELOPERS : path,
          body: content(),
          frame,
          scripts,
          twin,
          meta: {
            baseUrl,
            canonical: path,
            card: cardPath(path, {}),
            isIndexed: true,
            structured: articleData({ baseUrl, canonical: path, title, description }),
          },
        }),
      );
    const forVisitors = once(() => rendered({ ...EMPTY_FRAME, address: path }));
    route(path, HTML_HEADERS, (request) => {
      const frame = { ...frameOf(request, signedIn(request)?.email ?? null), address: path };
      const isUsual = frame.signedInAs === null && preferencesText(frame.preferences) === '';
      return isUsual ? forVisitors() : rendered(frame);
    });
  }
}

/** Links to all developer pages; the link to `path` is marked as the current one. */
function developerNavigation(pages: readonly TextPage[], path: string): Html {
  return html`<nav class="views" aria-label="Developer site">${pages.map(
    (page) =>
      html`<a href="${page.path}"${page.path === path ? html` aria-current="page"` : null}>${page.title}</a>\n`,
  )}</nav>`;
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
