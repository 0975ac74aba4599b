import { COINS_TABLE } from '../engines/funding/catalogue.ts';
import type { Table } from '../market/table.ts';
import { between, type MaybeFilter } from '../query/filters.ts';
import { choice, exchanges, integer, number, text } from '../query/kinds.ts';
import { cursorParameter, fieldsParameter, limitParameter } from '../query/paging.ts';
import type { Sorts } from '../query/sorting.ts';
import { answerList, checkExchanges, rowSchema, untilNextSnapshot } from './list.ts';
import { defineOperation } from './operation.ts';

const SORTS = {
  volume_desc: { column: 'volume_24h_usdt', direction: 'desc' },
  volume_asc: { column: 'volume_24h_usdt', direction: 'asc' },
  venues_desc: { column: 'venue_count', direction: 'desc' },
  venues_asc: { column: 'venue_count', direction: 'asc' },
  coin_asc: { column: 'coin', direction: 'asc' },
} satisfies Sorts;

const MAX_QUERY_LENGTH = 24;
const MAX_VENUES = 1000;

const parameters = {
  q: text('q', MAX_QUERY_LENGTH, 'Text matched against the ticker, in any case; at most 24 characters'),
  match: choice('match', ['prefix', 'contains'], 'How q is matched; default prefix'),
  exchange: exchanges('exchange', 'Coins quoted on any of these venues; at most 20'),
  exchange_match: choice(
    'exchange_match',
    ['any', 'all'],
    'all requires every one of the venues; default any',
  ),
  min_venues: integer('min_venues', { min: 0, max: MAX_VENUES }, 'Quoted on at least this many venues'),
  min_volume_usdt: number('min_volume_usdt', 'Lowest 24 h perpetual volume over all venues in USDT'),
  sort: choice(
    'sort',
    Object.keys(SORTS) as (keyof typeof SORTS)[],
    'Order of the rows; default volume_desc',
  ),
  limit: limitParameter,
  cursor: cursorParameter,
  fields: fieldsParameter(COINS_TABLE),
};

export const coinsOperation = defineOperation({
  id: 'coins',
  path: '/coins',
  scope: null,
  summary: 'Coins with a perpetual on any venue',
  description:
    'Looks up tickers: which coins exist, on which venues a linear perpetual on them is quoted, and how much they trade (24 h, all venues, USDT). Tickers are free of contract multipliers: 1000PEPE and kPEPE are both PEPE. Use it first when a ticker is uncertain.',
  tool: { name: 'svc_search_coins', title: 'Search coins' },
  parameters,
  freshness: untilNextSnapshot((data) => data.coins),
  data: { type: 'array', items: rowSchema(COINS_TABLE) },
  example: [
    {
      coin: 'PEPE',
      venue_count: 3,
      exchanges: ['Binance', 'Hyperliquid', 'OKX'],
      volume_24h_usdt: 1203448.2,
      funding_url: 'https://perpwire.example/funding/PEPE',
    },
  ],
  run: (values, context) => {
    checkExchanges(context, values.exchange);
    return answerList(
      {
        operationId: 'coins',
        page: '/coins',
        values,
        sorts: SORTS,
        defaultSort: 'volume_desc',
        ties: ['coin'],
        source: context.data.coins,
        filtersOf: (table) => [
          tickerMatches(table, values.q ?? '', values.match ?? 'prefix'),
          quotedOn(table, values.exchange, values.exchange_match ?? 'any'),
          between(table, 'venue_count', values.min_venues, undefined),
          between(table, 'volume_24h_usdt', values.min_volume_usdt, undefined),
        ],
      },
      context,
    );
  },
});

function tickerMatches(table: Table, q: string, match: 'prefix' | 'contains'): MaybeFilter {
  if (q === '') return null;
  const wanted = q.toUpperCase();
  return (row) => {
    const coin = table.text('coin', row);
    return match === 'prefix' ? coin.startsWith(wanted) : coin.includes(wanted);
  };
}

/** The lists of venues repeat, so each distinct one is looked at once. */
function quotedOn(table: Table, wanted: readonly string[] | undefined, match: 'any' | 'all'): MaybeFilter {
  if (!wanted) return null;
  const { codes, values } = table.texts('exchanges');
  const passes = values.map((json, code) => {
    if (code === 0) return false;
    const venues = new Set(JSON.parse(json) as string[]);
    return match === 'all'
      ? wanted.every((venue) => venues.has(venue))
      : wanted.some((venue) => venues.has(venue));
  });
  return (row) => passes[codes[row] ?? 0] === true;
}
