import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../../base/problems.ts';
import type { Admission } from '../../../operations/access/admission.ts';
import { addressTooLong, MOST_ADDRESS_BYTES } from '../../../operations/access/refusals.ts';
import { Body } from '../../http/answers/body.ts';
import { type Headers, sendBody } from '../../http/answers/send-body.ts';
import { isSameQuery } from '../lists/forgiving.ts';
import {
  type AnyMarketPage,
  addressOf,
  type MarketPagesOptions,
  type PageContext,
  twinPathOf,
} from '../market-page.ts';
import { marketMeta } from '../seo/market-meta.ts';
import type { Frame } from './frame.ts';
import { renderPage } from './layout.ts';
import { contentKey, pageContext } from './page-context.ts';
import { MARKDOWN_TYPE, PAGE_HEADERS, REVALIDATED } from './page-headers.ts';

const HTML_HEADERS: Headers = { ...REVALIDATED, ...PAGE_HEADERS };
const CACHE_BYTES = 16 * 1024 * 1024;

interface CachedPage {
  body: Body;
  headers: Headers;
  freshness: string;
}

/** One format of a page. */
interface Written {
  text: string;
  headers: Headers;
  status?: number;
}

type Write = (loaded: unknown, context: PageContext, frame: Frame) => Written;

/** Serves pages with their twins and files. Pages are cached until their data changes. */
export function serveMarketPages(
  server: FastifyInstance,
  options: MarketPagesOptions,
  pages: readonly AnyMarketPage[],
): void {
  const { entrance } = options;
  const cache = new LRUCache<string, CachedPage>({
    maxSize: CACHE_BYTES,
    // Twice: its compressed forms count with it.
    sizeCalculation: ({ body }, key) => 2 * (body.length + key.length),
  });

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
    (path: string, page: AnyMarketPage, write: Write) =>
    async (request: FastifyRequest, reply: FastifyReply) => {
      const user = options.signedIn(request);
      const { context, frame } = pageContext(options, page, request, user);
      const clean = path === page.path ? cleanAddress(page, context, request.raw.url ?? '') : null;
      if (clean !== null) return reply.header('cache-control', 'no-cache').redirect(clean, 302);
      const admission = user ? await entrance.admitPage(user.caller) : null;
      const freshness = page.freshness(context);
      // The frame shows the user's e-mail address and returns to the address of the page.
      const key = `${path} ${frame.address} ${user?.email ?? ''} ${contentKey(page.path, context, user)}`;
      const cached = freshness === null ? undefined : cache.get(key);
      if (cached && cached.freshness === freshness)
        return await send(request, reply, cached.body, cached.headers, admission, false);
      const loaded = await loadOrRefund(page, context, admission);
      const { text, headers, status } = write(loaded, context, frame);
      if (status !== undefined) return reply.code(status).headers(headers).send(text);
      const body = Body.of(text);
      if (freshness !== null) cache.set(key, { body, headers, freshness });
      return await send(request, reply, body, headers, admission, true);
    };
  const route = (url: string, page: AnyMarketPage, write: Write) =>
    server.route({ method: ['GET', 'HEAD'], url, handler: handler(url, page, write) });

  for (const page of pages) {
    const twinPath = twinPathOf(page);
    route(page.path, page, (loaded, context, frame) => {
      const twin = addressOf(twinPath, context);
      const view = { ...page.view(loaded, context), path: page.section, twin };
      const meta = marketMeta(page, view, context);
      return {
        text: renderPage({ ...view, frame, meta }),
        headers: HTML_HEADERS,
        ...(view.status === undefined ? {} : { status: view.status }),
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

/** The address that a page should have instead of the requested one; null if it has it already. */
function cleanAddress(page: AnyMarketPage, context: PageContext, url: string): string | null {
  const clean = page.clean?.(context) ?? context.sent;
  const names = [...new URLSearchParams(url.split('?')[1] ?? '').keys()];
  const sentCount = names.filter((name) => page.parameters.has(name)).length;
  const filledCount = [...context.sent.values()].reduce((sum, values) => sum + values.length, 0);
  if (sentCount === filledCount && isSameQuery(clean, context.sent)) return null;
  const address = addressOf(page.path, { ...context, sent: clean });
  // The browser could not send it.
  if (address.length > MOST_ADDRESS_BYTES) throw addressTooLong();
  return address;
}

function fileHeaders(type: string): Headers {
  return { ...REVALIDATED, 'content-type': type };
}
