import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NO_OFFERS } from '../../../accounts/plan-offers.ts';
import type { PlanName } from '../../../accounts/plans.ts';
import type { Document, DocumentContext } from '../../documents/document.ts';
import { DOCUMENT_GROUPS } from '../../documents/document.ts';
import { Body } from '../../http/answers/body.ts';
import { type Headers, sendBody } from '../../http/answers/send-body.ts';
import { cardPath } from '../layout/head.ts';
import { renderPage } from '../layout/layout.ts';
import { MARKDOWN_TYPE, PAGE_HEADERS, REVALIDATED } from '../layout/page-headers.ts';
import type { PageLayout } from '../layout/page-layout.ts';
import { preferencesText } from '../layout/preferences/preferences.ts';
import { ANONYMOUS, type Viewer, viewerOf } from '../layout/viewer.ts';
import { sectionsOf } from '../markup/document-html.ts';
import { type Html, html } from '../markup/html.ts';
import type { WebOptions } from './page-context.ts';
import { articleData } from './seo/structured-data.ts';

export interface TextPageReader {
  /** Null: not signed in. */
  plan: PlanName | null;
}

/** A document as a page. */
export interface TextPage extends Document {
  layout?: PageLayout;
  scripts?: readonly string[];
  /** The content inside the site's layout. Null: `serve` adds the page with a layout of its own. */
  body: ((context: DocumentContext, reader: TextPageReader) => Html | Promise<Html>) | null;
  /** The content differs with the plan of the reader. */
  isByPlan?: true;
  serve?(server: FastifyInstance, context: DocumentContext): void;
}

const HTML_HEADERS = { ...REVALIDATED, ...PAGE_HEADERS };
const MARKDOWN_HEADERS = {
  'content-type': MARKDOWN_TYPE,
  'cache-control': 'public, max-age=300',
};
const DEVELOPERS = '/developers';

/** Serves pages without market data. They change only with a new version of the service, so each is rendered once. */
export function serveTextPages(
  server: FastifyInstance,
  { entrance, operations, signedIn, offers = NO_OFFERS }: WebOptions,
  pages: readonly TextPage[],
): void {
  const { baseUrl, freePagesPerMinute } = entrance;
  const context = { baseUrl, operations, freePagesPerMinute, offers };
  const route = (url: string, headers: Headers, bodyFor: (request: FastifyRequest) => Body | Promise<Body>) =>
    server.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => sendBody(request, reply, await bodyFor(request), headers),
    });
  for (const page of pages) {
    const { path, title, description, scripts = [], body } = page;
    page.serve?.(server, context);
    const markdownPath = `${path}.md`;
    route(
      markdownPath,
      MARKDOWN_HEADERS,
      once(() => Body.of(page.markdown(context))),
    );
    if (body === null) continue;
    const contents = new Map<PlanName | null, Html>();
    const contentFor = async (plan: PlanName | null): Promise<Html> => {
      const text = contents.get(plan) ?? (await body(context, { plan }));
      contents.set(plan, text);
      return page.group === undefined ? text : documentPage(pages, page, text);
    };
    const rendered = async (viewer: Viewer, plan: PlanName | null) =>
      Body.of(
        renderPage({
          // Some documents have the name of the page that they explain.
          title: page.group === undefined ? title : `${title}, documentation`,
          description,
          path: page.group === undefined ? path : DEVELOPERS,
          body: await contentFor(page.isByPlan ? plan : null),
          layout: page.group === undefined ? (page.layout ?? 'wrap') : 'docs',
          viewer,
          scripts: page.group === undefined ? scripts : [...scripts, 'sections'],
          markdownPath,
          meta: {
            baseUrl,
            canonical: path,
            card: cardPath(path),
            isIndexed: true,
            structured: articleData({ baseUrl, canonical: path, title, description }),
          },
        }),
      );
    let forVisitors: Body | null = null;
    route(path, HTML_HEADERS, async (request) => {
      const user = signedIn(request);
      const viewer = { ...viewerOf(request, user?.email ?? null), address: path };
      const isUsual = viewer.signedInAs === null && preferencesText(viewer.preferences) === '';
      if (!isUsual) return await rendered(viewer, user?.caller.plan.name ?? null);
      forVisitors ??= await rendered({ ...ANONYMOUS, address: path }, null);
      return forVisitors;
    });
  }
}

/** A page of the documentation: links to all of them at the left, the sections of the text at the right. */
function documentPage(pages: readonly TextPage[], shown: TextPage, text: Html): Html {
  const link = ({ path, title }: TextPage) =>
    html`<a href="${path}"${path === shown.path ? html` aria-current="page"` : null}>${title}</a>\n`;
  const groups = DOCUMENT_GROUPS.map(
    (name) => html`<h2>${name}</h2>${pages.filter(({ group }) => group === name).map(link)}`,
  );
  const sections = sectionsOf(text);
  return html`<div class="doc"><nav class="snav" aria-label="Docs">${groups}</nav>
<article class="art">${text}</article>
${
  sections.length < 2
    ? null
    : html`<nav class="toc" aria-label="On this page"><h2>On this page</h2>${sections.map(
        ({ id, title }) => html`<a href="#${id}">${title}</a>\n`,
      )}</nav>`
}</div>`;
}

function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
