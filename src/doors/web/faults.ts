import type { FastifyReply, FastifyRequest } from 'fastify';
import { PROBLEMS, type Problem } from '../../base/problems.ts';
import { type Html, html } from './html.ts';
import { PAGE_HEADERS, renderPage } from './layout.ts';
import { escapeMarkdown } from './markdown.ts';
import { MARKDOWN_TYPE } from './market-page.ts';

const FAULTS_OF_FILTERS: ReadonlySet<string> = new Set([
  'invalid-parameter',
  'unknown-exchange',
  'plan-limit',
  'not-found',
]);

/** A mistake in the address gets a page that says what to change, in the form that was asked for. */
export function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  signedInAs: string | null,
): FastifyReply {
  const { title } = PROBLEMS[problem.code];
  const { detail, suggestions } = problem;
  const path = pathOf(request);
  // The server's own handler makes the usual problem body of it.
  if (/\.(json|csv)$/.test(path)) throw problem;
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'private, no-cache', 'x-request-id': request.id });
  if (path.endsWith('.md')) {
    const near = suggestions ? `\n\nDid you mean: ${suggestions.map(escapeMarkdown).join(', ')}?` : '';
    return reply
      .header('content-type', MARKDOWN_TYPE)
      .send(`# ${title}\n\n${escapeMarkdown(detail)}${near}\n`);
  }
  const suggestion = (one: string) =>
    problem.code === 'unknown-coin'
      ? html`<a href="/funding/${encodeURIComponent(one)}">${one}</a>`
      : html`<strong>${one}</strong>`;
  const body = html`<div class="fault"><h1>${title}</h1><p>${detail}</p>${
    suggestions && suggestions.length > 0
      ? html`<p>Did you mean ${suggestions.map((one, i) => html`${i > 0 ? ', ' : ''}${suggestion(one)}`)}?</p>`
      : null
  }${problem.code === 'unknown-coin' ? html`<p><a href="/coins">Search all coins</a></p>` : null}${problem.status >= 500 ? html`<p>Request id: <code>${request.id}</code></p>` : null}${withoutFilters(problem, request.raw.url ?? '')}<p><a href="/">Start page</a></p></div>`;
  return reply
    .headers(PAGE_HEADERS)
    .send(renderPage({ title, description: title, path: '', body, signedInAs }));
}

/** The way on from a filter that is none. A pair is named by its filters: there the way on is the list. */
function withoutFilters({ code }: Problem, url: string): Html | null {
  const [path = '', query] = url.split('?');
  if (query === undefined || !FAULTS_OF_FILTERS.has(code)) return null;
  const page = path.replace(/\/pair$/, '');
  return html`<p><a href="${page}">Open ${page} without filters</a></p>`;
}

/** Paths that only programs ask for: they get a problem body whatever they say they accept. */
const FOR_PROGRAMS = /^\/(?:api|mcp|oauth|\.well-known)(?:\/|$)|\.\w+$/;

/** Somebody in a browser at an address where nothing is; anybody else gets the usual problem body. */
export function sendNothingHere(
  request: FastifyRequest,
  reply: FastifyReply,
  signedInAs: string | null,
): FastifyReply {
  const isBrowser = request.headers.accept?.includes('text/html') === true;
  if (!isBrowser || FOR_PROGRAMS.test(pathOf(request))) {
    reply.callNotFound();
    return reply;
  }
  const body = html`<div class="fault"><h1>Nothing here</h1><p>There is no page at this address. The menu above leads to all of them.</p><p><a href="/">Start page</a></p></div>`;
  const page = renderPage({ title: 'Nothing here', description: 'No such page', path: '', body, signedInAs });
  return reply
    .code(404)
    .headers({ ...PAGE_HEADERS, 'cache-control': 'private, no-cache' })
    .send(page);
}

function pathOf(request: FastifyRequest): string {
  return (request.raw.url ?? '').split('?')[0] ?? '';
}
