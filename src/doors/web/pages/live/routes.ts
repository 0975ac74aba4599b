import type { FastifyInstance } from 'fastify';
import { addressGroup } from '../../../../accounts/keys/rejected-keys.ts';
import { MemoryOpenStreams } from '../../../../accounts/streams/memory.ts';
import { Problem } from '../../../../base/problems.ts';
import { MINUTE_MS } from '../../../../base/times.ts';
import { acceptsGzip } from '../../../http/answers/negotiate.ts';
import { NO_SNIFF } from '../../../http/common-headers.ts';
import { EventConnection } from '../../../streams/event-connection.ts';
import { sentByForm } from '../../layout/visitor.ts';
import type { AnyMarketPage } from '../market-page.ts';
import type { MarketPagesOptions } from '../page-context.ts';
import { contentKey, pageContext, type Reader } from '../page-context.ts';
import { LivePages } from './live-pages.ts';

/** Streams of the visitors at one address: a few tabs, as hidden ones close theirs. */
const STREAMS_PER_ADDRESS = 12;
const STREAMS_PER_PROCESS = 5_000;
const LIFETIME_MS = 5 * MINUTE_MS;

/** The address of a page's stream: its own address below this path. */
export const LIVE_PATH = '/live';
/** The query parameter with the time of the data that the browser shows. */
const SINCE = 'since';

/**
 * The streams of live pages, for our own pages only. A reader gets what the page shows: a visitor the delayed data. An
 * opened stream counts as a page view. Who is signed in has as many as the plan; a page without one asks now and then.
 */
export function serveLivePages(
  server: FastifyInstance,
  options: MarketPagesOptions,
  pages: readonly AnyMarketPage[],
): void {
  const { entrance } = options;
  const { addressOf, spenderOf, log } = server.bare;
  const live = new LivePages({ clock: entrance.clock, log, lifetimeMs: LIFETIME_MS });
  const visitors = new MemoryOpenStreams();
  /** Counts a stream until the returned function is called; null if the reader has as many as allowed. */
  const openPlace = async (user: Reader | null, address: string): Promise<(() => void) | null> => {
    if (live.readerCount >= STREAMS_PER_PROCESS) return null;
    if (!user) return visitors.open(address, STREAMS_PER_ADDRESS) ? () => visitors.close(address) : null;
    try {
      return await entrance.openStream(user.caller);
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  };
  server.addHook('preClose', () => live.stop());
  for (const page of pages.filter(({ isLive }) => isLive)) {
    server.get(page.path === '/' ? LIVE_PATH : `${LIVE_PATH}${page.path}`, async (request, reply) => {
      const user = options.signedIn(request);
      const { context } = pageContext(options, page, request, user);
      const since = sentByForm(request.raw.url ?? '').get(SINCE)?.[0] ?? '';
      // The address bar may have what the reader has typed, such as the name of a coin.
      const clean = page.clean?.(context);
      if (clean) context.sent = new Map([...clean].map(([name, values]) => [name, [...values]]));
      // Wrong parameters are refused before the stream opens.
      page.freshness(context);
      const release = await openPlace(user, addressGroup(addressOf(request.raw)));
      // The browser does not try again, and the page asks now and then. A refusal would be an error in its console.
      if (!release) return reply.code(204).header('cache-control', 'no-store').send();
      try {
        if (user) await entrance.admitPage(user.caller);
      } catch (error) {
        release();
        throw error;
      }
      const isGzip = acceptsGzip(request.headers['accept-encoding']);
      reply.hijack();
      const connection = new EventConnection({
        response: reply.raw,
        isGzip,
        release,
        spender: spenderOf(request.raw),
      });
      connection.start({
        ...NO_SNIFF,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        connection: 'close',
        'x-request-id': request.id,
        ...(isGzip ? { 'content-encoding': 'gzip' } : {}),
      });
      live.join(contentKey(page.path, context, user), page, context, connection, since);
    });
  }
}
