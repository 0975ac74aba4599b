import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { PROBLEMS, type Problem } from '../../../base/problems.ts';
import { escapeMarkdown } from '../../documents/markdown.ts';
import { type Html, html } from '../markup/html.ts';
import { coinMark, venueMark } from '../markup/icons/marks.ts';
import { icon } from '../markup/icons/ui-icons.ts';
import { renderPage } from './layout.ts';
import { MARKDOWN_TYPE, PAGE_HEADERS } from './page-headers.ts';
import { pathOf, type Viewer } from './viewer.ts';

const FILTER_PROBLEMS: ReadonlySet<string> = new Set([
  'invalid-parameter',
  'unknown-exchange',
  'plan-limit',
  'not-found',
]);

/** Answers a problem in the format of the requested path: a page, Markdown, or for data files a problem body. */
export function sendProblemPage(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem,
  viewer: Viewer,
): FastifyReply {
  const { suggestions } = problem;
  const { title, detail } = wordsOf(problem);
  const path = pathOf(request);
  // The server's error handler turns it into a problem body.
  if (/\.(json|csv)$/.test(path)) throw problem;
  reply
    .code(problem.status)
    .headers({ ...problem.headers, 'cache-control': 'private, no-cache', 'x-request-id': request.id });
  if (path.endsWith('.md')) {
    const didYouMean = suggestions ? `\n\nDid you mean: ${suggestions.map(escapeMarkdown).join(', ')}?` : '';
    return reply
      .header('content-type', MARKDOWN_TYPE)
      .send(`# ${title}\n\n${escapeMarkdown(detail)}${didYouMean}\n`);
  }
  const suggestion = (one: string) => suggestionLink(problem.code, one);
  const body = html`<section class="card empty fault">
    ${icon(problem.status === 404 ? 'search' : 'warn')}
    <h1>${title}</h1>
    <p>${detail}</p>
    ${
      suggestions && suggestions.length > 0
        ? html`<p>Did you mean:</p><p class="acts">${suggestions.map(suggestion)}</p>`
        : null
    }
    ${problem.status >= 500 ? html`<p class="mut">Request id: <code>${request.id}</code></p>` : null}
    <p class="acts">
      ${withoutFilters(problem, request.raw.url ?? '')}
      ${problem.code === 'unknown-coin' ? html`<a class="btn" href="/coins">All coins</a>` : null}
      ${problem.code === 'unknown-exchange' ? html`<a class="btn" href="/exchanges">All venues</a>` : null}
      <a class="btn" href="/">Start page</a>
    </p>
  </section>`;
  return reply
    .headers(PAGE_HEADERS)
    .send(renderPage({ title, description: title, path: '', body, layout: 'wrap', viewer }));
}

/** Titles for people, where the one of the API speaks to programs. */
const TITLES: Readonly<Record<string, string>> = {
  'invalid-parameter': 'This address does not work',
  'unknown-coin': 'No such coin',
  'unknown-exchange': 'No such venue',
};

/** What a page says of a problem: without names of endpoints. What is missing is its own title. */
function wordsOf({ code, detail }: Problem): { title: string; detail: string } {
  const words = detail.replace(/; (?:search tickers|names are case-sensitive).*/, '.');
  const [first = '', ...rest] = words.split(/(?<=\.) /);
  if (code === 'not-found') return { title: first.replace(/\.$/, ''), detail: rest.join(' ') };
  return { title: TITLES[code] ?? PROBLEMS[code].title, detail: words };
}

function suggestionLink(code: Problem['code'], name: string): Html {
  const path = encodeURIComponent(name);
  if (code === 'unknown-coin')
    return html`<a class="qc" href="/funding/${path}">${coinMark(name)}${name}</a>`;
  if (code === 'unknown-exchange')
    return html`<a class="qc" href="/exchanges/${path}">${venueMark(name)}${name}</a>`;
  return html`<span class="qc">${name}</span>`;
}

/** What a list shows without filters. */
const WHOLE_LISTS: Readonly<Record<string, string>> = {
  '/spreads/backtest': 'All backtested pairs',
  '/arbitrage': 'All pairs',
};

/** A link to the page without its filters. The page of a pair needs its filters, so there it leads to the list. */
function withoutFilters({ code }: Problem, url: string): Html | null {
  const [path = '', query] = url.split('?');
  if (query === undefined || !FILTER_PROBLEMS.has(code)) return null;
  const page = path.replace(/\/pair$/, '');
  return html`<a class="btn pri" href="${page}">${WHOLE_LISTS[page] ?? 'Open it without filters'}</a>`;
}

/** Paths that only programs request: they get a problem body whatever they accept. */
const FOR_PROGRAMS = /^\/(?:api|mcp|oauth|\.well-known)(?:\/|$)|\.\w+$/;

/** Answers a path that does not exist: browsers get a page, all others a problem body. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply, viewer: Viewer): FastifyReply {
  const isBrowser = request.headers.accept?.includes('text/html') === true;
  if (!isBrowser || FOR_PROGRAMS.test(pathOf(request))) {
    reply.callNotFound();
    return reply;
  }
  // The reader returns to the start page, so that one text serves all addresses that do not exist.
  const page = notFoundPage({ ...viewer, address: '/' });
  return reply
    .code(404)
    .headers({ ...PAGE_HEADERS, 'cache-control': 'private, no-cache' })
    .send(page);
}

const MOST_KEPT = 50;
const notFoundPages = new LRUCache<string, string>({ max: MOST_KEPT });

function notFoundPage(viewer: Viewer): string {
  const key = JSON.stringify(viewer);
  const kept = notFoundPages.get(key);
  if (kept !== undefined) return kept;
  const body = html`<section class="card empty fault">
    ${icon('search')}
    <h1>Nothing here</h1>
    <p>There is no page at this address. The menu leads to all of them.</p>
    <p class="acts">
      <a class="btn" href="/">Start page</a>
      <a class="btn" href="/search">Search</a>
    </p>
  </section>`;
  const description = 'No such page';
  const page = renderPage({ title: 'Nothing here', description, path: '', body, layout: 'wrap', viewer });
  notFoundPages.set(key, page);
  return page;
}
