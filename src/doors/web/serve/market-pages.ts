import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../accounts/keys/directory.ts';
import { Problem } from '../../../base/problems.ts';
import type { Admission } from '../../../operations/entrance.ts';
import { AnswerCache } from '../../http/answers/answer-cache.ts';
import { Body } from '../../http/answers/body.ts';
import { RepeatDetector } from '../../http/answers/repeat-detector.ts';
import { type Headers, sendBody } from '../../http/answers/send-body.ts';
import {
  type AnyMarketPage,
  addressOf,
  type MarketPagesOptions,
  type PageContext,
  twinPathOf,
} from '../market-page.ts';
import { sentByForm, VISITOR } from '../visitor.ts';
import { renderPage } from './layout.ts';
import { MARKDOWN_TYPE, PAGE_HEADERS, REVALIDATED } from './page-headers.ts';

const CACHE_BYTES = 32 * 1024 * 1024;

class CachedPage {
  readonly body: Body;
  readonly headers: Headers;
  readonly freshness: string;
  readonly bytes: number;

  constructor(body: Body, headers: Headers, freshness: string) {
    this.body = body;
    this.headers = headers;
    this.freshness = freshness;
    // Twice: its compressed forms count with it.
    this.bytes = body.plain.length * 2;
  }
}

/** Writes one format of a page. */
type Write = (
  loaded: unknown,
  context: PageContext,
  email: string | null,
) => { text: string; headers: Headers };

/** Serves pages with their twins and files. Pages that are requested repeatedly are cached until their data changes. */
export function serveMarketPages(
  server: FastifyInstance,
  options: MarketPagesOptions,
  pages: readonly AnyMarketPage[],
): void {
  const { entrance } = options;
  const cache = new AnswerCache<CachedPage>(CACHE_BYTES);
  const repeats = new RepeatDetector();

  /** A page that the browser has already is refunded, as the same answer of the API is. */
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    body: Body,
    headers: Headers,
    admission: Admission | null,
    isComputed: boolean,
  ) => {
    if (admission && body.isNamedIn(request.headers['if-none-match']))
      await entrance.refundUnchanged(admission, isComputed);
    return await sendBody(request, reply, body, headers);
  };

  const loadOrRefund = async (page: AnyMarketPage, context: PageContext, admission: Admission | null) => {
    try {
      return await page.load(context);
    } catch (error) {
      if (admission && error instanceof Problem && error.status === 503) await entrance.refund(admission);
      throw error;
    }
  };

  const handler =
    (page: AnyMarketPage, write: Write) => async (request: FastifyRequest, reply: FastifyReply) => {
      const url = request.raw.url ?? '';
      const user = options.signedIn(request);
      const context = contextOf(options, user?.caller ?? null, url, request.params);
      const admission = user ? await entrance.admitPage(user.caller) : null;
      const freshness = page.freshness(context);
      // The page shows the user's e-mail address and the data of the user's plan.
      const key = user ? `${url} ${user.caller.plan.name} ${user.email} ${user.caller.takerFees ?? ''}` : url;
      const cached = freshness === null ? undefined : cache.get(key);
      if (cached && cached.freshness === freshness)
        return await send(request, reply, cached.body, cached.headers, admission, false);
      const loaded = await loadOrRefund(page, context, admission);
      const { text, headers } = write(loaded, context, user?.email ?? null);
      const body = Body.of(text);
      // Caching a page that is requested once costs more than it saves.
      if (freshness !== null && (cached || repeats.note(`${key} ${freshness}`, 0)))
        cache.set(key, new CachedPage(body, headers, freshness));
      return await send(request, reply, body, headers, admission, true);
    };
  const route = (url: string, page: AnyMarketPage, write: Write) =>
    server.route({ method: ['GET', 'HEAD'], url, handler: handler(page, write) });

  for (const page of pages) {
    const twinPath = twinPathOf(page);
    route(page.path, page, (loaded, context, email) => {
      const twin = addressOf(twinPath, context);
      const view = { ...page.view(loaded, context), path: page.section, twin };
      return {
        text: renderPage({ ...view, signedInAs: email }),
        headers: { ...REVALIDATED, ...PAGE_HEADERS },
      };
    });
    route(twinPath, page, (loaded, context) => ({
      text: page.markdown(loaded, context),
      headers: fileHeaders(MARKDOWN_TYPE),
    }));
    for (const [extension, file] of Object.entries(page.files ?? {})) {
      route(`${page.path}${extension}`, page, (loaded, context) => ({
        text: file.write(loaded, context),
        headers: { ...fileHeaders(file.type), ...file.headers?.(loaded) },
      }));
    }
  }
}

function fileHeaders(type: string): Headers {
  return { ...REVALIDATED, 'content-type': type, 'x-content-type-options': 'nosniff' };
}

function contextOf(
  { entrance, venueStatus, accuracy, pairChart, prefetchPairs }: MarketPagesOptions,
  caller: Caller | null,
  url: string,
  params: unknown,
): PageContext {
  return {
    entrance,
    venueStatus,
    accuracy,
    pairChart,
    prefetchPairs,
    caller: caller ?? VISITOR,
    isSignedIn: caller !== null,
    sent: sentByForm(url),
    named: params as Record<string, string>,
  };
}
