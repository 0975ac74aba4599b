import { COINS_TABLE } from '../engines/funding/catalogue.ts';
import type { Table } from '../market/tables/table.ts';
import { atLeast, matchedFilter } from '../query/filter-kinds.ts';
import { exchanges, text } from '../query/kinds.ts';
import type { RowFilter } from '../query/row-filters.ts';
import { plural, usdt } from './answer/words.ts';
import { defineList } from './list/list.ts';

const MAX_QUERY_LENGTH = 24;
const MAX_VENUES = 1000;

export const coinsOperation = defineList({
  id: 'coins',
  operationId: 'listCoins',
  path: '/coins',
  scope: null,
  summary: 'Coins with a perpetual on any venue',
  description:
    'Looks up tickers: which coins exist, on which venues a linear perpetual on them is quoted, their 24 h volume on all venues (USDT) and change of price. Tickers are free of contract multipliers: 1000PEPE and kPEPE are both PEPE. Use it first when a ticker is uncertain.',
  table: COINS_TABLE,
  source: (data) => data.coins,
  isStreamed: false,
  identity: ['coin'],
  shortRows: { leading: ['coin', 'venue_count', 'volume_24h_usdt', 'change_24h_pct', 'exchanges'] },
  tool: {
    name: 'svc_search_coins',
    title: 'Search coins',
    place: 1,
    noun: 'coin',
    conclusion: (row) => {
      const venues = `${row.venue_count} ${plural(row.venue_count, 'venue')}`;
      return `${row.coin} on ${venues}, ${usdt(row.volume_24h_usdt)} traded in 24 h`;
    },
  },
  filters: {
    q: matchedFilter(
      (name) =>
        text(name, MAX_QUERY_LENGTH, 'Text matched against the ticker, in any case; at most 24 characters'),
      ['coin'],
      {
        name: 'match',
        modes: ['prefix', 'contains'],
        description: 'How q is matched; default prefix',
      },
      (q, { table }, match) => tickerMatches(table, q, match),
    ),
    exchange: matchedFilter(
      (name) => exchanges(name, 'Coins quoted on any of these venues; at most 20'),
      ['exchanges'],
      {
        name: 'exchange_match',
        modes: ['any', 'all'],
        description: 'all requires every one of the venues; default any',
      },
      (wanted, { table }, match) => quotedOn(table, wanted, match),
    ),
    min_venues: atLeast('venue_count', 'Quoted on at least this many venues', {
      min: 0,
      max: MAX_VENUES,
    }),
    min_volume_usdt: atLeast('volume_24h_usdt', 'Lowest 24 h perpetual volume over all venues in USDT'),
  },
  sorts: {
    volume_desc: { column: 'volume_24h_usdt', direction: 'desc' },
    volume_asc: { column: 'volume_24h_usdt', direction: 'asc' },
    change_desc: { column: 'change_24h_pct', direction: 'desc' },
    change_asc: { column: 'change_24h_pct', direction: 'asc' },
    venues_desc: { column: 'venue_count', direction: 'desc' },
    venues_asc: { column: 'venue_count', direction: 'asc' },
    coin_asc: { column: 'coin', direction: 'asc' },
  },
  defaultSort: 'volume_desc',
  ties: ['coin'],
  example: [
    {
      coin: 'PEPE',
      venue_count: 3,
      exchanges: ['Binance', 'Hyperliquid', 'OKX'],
      volume_24h_usdt: 1203448.2,
      change_24h_pct: -2.31,
      funding_url: 'https://perpwire.example/funding/PEPE',
    },
  ],
});

function tickerMatches(table: Table, q: string, match: 'prefix' | 'contains'): RowFilter | null {
  if (q === '') return null;
  const wanted = q.toUpperCase();
  return (row) => {
    const coin = table.text('coin', row);
    return match === 'prefix' ? coin.startsWith(wanted) : coin.includes(wanted);
  };
}

/** Many coins share the same list of venues, so each distinct list is checked once. */
function quotedOn(table: Table, wanted: readonly string[], match: 'any' | 'all'): RowFilter {
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
