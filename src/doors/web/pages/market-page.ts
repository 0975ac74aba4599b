import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../../base/problems.ts';
import type { Admission } from '../../../operations/access/admission.ts';
import { addressTooLong, MOST_ADDRESS_BYTES } from '../../../operations/access/refusals.ts';
import { Body } from '../../http/answers/body.ts';
import { type Headers, sendBody } from '../../http/answers/send-body.ts';
import { renderPage } from '../layout/layout.ts';
import { MARKDOWN_TYPE, PAGE_HEADERS, REVALIDATED } from '../layout/page-headers.ts';
import type { PageLayout } from '../layout/page-layout.ts';
import type { PageParameters } from '../layout/page-parameters.ts';
import type { Viewer } from '../layout/viewer.ts';
import type { HtmlValue } from '../markup/html.ts';
import { isSameQuery, tickerOf, venueNamed } from './lists/forgiving.ts';
import {
  addressOf,
  contentKey,
  type MarketPagesOptions,
  type PageContext,
  pageContext,
} from './page-context.ts';
import { marketMeta } from './seo/market-meta.ts';

export interface PageView {
  title: string;
  description: string;
  body: HtmlValue;
  /** Set for a page that says what is wrong with its address. */
  status?: number;
  /** The time of the data; live pages have it. */
  asOf?: string;
  /** By default `wrap`. */
  layout?: PageLayout;
  scripts?: readonly string[];
  /** Further elements for the head, such as links to feeds. */
  head?: HtmlValue;
}

export interface PageFile<T> {
  type: string;
  write(loaded: T, context: PageContext): string;
  headers?(loaded: T): Record<string, string>;
}

/** A page of market data. The page and its Markdown file are made from the same answer, so they cannot differ. */
export interface MarketPage<T> {
  /** In the router's notation: `/funding/:coin`. */
  path: string;
  /** Its name in llms.txt. Absent for a page that cannot be linked without parameters. */
  label?: string;
  /** The path of the menu entry that is marked as the current one. */
  section: string;
  /** The path of the Markdown file, unless it is `path` with `.md`. */
  markdownPath?: string;
  /** The query parameters that it knows. Others are ignored, and no link of the page has them. */
  parameters: PageParameters;
  /** Changes whenever the page can change; cached pages are valid until then. Null: the page is not cached. */
  freshness(context: PageContext): string | null;
  /** False: search engines leave it out. */
  isIndexed?: boolean;
  /** The page updates itself: its elements with `data-live` follow a stream of the page. */
  isLive?: boolean;
  /** The query as it should be in the address. A page with another is redirected to it. */
  clean?(context: PageContext): Map<string, string[]>;
  load(context: PageContext): Promise<T>;
  view(loaded: T, context: PageContext): PageView;
  markdown(loaded: T, context: PageContext): string;
  /** Other formats of the same answer, by the extension of their path. */
  files?: Readonly<Record<string, PageFile<T>>>;
}

export type AnyMarketPage = MarketPage<unknown>;

/** Checks the type of the answer inside the page and hides it outside. */
export function definePage<T>(page: MarketPage<T>): AnyMarketPage {
  return page as unknown as AnyMarketPage;
}

export function markdownPathOf({
  path,
  markdownPath = `${path}.md`,
}: Pick<AnyMarketPage, 'path' | 'markdownPath'>): string {
  return markdownPath;
}

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

/** A page that has another address. */
class Moved {
  readonly address: string;

  constructor(address: string) {
    this.address = address;
  }
}

type Write = (loaded: unknown, context: PageContext, viewer: Viewer) => Written;

/** Serves pages with their Markdown and other files. Pages are cached until their data changes. */
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
      const { context, viewer } = pageContext(options, page, request, user);
      const clean = path === page.path ? cleanAddress(page, context, request.raw.url ?? '') : null;
      if (clean !== null) return reply.header('cache-control', 'no-cache').redirect(clean, 302);
      // Files take values as the page spells them, so that they are cached. What a page leaves out may be no default of its files.
      if (path !== page.path)
        for (const [name, values] of page.clean?.(context) ?? [])
          if (context.sent.has(name)) context.sent.set(name, values);
      const admission = user ? await entrance.admitPage(user.caller) : null;
      const freshness = page.freshness(context);
      // The layout shows the user's e-mail address and returns to the address of the page.
      const key = `${path} ${viewer.address} ${user?.email ?? ''} ${contentKey(page.path, context, user)}`;
      const cached = freshness === null ? undefined : cache.get(key);
      if (cached && cached.freshness === freshness)
        return await send(request, reply, cached.body, cached.headers, admission, false);
      const loaded = await loadOrRefund(page, context, admission).catch((error: unknown) => {
        const address = error instanceof Problem ? respelledAddress(path, context, error) : null;
        if (address === null) throw error;
        return new Moved(address);
      });
      if (loaded instanceof Moved)
        return reply.header('cache-control', 'no-cache').redirect(loaded.address, 302);
      const { text, headers, status } = write(loaded, context, viewer);
      if (status !== undefined) return reply.code(status).headers(headers).send(text);
      const body = Body.of(text);
      if (freshness !== null) cache.set(key, { body, headers, freshness });
      return await send(request, reply, body, headers, admission, true);
    };
  const route = (url: string, page: AnyMarketPage, write: Write) =>
    server.route({ method: ['GET', 'HEAD'], url, handler: handler(url, page, write) });

  for (const page of pages) {
    const markdownPath = markdownPathOf(page);
    route(page.path, page, (loaded, context, viewer) => {
      const markdownAddress = addressOf(markdownPath, context);
      const view = { ...page.view(loaded, context), path: page.section, markdownPath: markdownAddress };
      const meta = marketMeta(page, view, context);
      return {
        text: renderPage({ ...view, viewer, meta }),
        headers: HTML_HEADERS,
        ...(view.status === undefined ? {} : { status: view.status }),
      };
    });
    route(markdownPath, page, (loaded, context) => ({
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

/** The address with the name of a venue or coin as it is spelled here; null if nothing has that name. */
function respelledAddress(path: string, context: PageContext, { code }: Problem): string | null {
  const { named, entrance } = context;
  const { coin = '', exchange = '' } = named;
  const spelled =
    code === 'unknown-exchange'
      ? { exchange: venueNamed(exchange, entrance.data.venues) }
      : code === 'unknown-coin'
        ? { coin: tickerOf(coin) }
        : {};
  const [name] = Object.values(spelled);
  if (name === undefined || name === coin || name === exchange) return null;
  return addressOf(path, { ...context, named: { ...named, ...spelled } as Record<string, string> });
}

function fileHeaders(type: string): Headers {
  return { ...REVALIDATED, 'content-type': type };
}
