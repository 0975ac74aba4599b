import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../accounts/keys/directory.ts';
import type { Entrance } from '../../operations/entrance.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { AnswerCache } from '../http/answers/answer-cache.ts';
import { Body } from '../http/answers/body.ts';
import { RepeatDetector } from '../http/answers/repeat-detector.ts';
import { sendBody } from '../http/answers/send-body.ts';
import type { HtmlValue } from './html.ts';
import { PAGE_HEADERS, renderPage } from './layout.ts';
import { linkTo } from './page-links.ts';
import type { PairChart } from './pages/backtest-pair.ts';
import type { ForeseePairs } from './pages/kept-pair-charts.ts';
import type { VenueStatus } from './pages/status.ts';
import { sentByForm, VISITOR } from './visitor.ts';

export interface WebOptions {
  entrance: Entrance;
  /** The operations that the developer pages describe. */
  operations: readonly AnyOperation[];
  /** Who is signed in, if anybody: pages then show the data of their plan. */
  signedIn: (request: FastifyRequest) => { caller: Caller; email: string } | null;
  venueStatus: () => readonly VenueStatus[];
  pairChart: PairChart;
}

export interface MarketPagesOptions extends WebOptions {
  foreseePairs: ForeseePairs;
}

/** One visit to a page: by whom, and for what. */
export interface Asked extends Omit<MarketPagesOptions, 'signedIn' | 'operations'> {
  caller: Caller;
  isSignedIn: boolean;
  sent: Map<string, string[]>;
  /** Named parts of the path. */
  named: Readonly<Record<string, string>>;
}

export interface PageView {
  title: string;
  description: string;
  body: HtmlValue;
  scripts?: readonly string[];
  /** More for the head, such as links to feeds. */
  head?: HtmlValue;
}

export interface PageFile<T> {
  type: string;
  write(loaded: T, asked: Asked): string;
  headers?(loaded: T): Record<string, string>;
}

/** A page of market data. The page and its Markdown twin are made from the same answer, so they cannot differ. */
export interface MarketPage<T> {
  /** As the router writes it. */
  path: string;
  /** The Markdown twin's path, where it is not the page's with `.md`. */
  twinPath?: string;
  /** Its name in the list of pages for agents; absent for a page that needs parameters. */
  label?: string;
  /** The entry of the navigation that it belongs to. */
  navigation: string;
  /** Changes whenever the page may: kept pages are good until then. Null: nothing is kept. */
  freshness(asked: Asked): string | null;
  load(asked: Asked): Promise<T>;
  view(loaded: T, asked: Asked): PageView;
  markdown(loaded: T, asked: Asked): string;
  /** Other forms of the same answer, by the ending of their path. */
  files?: Readonly<Record<string, PageFile<T>>>;
}

export type AnyMarketPage = MarketPage<unknown>;

/** Keeps the type of the answer inside the page and hides it outside. */
export function definePage<T>(page: MarketPage<T>): AnyMarketPage {
  return page as unknown as AnyMarketPage;
}

export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
const CACHE_BYTES = 32 * 1024 * 1024;
const VARY = 'Accept-Encoding, Cookie';

class KeptPage {
  readonly body: Body;
  readonly headers: Readonly<Record<string, string>>;
  readonly freshness: string;
  readonly bytes: number;

  constructor(body: Body, headers: Readonly<Record<string, string>>, freshness: string) {
    this.body = body;
    this.headers = headers;
    this.freshness = freshness;
    // As with answers of the API: its compressed forms are counted with it.
    this.bytes = body.plain.length * 2;
  }
}

export type Made = Pick<KeptPage, 'body' | 'headers'>;
type Make<T> = (
  loaded: T,
  asked: Asked,
  email: string | null,
) => { text: string; headers: Record<string, string> };

/** Serves pages with their twins and files. What is asked for again is kept until its data changes. */
export function serveMarketPages(
  server: FastifyInstance,
  options: MarketPagesOptions,
  pages: readonly AnyMarketPage[],
): void {
  const cache = new AnswerCache<KeptPage>(CACHE_BYTES);
  const repeats = new RepeatDetector();

  const handler =
    (page: AnyMarketPage, make: Make<unknown>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const url = request.raw.url ?? '';
      const user = options.signedIn(request);
      const asked = askedBy(options, user?.caller ?? null, url, request.params);
      const freshness = page.freshness(asked);
      // Somebody's name is on the page, and what it shows depends on the plan.
      const key = user ? `${url} ${user.caller.plan.name} ${user.email}` : url;
      const known = freshness === null ? undefined : cache.get(key);
      if (known && known.freshness === freshness) return await sendMade(request, reply, known);
      const { text, headers } = make(await page.load(asked), asked, user?.email ?? null);
      const body = Body.of(text);
      // As with answers of the API: keeping what is asked once costs more than it saves.
      if (freshness !== null && (known || repeats.note(`${key} ${freshness}`, 0)))
        cache.set(key, new KeptPage(body, headers, freshness));
      return await sendMade(request, reply, { body, headers });
    };
  const route = (url: string, page: AnyMarketPage, make: Make<unknown>) =>
    server.route({ method: ['GET', 'HEAD'], url, handler: handler(page, make) });

  for (const page of pages) {
    const twinPath = page.twinPath ?? `${page.path}.md`;
    route(page.path, page, (loaded, asked, email) => {
      const twin = addressOf(twinPath, asked);
      const view = { ...page.view(loaded, asked), path: page.navigation, twin };
      return { text: renderPage({ ...view, signedInAs: email }), headers: { ...PAGE_HEADERS } };
    });
    route(twinPath, page, (loaded, asked) => ({
      text: page.markdown(loaded, asked),
      headers: { 'content-type': MARKDOWN_TYPE, 'x-content-type-options': 'nosniff' },
    }));
    for (const [ending, file] of Object.entries(page.files ?? {})) {
      route(`${page.path}${ending}`, page, (loaded, asked) => ({
        text: file.write(loaded, asked),
        headers: {
          'content-type': file.type,
          'x-content-type-options': 'nosniff',
          ...file.headers?.(loaded),
        },
      }));
    }
  }
}

function askedBy(
  { entrance, venueStatus, pairChart, foreseePairs }: MarketPagesOptions,
  caller: Caller | null,
  url: string,
  params: unknown,
): Asked {
  return {
    entrance,
    venueStatus,
    pairChart,
    foreseePairs,
    caller: caller ?? VISITOR,
    isSignedIn: caller !== null,
    sent: sentByForm(url),
    named: params as Record<string, string>,
  };
}

export function sendMade(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, headers }: Made,
): Promise<FastifyReply> {
  return sendBody(request, reply, body, { 'cache-control': 'private, no-cache', vary: VARY, ...headers });
}

/** The path with its names filled in, and the same question behind it. */
export function addressOf(path: string, { named, sent }: Asked): string {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(named[name] ?? ''));
  return linkTo(filled, sent);
}
