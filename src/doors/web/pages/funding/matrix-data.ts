import { MINUTE_MS } from '../../../../base/times.ts';
import type { Table } from '../../../../market/tables/table.ts';
import type { MatchedRows } from '../../../../operations/operation.ts';
import type { VenueTimes } from '../../../../venues/health.ts';
import { type BestCarry, bestCarry, type CarryLeg } from './best-carry.ts';
import { OLD_MS, oldMinutes } from './row-age.ts';

/** One contract in the matrix: of its coin and venue, the linear one with the largest volume. */
export interface MatrixCell extends CarryLeg {
  row: number;
  intervalHours: number;
}

export interface MatrixVenue {
  exchange: string;
  /** The interval of most of its contracts in the matrix; null if it has none. */
  intervalHours: number | null;
  volumeUsdt: number;
  /** How late its data is, in minutes; null if it is on time. */
  lateMinutes: number | null;
}

export interface MatrixCoin {
  coin: string;
  volumeUsdt: number;
  /** Of the contracts in the cells; null if no venue says it. */
  openInterestUsdt: number | null;
  cells: ReadonlyMap<string, MatrixCell>;
  best: BestCarry | null;
}

export interface Matrix {
  table: Table;
  coins: readonly MatrixCoin[];
  venues: readonly MatrixVenue[];
}

/** How late the venue's data was at the time of the snapshot; null if it was on time. */
export function lateMinutes(venue: VenueTimes | undefined, asOfMs: number): number | null {
  if (!venue || venue.lastGoodAtMs === null) return null;
  const ageMs = asOfMs - venue.lastGoodAtMs;
  return ageMs > OLD_MS ? Math.round(ageMs / MINUTE_MS) : null;
}

/** Coins by venues from the contracts that match the filters. Price outliers are other coins and are left out. */
export function matrixOf(
  { table, rows }: MatchedRows,
  asOfMs: number,
  times: readonly VenueTimes[],
  shownVenues: readonly string[],
): Matrix {
  const late = new Map(times.map((one) => [one.exchange, lateMinutes(one, asOfMs)]));
  const shown = new Set(shownVenues);
  const coins = new Map<string, Map<string, MatrixCell>>();
  const venueVolumes = new Map<string, number>();
  const intervals = new Map<string, Map<number, number>>();
  const [rate, hours, volume] = ['rate_pct', 'interval_hours', 'volume_24h_usdt'].map((name) =>
    table.numbers(name),
  );
  const openInterest = table.numbers('open_interest_usdt');
  const [isInverse, isOutlier] = ['is_inverse', 'price_outlier'].map((name) => table.numbers(name));
  for (const row of rows) {
    const intervalHours = hours?.[row] ?? Number.NaN;
    if (isInverse?.[row] === 1 || isOutlier?.[row] === 1 || Number.isNaN(intervalHours)) continue;
    const exchange = table.text('exchange', row);
    if (!shown.has(exchange)) continue;
    const coin = table.text('coin', row);
    const volumeUsdt = volume?.[row] ?? 0;
    const cells = coins.get(coin) ?? new Map<string, MatrixCell>();
    coins.set(coin, cells);
    const known = cells.get(exchange);
    if (known && known.volumeUsdt >= volumeUsdt) continue;
    const perHourPct = (rate?.[row] ?? 0) / intervalHours;
    const old = late.get(exchange) ?? oldMinutes(table, row, asOfMs);
    cells.set(exchange, { row, perHourPct, intervalHours, volumeUsdt, oldMinutes: old });
  }
  const made = [...coins].map(([coin, cells]) => {
    let volumeUsdt = 0;
    let openInterestUsdt: number | null = null;
    for (const [exchange, cell] of cells) {
      volumeUsdt += cell.volumeUsdt;
      const open = openInterest[cell.row] ?? Number.NaN;
      if (!Number.isNaN(open)) openInterestUsdt = (openInterestUsdt ?? 0) + open;
      venueVolumes.set(exchange, (venueVolumes.get(exchange) ?? 0) + cell.volumeUsdt);
      const counts = intervals.get(exchange) ?? new Map<number, number>();
      counts.set(cell.intervalHours, (counts.get(cell.intervalHours) ?? 0) + 1);
      intervals.set(exchange, counts);
    }
    return { coin, cells, volumeUsdt, openInterestUsdt, best: bestCarry(cells) };
  });
  const venues = shownVenues
    .filter((exchange) => venueVolumes.has(exchange) || (late.get(exchange) ?? null) !== null)
    .map((exchange) => ({
      exchange,
      intervalHours: mostFrequent(intervals.get(exchange)),
      volumeUsdt: venueVolumes.get(exchange) ?? 0,
      lateMinutes: late.get(exchange) ?? null,
    }))
    .sort((a, b) => b.volumeUsdt - a.volumeUsdt || a.exchange.localeCompare(b.exchange));
  return { table, coins: made, venues };
}

function mostFrequent(counts: ReadonlyMap<number, number> | undefined): number | null {
  let best: number | null = null;
  for (const [value, count] of counts ?? [])
    if (best === null || count > (counts?.get(best) ?? 0)) best = value;
  return best;
}

type Figure = (coin: MatrixCoin) => number | null;

const FIGURES: Readonly<Record<string, Figure>> = {
  volume: ({ volumeUsdt }) => volumeUsdt,
  carry: ({ best }) => best?.aprPct ?? null,
  open_interest: ({ openInterestUsdt }) => openInterestUsdt,
};
const BY_NAME = 'coin_asc';

/** `carry_desc`: a figure, or the rate on a venue, and a direction. Null for orders that the matrix does not have. */
function orderOf(sort: string): { figure: Figure; isAscending: boolean } | null {
  const [, name = '', direction] = /^(\w+)_(asc|desc)$/.exec(sort) ?? [];
  const atVenue: Figure = ({ cells }) => cells.get(name)?.perHourPct ?? null;
  const figure = Object.hasOwn(FIGURES, name) ? FIGURES[name] : atVenue;
  return figure && name !== '' ? { figure, isAscending: direction === 'asc' } : null;
}

/** The order of the coins; unknown names, such as orders of the table, count as the volume. */
export function matrixSort(name: string | undefined, venues: readonly string[]): string {
  const [, what = ''] = /^(\w+)_(?:asc|desc)$/.exec(name ?? '') ?? [];
  const isKnown = name === BY_NAME || Object.hasOwn(FIGURES, what) || venues.includes(what);
  return name !== undefined && isKnown ? name : 'volume_desc';
}

/** Starred coins come first. Coins without the figure come last in both directions. */
export function sortedCoins(
  { coins }: Pick<Matrix, 'coins'>,
  sort: string,
  stars: ReadonlySet<string> = new Set(),
): MatrixCoin[] {
  const order = sort === BY_NAME ? null : orderOf(sort);
  return coins.toSorted((a, b) => {
    const [first, second] = [order?.figure(a) ?? null, order?.figure(b) ?? null];
    const isUnknown = Number(first === null) - Number(second === null);
    const difference = first === null || second === null ? 0 : first - second;
    return (
      Number(stars.has(b.coin)) - Number(stars.has(a.coin)) ||
      isUnknown ||
      (order?.isAscending ? difference : -difference) ||
      a.coin.localeCompare(b.coin)
    );
  });
}
