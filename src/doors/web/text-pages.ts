import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Body } from '../http/answers/body.ts';
import { DOCUMENTS, documentBody, documentMarkdown } from './documents.ts';
import { type Html, html } from './html.ts';
import { PAGE_HEADERS, renderPage } from './layout.ts';
import { MARKDOWN_TYPE, type Made, sendMade, type WebOptions } from './market-page.ts';
import { errorsBody, errorsMarkdown } from './pages/errors.ts';
import { plansBody, plansMarkdown } from './pages/plans.ts';

/** A page without market data, and the same text for agents. */
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
const DEVELOPER_PAGES: readonly (readonly [path: string, label: string])[] = [
  ...DOCUMENTS.map(({ path, title }) => [path, title] as const),
  ['/developers/errors', 'Errors'],
  ['/developers/reference', 'Reference'],
];

/** The pages of the developer site, the present one marked. */
function developerNavigation(path: string): Html {
  return html`<nav class="views" aria-label="Developer site">${DEVELOPER_PAGES.map(
    ([to, label]) => html`<a href="${to}"${to === path ? html` aria-current="page"` : null}>${label}</a>\n`,
  )}</nav>`;
}

/** Plans, error codes and the texts of the developer site, each with its Markdown twin. */
export function serveTextPages(server: FastifyInstance, { entrance, signedIn }: WebOptions): void {
  const { baseUrl } = entrance;
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
      body: () => documentBody(document, baseUrl),
      markdown: () => documentMarkdown(document, baseUrl),
    })),
  ];
  for (const page of pages) {
    const twin = `${page.path}.md`;
    // They change with a new version of the service only, so what visitors get is made once.
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
