import type { FastifyInstance } from 'fastify';
import { DOCUMENTS, documentBody, documentMarkdown } from './documents.ts';
import { type Html, html } from './html.ts';
import { PAGE_HEADERS, renderPage } from './layout.ts';
import { MARKDOWN_TYPE, type WebOptions } from './market-page.ts';
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
  'x-content-type-options': 'nosniff',
} as const;

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
  for (const { path, title, description, scripts, body, markdown } of pages) {
    const twin = `${path}.md`;
    server.get(path, async (request, reply) => {
      const signedInAs = signedIn(request)?.email ?? null;
      const isDeveloperPage = path.startsWith(DEVELOPERS);
      const page = renderPage({
        title,
        description,
        path: isDeveloperPage ? DEVELOPERS : path,
        body: html`${isDeveloperPage ? developerNavigation(path) : null}${body()}`,
        signedInAs,
        scripts,
        twin,
      });
      return reply.headers({ ...PAGE_HEADERS, 'cache-control': 'private, no-cache' }).send(page);
    });
    server.get(twin, async (_request, reply) => reply.headers(MARKDOWN_HEADERS).send(markdown()));
  }
}
