import type { FastifyInstance, FastifyRequest } from 'fastify';
import { NO_OFFERS } from '../../../accounts/plan-offers.ts';
import type { PlanName } from '../../../accounts/plans.ts';
import type { MaybeLater } from '../../../base/maybe-later.ts';
import { DOCUMENT_GROUPS } from '../../documents/document.ts';
import { Body } from '../../http/answers/body.ts';
import { type Headers, sendBody } from '../../http/answers/send-body.ts';
import type { WebOptions } from '../market-page.ts';
import { sectionsOf } from '../markup/document-html.ts';
import { type Html, html } from '../markup/html.ts';
import { preferencesText } from '../preferences/preferences.ts';
import { cardPath } from '../seo/head.ts';
import { articleData } from '../seo/structured-data.ts';
import type { TextPage } from '../text-page.ts';
import { EMPTY_FRAME, type Frame, frameOf } from './frame.ts';
import { renderPage } from './layout.ts';
import { MARKDOWN_TYPE, PAGE_HEADERS, REVALIDATED } from './page-headers.ts';

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
  const route = (url: string, headers: Headers, bodyFor: (request: FastifyRequest) => MaybeLater<Body>) =>
    server.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => sendBody(request, reply, await bodyFor(request), headers),
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
    const contents = new Map<PlanName | null, Html>();
    const contentFor = async (plan: PlanName | null): Promise<Html> => {
      const text = contents.get(plan) ?? (await body(context, { plan }));
      contents.set(plan, text);
      return page.group === undefined ? text : documentPage(pages, page, text);
    };
    const rendered = async (frame: Frame, plan: PlanName | null) =>
      Body.of(
        renderPage({
          // Some documents have the name of the page that they explain.
          title: page.group === undefined ? title : `${title}, documentation`,
          description,
          path: page.group === undefined ? path : DEVELOPERS,
          body: await contentFor(page.isByPlan ? plan : null),
          layout: page.group === undefined ? (page.layout ?? 'wrap') : 'docs',
          frame,
          scripts: page.group === undefined ? scripts : [...scripts, 'sections'],
          twin,
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
      const frame = { ...frameOf(request, user?.email ?? null), address: path };
      const isUsual = frame.signedInAs === null && preferencesText(frame.preferences) === '';
      if (!isUsual) return await rendered(frame, user?.caller.plan.name ?? null);
      forVisitors ??= await rendered({ ...EMPTY_FRAME, address: path }, null);
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
