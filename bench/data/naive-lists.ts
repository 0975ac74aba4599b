import { isoTime } from '../../src/base/times.ts';
import { pairRows } from './arbitrage.ts';
import type { Endpoint, Query } from './queries.ts';
import { AS_OF_MS, fundingRows, type Row, spreadRows } from './tables.ts';

const PAGE_ROWS = 100;
const COLUMN_OF: Readonly<Record<string, string>> = {
  rate: 'rate_pct',
  apr: 'apr_pct',
  volume: 'volume_24h_usdt',
  spread: 'spread_pct',
  net_apr: 'net_apr_pct',
  expected_net: 'expected_net_apr_pct',
  expected_7d: 'expected_carry_7d_pct',
};

const ROWS: Readonly<Record<Endpoint, () => Row[]>> = {
  funding: fundingRows,
  spreads: spreadRows,
  arbitrage: () => pairRows(AS_OF_MS),
};
const DEFAULT_SORTS: Readonly<Record<Exclude<Endpoint, 'funding'>, string>> = {
  spreads: 'spread_desc',
  arbitrage: 'net_apr_desc',
};

/** The naive way to answer a query: filters, sorts and serialises objects for each request. */
export function naiveList(endpoint: Endpoint): (query: Query) => string {
  const isTime = (name: string) => name.endsWith('_at') || /_at_[ab]$/.test(name);
  const published = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        isTime(name) && typeof value === 'number' ? isoTime(value) : value,
      ]),
    );
  const all = ROWS[endpoint]().map(published);
  return (query) => {
    const found = all.filter((row) =>
      Object.entries(query).every(([name, value]) => passes(row, name, value)),
    );
    const data = found.sort(comparing(endpoint, query.sort ?? null)).slice(0, PAGE_ROWS);
    const meta = { as_of: isoTime(AS_OF_MS), count: data.length, total: found.length };
    return JSON.stringify({ data, meta });
  };
}

function passes(row: Row, name: string, value: string): boolean {
  const listed = value.split(',');
  const venues = [row.exchange, row.exchange_a, row.exchange_b, row.long_exchange, row.short_exchange];
  if (name === 'coin') return listed.includes(String(row.coin));
  if (name === 'exchange') return listed.some((venue) => venues.includes(venue));
  if (name === 'exclude_exchange') return !listed.some((venue) => venues.includes(venue));
  if (name === 'interval_hours') return listed.includes(String(row.interval_hours));
  if (name === 'direction') return row.direction === value;
  const [, bound, column = ''] = /^(min|max)_(.+)$/.exec(name) ?? [];
  if (bound === undefined) return true;
  return cellsOf(row, column).every(
    (cell) => typeof cell === 'number' && (bound === 'min' ? cell >= Number(value) : cell <= Number(value)),
  );
}

function cellsOf(row: Row, column: string): Row[string][] {
  if (column === 'abs_rate_pct') return [Math.abs(Number(row.rate_pct))];
  if (column === 'volume_usdt')
    return 'volume_a_usdt' in row
      ? [row.volume_a_usdt ?? null, row.volume_b_usdt ?? null]
      : [row.volume_usdt ?? row.volume_24h_usdt ?? null];
  return [row[column] ?? null];
}

function comparing(endpoint: Endpoint, sort: string | null): (a: Row, b: Row) => number {
  const usual = endpoint === 'funding' ? '' : DEFAULT_SORTS[endpoint];
  const [, name = '', direction] = /^(\w+)_(asc|desc)$/.exec(sort ?? usual) ?? [];
  const size = (row: Row): number => {
    if (sort === null && endpoint === 'funding') return Math.abs(Number(row.rate_pct));
    if (name === 'volume' && endpoint === 'spreads')
      return Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));
    if (name === 'volume' && endpoint === 'arbitrage') return Number(row.volume_usdt);
    return Number(row[COLUMN_OF[name] ?? name]);
  };
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => sign * (size(a) - size(b));
}
