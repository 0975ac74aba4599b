import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/directory.ts';
import { PROBLEMS, Problem } from '../../base/problems.ts';
import type { Entrance } from '../../operations/entrance.ts';
import { serveAssets } from './assets.ts';
import { type Html, html } from './html.ts';
import { PAGE_HEADERS, renderPage } from './layout.ts';
import { asOf, filterForm, type ListPage, pager, rowsTable } from './list-page.ts';
import { COINS_PAGE, EXCHANGES_PAGE } from './pages/catalogue.ts';
import { errorsBody } from './pages/errors.ts';
import { FUNDING_PAGE } from './pages/funding.ts';
import { homeBody, plansBody } from './pages/home.ts';
import { answerForPage, type Row, sentByForm, VISITOR } from './visitor.ts';

export interface WebOptions {
  entrance: Entrance;
  /** Who is signed in, if anybody: pages then show the data of their plan. */
  signedIn: (request: FastifyRequest) => { caller: Caller; email: string } | null;
}

export interface PageText {
  title: string;
  description: string;
  lead: Html;
}

const LIST_PAGES: readonly (readonly [page: ListPage, text: PageText])[] = [
  [
    FUNDING_PAGE,
    {
      title: 'Funding rates',
      description: 'Current funding rates of crypto perpetual futures on twenty venues',
      lead: html`What will be exchanged at the next settlement on every perpetual contract, in percent of the position. Positive: longs pay shorts. Rates with different intervals compare by APR, not as they stand.`,
    },
  ],
  [
    COINS_PAGE,
    {
      title: 'Coins',
      description: 'Coins with a perpetual future, and the venues that quote them',
      lead: html`Every coin with a perpetual, without contract multipliers: 1000PEPE and kPEPE are both PEPE.`,
    },
  ],
  [
    EXCHANGES_PAGE,
    {
      title: 'Exchanges',
      description: 'Trading venues with fees, leverage and contracts',
      lead: html`The venues that Perpwire watches, with their default taker fee and highest leverage.`,
    },
  ],
];

/** The web door: pages of the same data, made on the server, that work without scripts. */
export function webDoor(options: WebOptions): (server: FastifyInstance) => Promise<void> {
  return async (server) => {
    serveAssets(server);
    server.setErrorHandler((error, request, reply) => {
      if (error instanceof Problem) return sendFault(request, reply, error);
      throw error;
    });
    const simple = (path: string, title: string, description: string, body: () => Html) =>
      server.get(path, async (request, reply) => {
        const signedInAs = options.signedIn(request)?.email ?? null;
        return sendPage(reply, renderPage({ title, description, path, body: body(), signedInAs }));
      });
    const { data, clock } = options.entrance;
    simple(
      '/',
      'Perpetual futures data',
      'Funding rates, spreads and listings of crypto perpetual futures on twenty venues',
      () => homeBody(data.funding.at(VISITOR.plan.delaySeconds, clock.nowMs()), data.venues.length),
    );
    simple('/plans', 'Plans', 'What each plan of the API includes', plansBody);
    simple('/developers/errors', 'Errors', 'Every error code of the API and what to do about it', errorsBody);
    for (const [page, text] of LIST_PAGES) server.get(page.path, listHandler(options, page, text));
  };
}

function listHandler({ entrance, signedIn }: WebOptions, page: ListPage, text: PageText) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const user = signedIn(request);
    const sent = sentByForm(request.raw.url ?? '');
    const answer = await answerForPage<Row[]>(entrance, page.operation, user?.caller ?? VISITOR, sent);
    const body = html`<h1>${text.title}</h1>
<p class="lead">${text.lead}</p>
${asOf(answer)}
${filterForm(page, sent)}
<div id="results">${rowsTable(page, answer.data, sent)}
${pager(page.path, answer, sent)}</div>`;
    return sendPage(
      reply,
      renderPage({
        title: text.title,
        description: text.description,
        path: page.path,
        body,
        signedInAs: user?.email ?? null,
      }),
    );
  };
}

export function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply.headers({ ...PAGE_HEADERS, 'cache-control': 'private, no-cache' }).send(page);
}

/** A mistake in the address gets a page that says what to change. */
function sendFault(_request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { title } = PROBLEMS[problem.code];
  const body = html`<div class="fault"><h1>${title}</h1><p>${problem.detail}</p>${
    problem.suggestions
      ? html`<p>Did you mean ${problem.suggestions.map((one, i) => html`${i > 0 ? ', ' : ''}<strong>${one}</strong>`)}?</p>`
      : null
  }<p><a href="/">Start page</a></p></div>`;
  return sendPage(reply.code(problem.status), renderPage({ title, description: title, path: '', body }));
}
