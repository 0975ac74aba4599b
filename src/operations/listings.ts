import { Problem } from '../base/problems.ts';
import { DAY_MS, isoTime } from '../base/times.ts';
import { LISTINGS_TABLE } from '../engines/listings/table.ts';
import { LISTING_SOURCES, LISTING_STATUSES } from '../history/listings/model.ts';
import {
  after,
  before,
  equals,
  equalsText,
  filter,
  noneOf,
  notBefore,
  oneOf,
  unless,
} from '../query/filter-kinds.ts';
import { coins, exchanges, integer } from '../query/kinds.ts';

import { defineList } from './list/list.ts';

export const listings = defineList({
  id: 'listings',
  operationId: 'listListings',
  path: '/listings',
  scope: 'listings:read',
  summary: 'Calendar of announced and detected listings and delistings',
  description:
    'One row per listing or delisting of a perpetual contract, from the notices of the venues (announcement), the status and time fields of their instrument lists (instruments) and the differences between successive lists (diff). effective_at is when trading starts or ends and may move; detected_at is when we first saw it and never does. To poll: sort=detected_asc with detected_after set to the previous meta.as_of gives every new row exactly once, and empty data means that nothing is new; follow next_cursor through all pages before polling on. Changes of status or date of known rows do not come again that way: read them with from, to or days_ahead.',
  table: LISTINGS_TABLE,
  source: (data) => data.listings,
  identity: ['exchange', 'symbol', 'kind', 'detected_at'],
  shortRows: { leading: ['exchange', 'symbol', 'kind', 'status', 'effective_at', 'source'] },
  tool: {
    name: 'svc_get_listings',
    title: 'Listings and delistings',
    place: 7,
    noun: 'event',
    conclusion: (row) => {
      const when = row.effective_at === null ? 'no date yet' : `effective ${row.effective_at}`;
      const status = row.status === null ? '' : ` ${row.status},`;
      return `${row.kind} of ${row.symbol} on ${row.exchange},${status} ${when}`;
    },
  },
  words: {
    subject: ({ kind, symbol, exchange }) =>
      `${kind === 'delisting' ? 'Delisting' : 'Listing'} of ${symbol} on ${exchange}`,
    state: ({ status, effective_at }) => {
      const when =
        typeof effective_at === 'string'
          ? `effective ${effective_at.slice(0, 10)} at ${effective_at.slice(11, 16)} UTC`
          : 'not dated yet';
      return `is ${when}${typeof status === 'string' ? ` (${status})` : ''}`;
    },
    stateFigures: [],
  },
  filters: {
    coin: oneOf('coin', coins, 'Tickers to keep, in any case; at most 20, separated by commas'),
    exchange: oneOf('exchange', exchanges, 'Venues to keep, as /exchanges spells them; at most 20'),
    exclude_exchange: noneOf(['exchange'], exchanges, 'Venues to leave out; at most 20'),
    type: equals('kind', ['listing', 'delisting'], 'Only this kind of row; both by default'),
    status: equalsText(
      'status',
      LISTING_STATUSES,
      `Only rows with exactly this status: ${LISTING_STATUSES.join(', ')}; another one gives an empty list`,
    ),
    source: equals('source', LISTING_SOURCES, 'Only rows that were first detected this way'),
    // Half-open: what takes effect at `to` belongs to the next range.
    from: notBefore('effective_at', 'Rows effective at this time or later; drops rows without effective_at'),
    to: before('effective_at', 'Rows effective before this time; drops rows without effective_at'),
    days_ahead: unless(
      ['from', 'to'],
      filter(
        (name) =>
          integer(
            name,
            { min: 1, max: 365 },
            'Rows effective from meta.as_of on, up to this many days ahead; ignored when from or to is given, whatever its value',
          ),
        ['effective_at'],
        (days, { table, asOfMs }) => {
          const effectiveAt = table.numbers('effective_at');
          const endMs = asOfMs + days * DAY_MS;
          return (row) => (effectiveAt[row] as number) >= asOfMs && (effectiveAt[row] as number) < endMs;
        },
      ),
    ),
    detected_after: after(
      'detected_at',
      'Rows first seen after this time. To poll, send the meta.as_of of the answer before, with sort=detected_asc',
    ),
  },
  check: ({ from, to }) => refuseCrossed(from as number | undefined, to as number | undefined),
  sorts: {
    nearest: { column: 'effective_at', direction: 'asc', isTableOrder: true },
    effective_asc: { column: 'effective_at', direction: 'asc' },
    effective_desc: { column: 'effective_at', direction: 'desc' },
    detected_desc: { column: 'detected_at', direction: 'desc' },
    detected_asc: { column: 'detected_at', direction: 'asc' },
    coin_asc: { column: 'coin', direction: 'asc' },
  },
  defaultSort: 'nearest',
  sortNote: ': upcoming soonest first, then past most recent first, undated last',
  ties: ['exchange', 'symbol', 'kind'],
  example: [
    {
      exchange: 'Bybit',
      symbol: 'NEWCOIN-USDT',
      coin: 'NEWCOIN',
      kind: 'listing',
      status: 'preopen',
      effective_at: '2026-11-18T08:00:00Z',
      source: 'announcement',
      announcement_url: 'https://announcements.bybit.com/article/newcoin',
      detected_at: '2026-11-15T09:12:40Z',
    },
  ],
});

function refuseCrossed(fromMs: number | undefined, toMs: number | undefined): void {
  if (fromMs === undefined || toMs === undefined || fromMs <= toMs) return;
  throw new Problem(
    'invalid-parameter',
    `"from" (${isoTime(fromMs)}) must not be after "to" (${isoTime(toMs)}).`,
  );
}
