import { isoTime } from '../../src/base/times.ts';
import { breakEvenHours } from '../../src/engines/arbitrage/payments.ts';
import { DEFAULT_VIEW } from '../../src/engines/arbitrage/source.ts';
import type { Cell } from '../../src/market/tables/table.ts';
import { rowObject } from '../../src/operations/answer/answer.ts';
import { benchArbitrage } from './arbitrage-tables.ts';
import { AS_OF_MS, fundingRows, type Row, spreadRows } from './rest-tables.ts';

const PAGE_ROWS = 100;
const TIMES = new Set([
  'next_funding_at',
  'last_funding_at',
  'next_funding_at_a',
  'next_funding_at_b',
  'updated_at',
]);
const COLUMN_OF: Record<string, string> = {
  net_apr: 'net_apr_pct',
  realised_7d: 'realised_7d_pct',
  capacity: 'capacity_usd',
  rate: 'rate_pct',
  apr: 'apr_pct',
  volume: 'volume_24h_usdt',
  spread: 'spread_pct',
};

type NaiveEndpoint = 'funding' | 'spreads' | 'arbitrage';

function arbitrageRows(): Row[] {
  const source = benchArbitrage();
  const snapshot = source.at(0, AS_OF_MS);
  if (!snapshot) throw new Error('no rows');
  const table = source.view(snapshot, DEFAULT_VIEW);
  return Array.from(
    { length: table.rowCount },
    (_, row) => rowObject({ table, numbers: [], columns: null }, row) as Row,
  );
}

/** The row at the caller's own fees. */
function withFees(row: Row, sent: string): Row {
  const own = new Map(sent.split(',').map((entry) => entry.split(':') as [string, string]));
  const usual = Number(row.fee_pct_round_trip) / 4;
  const feeOf = (venue: unknown) => Number(own.get(String(venue)) ?? usual);
  const fee = 2 * (feeOf(row.long_exchange) + feeOf(row.short_exchange));
  const carry = Number(row.carry_pct_day);
  const cost = fee - Number(row.entry_spread_pct) - Number(row.exit_spread_pct);
  const scheduleOf = (leg: 'long' | 'short') => ({
    ratePct: Number(row[`${leg}_rate_pct`]),
    intervalHours: Number(row[`${leg}_interval_hours`]),
    nextAtMs: Date.parse(String(row[`${leg}_next_funding_at`])),
  });
  return {
    ...row,
    fee_pct_round_trip: fee,
    cost_pct_round_trip: cost,
    break_even_hours: breakEvenHours(cost, scheduleOf('long'), scheduleOf('short'), AS_OF_MS),
    net_apr_pct: ((carry * 30 - cost) / 30) * 365,
  };
}

/** Answers the same queries the naive way: filters, sorts and serialises the objects for each request. */
export function naiveAnswers(): (endpoint: NaiveEndpoint, query: URLSearchParams) => string {
  const published = (row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        TIMES.has(name) && typeof value === 'number' ? isoTime(value) : value,
      ]),
    );
  const makers = {
    funding: () => fundingRows().map(published),
    spreads: () => spreadRows().map(published),
    arbitrage: arbitrageRows,
  };
  const made = new Map<NaiveEndpoint, Row[]>();
  return (endpoint, query) => {
    const fees = query.get('fees');
    const all = made.get(endpoint) ?? makers[endpoint]();
    made.set(endpoint, all);
    const rows = fees === null ? all : all.map((row) => withFees(row, fees));
    const kept = rows.filter((row) => passes(row, query));
    const sorted = kept.sort(comparing(endpoint, query.get('sort')));
    const data = sorted.slice(0, PAGE_ROWS);
    const meta = {
      as_of: isoTime(AS_OF_MS),
      delayed_seconds: 0,
      source: 'naive',
      count: data.length,
      total: kept.length,
    };
    return JSON.stringify({ data, meta });
  };
}

function passes(row: Row, query: URLSearchParams): boolean {
  for (const [name, value] of query) {
    const listed = () => value.split(',');
    if (name === 'coin' && !listed().includes(String(row.coin))) return false;
    if (name === 'exchange' && !listed().some((venue) => venuesOf(row).includes(venue))) return false;
    if (name === 'exclude_exchange' && listed().some((venue) => venuesOf(row).includes(venue))) return false;
    if (name === 'interval_hours' && !listed().includes(String(row.interval_hours))) return false;
    if (name === 'direction' && row.direction !== value) return false;
    if (name === 'same_interval' && row.long_interval_hours !== row.short_interval_hours) return false;
    const bound = /^(min|max)_(.+)$/.exec(name);
    if (
      bound &&
      !cellsOf(row, bound[2] ?? '').every((cell) => isWithin(cell, bound[1] === 'min', Number(value)))
    )
      return false;
  }
  return true;
}

function venuesOf(row: Row): Cell[] {
  if ('long_exchange' in row) return [row.long_exchange, row.short_exchange] as Cell[];
  return [row.exchange ?? null, row.exchange_a ?? null, row.exchange_b ?? null];
}

function cellsOf(row: Row, name: string): (Cell | undefined)[] {
  if (name === 'abs_rate_pct') return [Math.abs(Number(row.rate_pct))];
  if (name === 'volume_usdt' && !('volume_usdt' in row))
    return 'volume_a_usdt' in row ? [row.volume_a_usdt, row.volume_b_usdt] : [row.volume_24h_usdt];
  return [row[name]];
}

function isWithin(cell: Cell | undefined, isMin: boolean, limit: number): boolean {
  return typeof cell === 'number' && (isMin ? cell >= limit : cell <= limit);
}

function comparing(endpoint: NaiveEndpoint, sort: string | null): (a: Row, b: Row) => number {
  const [, name = '', direction] =
    /^(\w+)_(asc|desc)$/.exec(sort ?? (endpoint === 'arbitrage' ? 'net_apr_desc' : 'spread_desc')) ?? [];
  const size = (row: Row): number => {
    if (sort === null && endpoint === 'funding') return Math.abs(Number(row.rate_pct));
    if (name === 'volume' && endpoint === 'spreads')
      return Math.min(Number(row.volume_a_usdt), Number(row.volume_b_usdt));
    return Number(row[COLUMN_OF[name] ?? name]);
  };
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => sign * (size(a) - size(b));
}
