import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PLANS } from '../../../accounts/plans.ts';
import { Problem } from '../../../base/problems.ts';
import type { Entrance } from '../../../operations/access/entrance.ts';
import { listings } from '../../../operations/listings.ts';
import { MAX_PAGE_ROWS } from '../../../query/paging.ts';
import { Body } from '../../http/answers/body.ts';
import { sendBody } from '../../http/answers/send-body.ts';
import { API_HEADERS } from '../../http/common-headers.ts';
import { knownValues, pageParameters } from '../layout/page-parameters.ts';
import { answerForPage, type Row, sentByForm, VISITOR } from '../layout/visitor.ts';
import { atom } from './atom.ts';
import { type ListingEntry, listingEntry } from './entry.ts';
import { icalendar } from './icalendar.ts';

interface Feed {
  path: string;
  type: string;
  /** The order, unless the URL has one. */
  sort: string;
  write(entries: readonly ListingEntry[], feed: { address: string; page: string; asOf: string }): string;
}

const FEEDS: readonly Feed[] = [
  {
    path: '/listings.ics',
    type: 'text/calendar; charset=utf-8',
    sort: 'nearest',
    write: icalendar,
  },
  {
    path: '/listings.atom',
    type: 'application/atom+xml; charset=utf-8',
    sort: 'detected_desc',
    write: atom,
  },
];

/** Calendar apps and feed readers do not follow pages, so a feed has more rows than a page of the Demo plan. */
const SUBSCRIBER = { ...VISITOR, plan: { ...PLANS.demo, maxPageRows: MAX_PAGE_ROWS } };
/** Filters and order of the list; a feed has no pages. */
const PARAMETERS = new Map(
  [...pageParameters(listings)].filter(([name]) => !['cursor', 'fields', 'limit'].includes(name)),
);
const ALLOW = 'GET, HEAD';

/** The rows of /listings for calendar apps and feed readers: the same filters, no key, Demo data. */
export function feedsDoor(entrance: Entrance): (server: FastifyInstance) => Promise<void> {
  const host = new URL(entrance.baseUrl).hostname;

  const handler = (feed: Feed) => async (request: FastifyRequest, reply: FastifyReply) => {
    const sent = knownValues(sentByForm(request.raw.url ?? ''), PARAMETERS);
    const query = new URLSearchParams([...sent].map(([name, values]) => [name, values.join(',')])).toString();
    if (!sent.has('sort')) sent.set('sort', [feed.sort]);
    sent.set('limit', [String(MAX_PAGE_ROWS)]);
    const { data, meta } = await answerForPage<Row[]>(entrance, listings, SUBSCRIBER, sent);
    const page = `${entrance.baseUrl}/listings`;
    const entries = data.map((row) => listingEntry(row, host, page));
    const address = `${entrance.baseUrl}${feed.path}${query === '' ? '' : `?${query}`}`;
    const body = Body.of(feed.write(entries, { address, page, asOf: meta.as_of }));
    return await sendBody(request, reply, body, {
      ...API_HEADERS,
      'cache-control': 'public, max-age=300',
      'content-type': feed.type,
      'x-request-id': request.id,
    });
  };

  return async (server) => {
    for (const feed of FEEDS) {
      server.route({ method: ['GET', 'HEAD'], url: feed.path, handler: handler(feed) });
      server.route({
        method: ['POST', 'PUT', 'PATCH', 'DELETE'],
        url: feed.path,
        handler: async () => {
          throw new Problem('method-not-allowed', `This path is read with GET; allowed are ${ALLOW}.`, {
            headers: { allow: ALLOW },
          });
        },
      });
    }
  };
}
