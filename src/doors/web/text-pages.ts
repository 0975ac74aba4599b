import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Body } from '../http/answers/body.ts';
import { DOCUMENTS, documentBody, documentMarkdown } from './documents.ts';
import { type Html, html } from './html.ts';
import { PAGE_HEADERS, renderPage } from './layout.ts';
import { MARKDOWN_TYPE, type Made, sendMade, type WebOptions } from './market-page.ts';
import { errorsBody, errorsMarkdown } from './pages/errors.ts';
import { plansBody, plansMarkdown } from './pages/plans.ts';

/** A page without market data, and its Markdown twin. */
interface TextPage {
  path: string;
  title: string;
  description: string;
  scripts: readonly string[];
  body(): Html;
  markdown(): string;
}

const MARKDOWN_HEADERS = {
  'content-type': MARKDOWN_TYPE,
  'cache-control': 'public, max-age=300',
  vary: 'Accept-Encoding',
  'x-content-type-options': 'nosniff',
};

const DEVELOPERS = '/developers';

export interface PageLink {
  path: string;
  label: string;
}

const DEVELOPER_PAGES: readonly PageLink[] = [
  ...DOCUMENTS.map(({ path, title }) => ({ path, label: title })),
  { path: '/developers/errors', label: 'Errors' },
  { path: '/developers/reference', label: 'Reference' },
];

/** Every page without market data that has a Markdown twin. */
export const TEXT_PAGES: readonly PageLink[] = [...DEVELOPER_PAGES, { path: '/plans', label: 'Plans' }];

/** Links to the pages of the developer site, with the current one marked. */
function developerNavigation(current: string): Html {
  return html`<nav class="views" aria-label="Developer site">${DEVELOPER_PAGES.map(
    ({ path, label }) =>
      html`<a href="${path}"${path === current ? html` aria-current="page"` : null}>${label}</a>\n`,
  )}</nav>`;
}

/** Serves plans, error codes and the documents of the developer site, each with its Markdown twin. */
export function serveTextPages(
  server: FastifyInstance,
  { entrance, operations, signedIn }: WebOptions,
): void {
  const context = { baseUrl: entrance.baseUrl, operations };
  const pages: readonly TextPage[] = [
    {
      path: '/plans',
      title: 'Plans',
      description: 'What each plan of the API includes',
      scripts: [],
      body: plansBody,
      markdown: plansMarkdown,
    },
    {
      path: '/developers/errors',
      title: 'Errors',
      description: 'Every error code of the API and what to do about it',
      scripts: [],
      body: errorsBody,
      markdown: errorsMarkdown,
    },
    ...DOCUMENTS.map((document) => ({
      ...document,
      scripts: ['copy'],
      body: () => documentBody(document, context),
      markdown: () => documentMarkdown(document, context),
    })),
  ];
  for (const page of pages) {
    const twin = `${page.path}.md`;
    // They change only with a new version of the service, so each is rendered once for all visitors.
    const article = once(() => page.body());
    const rendered = (signedInAs: string | null): Made => ({
      body: Body.of(textPage(page, article(), twin, signedInAs)),
      headers: PAGE_HEADERS,
    });
    const forVisitors = once(() => rendered(null));
    const asMarkdown = once(() => ({ body: Body.of(page.markdown()), headers: MARKDOWN_HEADERS }));
    const route = (url: string, made: (request: FastifyRequest) => Made) =>
      server.route({
        method: ['GET', 'HEAD'],
        url,
        handler: async (request, reply) => await sendMade(request, reply, made(request)),
      });
    route(page.path, (request) => {
      const email = signedIn(request)?.email;
      return email === undefined ? forVisitors() : rendered(email);
    });
    route(twin, asMarkdown);
  }
}

function textPage(
  { path, title, description, scripts }: TextPage,
  article: Html,
  twin: string,
  signedInAs: string | null,
): string {
  const isDeveloperPage = path.startsWith(DEVELOPERS);
  return renderPage({
    title,
    description,
    path: isDeveloperPage ? DEVELOPERS : path,
    body: html`${isDeveloperPage ? developerNavigation(path) : null}${article}`,
    signedInAs,
    scripts,
    twin,
  });
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
