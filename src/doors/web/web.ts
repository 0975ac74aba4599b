import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, Problem } from '../../base/problems.ts';
import { venueIcon } from '../http/icons.ts';
import { serveAssets } from './assets.ts';
import { DOCUMENTS, documentBody, documentMarkdown } from './documents.ts';
import { type Html, html } from './html.ts';
import { PAGE_HEADERS, renderPage } from './layout.ts';
import { escapeMarkdown } from './markdown.ts';
import { MARKDOWN_TYPE, serveMarketPages, type WebOptions } from './market-page.ts';
import { MARKET_PAGES } from './market-pages.ts';
import { errorsBody } from './pages/errors.ts';
import { plansBody } from './pages/plans.ts';
import { serveReference } from './pages/reference.ts';

const MARKDOWN_HEADERS = { 'content-type': MARKDOWN_TYPE, 'cache-control': 'public, max-age=300' } as const;

/** The web door: pages of the same data, made on the server, that work without scripts. */
export function webDoor(options: WebOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    serveAssets(server);
    server.get('/icon.svg', async (_request, reply) =>
      reply
        .headers({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' })
        .send(venueIcon('Perpwire')),
    );
    server.setErrorHandler((error, request, reply) => {
      if (error instanceof Problem) return sendFault(request, reply, error);
      throw error;
    });
    const simple = (
      path: string,
      title: string,
      description: string,
      body: () => Html,
      scripts: readonly string[] = [],
      twin?: string,
    ) =>
      server.get(path, async (request, reply) => {
        const signedInAs = options.signedIn(request)?.email ?? null;
        const page = { title, description, path, body: body(), signedInAs, scripts };
        return sendPage(reply, renderPage(twin === undefined ? page : { ...page, twin }));
      });
    const { baseUrl } = options.entrance;
    simple('/plans', 'Plans', 'What each plan of the API includes', plansBody);
    simple('/developers/errors', 'Errors', 'Every error code of the API and what to do about it', errorsBody);
    for (const document of DOCUMENTS) {
      const { path, title, description } = document;
      simple(path, title, description, () => documentBody(document, baseUrl), ['copy'], `${path}.md`);
      server.get(`${path}.md`, async (_request, reply) =>
        reply.headers(MARKDOWN_HEADERS).send(documentMarkdown(document, baseUrl)),
      );
    }
    serveReference(server);
    serveMarketPages(server, options, MARKET_PAGES);
  };
}

export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.headers({ ...PAGE_HEADERS, 'cache-control': 'private, no-cache' }).send(page);
}

/** A mistake in the address gets a page that says what to change, in the form that was asked for. */
function sendFault(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { title } = PROBLEMS[problem.code];
  const { detail, suggestions } = problem;
  const path = (request.raw.url ?? '').split('?')[0] ?? '';
  // The server's own handler makes the usual problem body of it.
  if (/\.(json|csv)$/.test(path)) throw problem;
  reply.code(problem.status).headers(problem.headers ?? {});
  if (path.endsWith('.md')) {
    const near = suggestions ? `\n\nDid you mean: ${suggestions.map(escapeMarkdown).join(', ')}?` : '';
    return reply
      .headers({ 'content-type': MARKDOWN_TYPE, 'cache-control': 'private, no-cache' })
      .send(`# ${title}\n\n${escapeMarkdown(detail)}${near}\n`);
  }
  const body = html`<div class="fault"><h1>${title}</h1><p>${detail}</p>${
    suggestions
      ? html`<p>Did you mean ${suggestions.map((one, i) => html`${i > 0 ? ', ' : ''}<strong>${one}</strong>`)}?</p>`
      : null
  }<p><a href="/">Start page</a></p></div>`;
  return sendPage(reply, renderPage({ title, description: title, path: '', body }));
}
