import { Problem } from '../base/problems.ts';
import { DAY_MS, isoTime } from '../base/times.ts';
import { LISTINGS_TABLE } from '../engines/listings/table.ts';
import { LISTING_SOURCES, LISTING_STATUSES } from '../history/listings/model.ts';
import type { Table } from '../market/table.ts';
import { type MaybeFilter, textIn, textNotIn } from '../query/filters.ts';
import { choice, coins, exchanges, integer, time } from '../query/kinds.ts';
import { cursorParameter, fieldsParameter, limitParameter } from '../query/paging.ts';
import type { Sorts } from '../query/sorting.ts';
import { answerList, checkExchanges, rowSchema, untilNextSnapshot } from './list.ts';
import { defineOperation } from './operation.ts';

const SORTS = {
  nearest: { column: 'effective_at', direction: 'asc', isTableOrder: true },
  effective_asc: { column: 'effective_at', direction: 'asc' },
  effective_desc: { column: 'effective_at', direction: 'desc' },
  detected_desc: { column: 'detected_at', direction: 'desc' },
  detected_asc: { column: 'detected_at', direction: 'asc' },
  coin_asc: { column: 'coin', direction: 'asc' },
} satisfies Sorts;

const parameters = {
  coin: coins('coin', 'Tickers to keep, in any case; at most 20, separated by commas'),
  exchange: exchanges('exchange', 'Venues to keep, spelled as /exchanges returns them; at most 20'),
  exclude_exchange: exchanges('exclude_exchange', 'Venues to leave out; at most 20'),
  type: choice('type', ['listing', 'delisting'], 'Only this kind of row; both by default'),
  status: choice('status', LISTING_STATUSES, 'Only rows with exactly this status'),
  source: choice('source', LISTING_SOURCES, 'Only rows that were first detected this way'),
  from: time('from', 'Rows effective at this time or later; drops rows without effective_at'),
  to: time('to', 'Rows effective before this time; drops rows without effective_at'),
  days_ahead: integer(
    'days_ahead',
    { min: 1, max: 365 },
    'Rows effective from meta.as_of on, up to this many days ahead; ignored when from or to is given',
  ),
  detected_after: time(
    'detected_after',
    'Rows first seen after this time. To poll, send the meta.as_of of the answer before, with sort=detected_asc',
  ),
  sort: choice(
    'sort',
    Object.keys(SORTS) as (keyof typeof SORTS)[],
    'Order of the rows; default nearest: upcoming soonest first, then past most recent first, undated last',
  ),
  limit: limitParameter,
  cursor: cursorParameter,
  fields: fieldsParameter(LISTINGS_TABLE),
};

export const listings = defineOperation({
  id: 'listings',
  path: '/listings',
  scope: 'listings:read',
  summary: 'Calendar of announced and detected listings and delistings',
  description:
    'One row per listing or delisting of a perpetual contract, from the notices of the venues (announcement), the status and time fields of their instrument lists (instruments) and the differences between successive lists (diff). effective_at is when trading starts or ends and may move; detected_at is when we first saw it and never does. To poll: sort=detected_asc with detected_after set to the previous meta.as_of gives every new row exactly once, and empty data means that nothing is new; follow next_cursor through all pages before polling on. Changes of status or date of known rows do not come again that way: read them with from, to or days_ahead.',
  tool: { name: 'svc_get_listings', title: 'Listings and delistings' },
  parameters,
  freshness: untilNextSnapshot((data) => data.listings),
  data: { type: 'array', items: rowSchema(LISTINGS_TABLE) },
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
  run: (values, context) => {
    checkExchanges(context, values.exchange, values.exclude_exchange);
    refuseCrossed(values.from, values.to);
    return answerList(
      {
        operationId: 'listings',
        page: '/listings',
        values,
        sorts: SORTS,
        defaultSort: 'nearest',
        ties: ['exchange', 'symbol', 'kind'],
        source: context.data.listings,
        filtersOf: (table, asOfMs) => [
          textIn(table, 'coin', values.coin),
          textIn(table, 'exchange', values.exchange),
          textNotIn(table, 'exchange', values.exclude_exchange),
          textIn(table, 'kind', listed(values.type)),
          textIn(table, 'status', listed(values.status)),
          textIn(table, 'source', listed(values.source)),
          effectiveIn(table, asOfMs, values),
          detectedAfter(table, values.detected_after),
        ],
      },
      context,
    );
  },
});

function refuseCrossed(fromMs: number | undefined, toMs: number | undefined): void {
  if (fromMs === undefined || toMs === undefined || fromMs <= toMs) return;
  throw new Problem(
    'invalid-parameter',
    `"from" (${isoTime(fromMs)}) must not be after "to" (${isoTime(toMs)}).`,
  );
}

function listed(value: string | undefined): string[] | undefined {
  return value === undefined ? undefined : [value];
}

/** Half-open: what takes effect at `to` belongs to the next range. A row without a time is in none. */
function effectiveIn(
  table: Table,
  asOfMs: number,
  range: { from?: number | undefined; to?: number | undefined; days_ahead?: number | undefined },
): MaybeFilter {
  const { from, to, days_ahead: daysAhead } = range;
  const isGiven = from !== undefined || to !== undefined;
  if (!isGiven && daysAhead === undefined) return null;
  const fromMs = isGiven ? (from ?? Number.NEGATIVE_INFINITY) : asOfMs;
  const beforeMs = isGiven ? (to ?? Number.POSITIVE_INFINITY) : asOfMs + (daysAhead ?? 0) * DAY_MS;
  const effectiveAt = table.numbers('effective_at');
  return (row) => (effectiveAt[row] ?? Number.NaN) >= fromMs && (effectiveAt[row] ?? Number.NaN) < beforeMs;
}

function detectedAfter(table: Table, afterMs: number | undefined): MaybeFilter {
  if (afterMs === undefined) return null;
  const detectedAt = table.numbers('detected_at');
  return (row) => (detectedAt[row] ?? 0) > afterMs;
}
