import type { Session } from '../../market/session.ts';
import type { Table } from '../../market/tables/table.ts';

export interface RankedVenue {
  exchange: string;
  symbol: string;
  rate_pct: number;
  interval_hours: number | null;
}

/** The venue where a position earns most, or costs least. */
interface BestVenue {
  exchange: string;
  /** The position pays there too: no venue pays this side now. */
  wouldPay: boolean;
}

export interface RankingFilter {
  only: readonly string[] | undefined;
  without: readonly string[] | undefined;
  /** Of all the venue's contracts on the coin, whatever their session. */
  minVolumeUsdt: number | undefined;
  session: Session | undefined;
}

export interface CoinRanking {
  /** Rows in the order of `rates`. */
  order: readonly number[];
  venueCount: number;
  highest: RankedVenue | null;
  lowest: RankedVenue | null;
  bestShort: BestVenue | null;
  bestLong: BestVenue | null;
  totalVolumeUsdt: number;
  inverseVenues: readonly string[];
}

/** One venue's linear or inverse contracts on the coin, the largest first. */
interface VenueContracts {
  exchange: string;
  rows: readonly number[];
}

/** Compares one coin's contracts over the venues. Linear contracts are ranked; inverse ones follow unranked. */
export function rankContracts(table: Table, rows: readonly number[], filter: RankingFilter): CoinRanking {
  const rate = table.numbers('rate_pct');
  const interval = table.numbers('interval_hours');
  const volume = table.numbers('volume_24h_usdt');
  const isInverse = table.numbers('is_inverse');
  const at = (column: Float64Array, row: number) => column[row] ?? Number.NaN;
  const exchangeOf = (row: number) => table.text('exchange', row);
  const sumVolume = (list: readonly number[]) => list.reduce((sum, row) => sum + at(volume, row), 0);
  /** By volume, the largest first. Ties are broken by name, so that every order is total. */
  const bySize = (a: number, b: number) =>
    at(volume, b) - at(volume, a) || compareTexts(exchangeOf(a), exchangeOf(b)) || a - b;

  const rowsOfVenues = [...Map.groupBy(rows, exchangeOf)]
    .filter(([exchange, own]) => isWanted(exchange, filter) && sumVolume(own) >= (filter.minVolumeUsdt ?? 0))
    .flatMap(([, own]) => own)
    .filter((row) => filter.session === undefined || table.text('session', row) === filter.session);
  const venuesWith = (inverse: 0 | 1): VenueContracts[] =>
    [
      ...Map.groupBy(
        rowsOfVenues.filter((row) => isInverse[row] === inverse),
        exchangeOf,
      ),
    ]
      .map(([exchange, own]) => ({ exchange, rows: own.toSorted(bySize) }))
      .sort((a, b) => {
        const [first = 0, second = 0] = [a.rows[0], b.rows[0]];
        return at(rate, second) - at(rate, first) || bySize(first, second);
      });
  const linear = venuesWith(0);
  const inverse = venuesWith(1);

  const ranked = linear.flatMap((venue) => venue.rows).toSorted(bySize);
  /** The row with the largest figure; among equals the contract with the largest volume. */
  const first = (candidates: readonly number[], figure: (row: number) => number): number | undefined =>
    candidates.reduce<number | undefined>(
      (best, row) => (best === undefined || figure(row) > figure(best) ? row : best),
      undefined,
    );
  const venueOf = (row: number | undefined): RankedVenue | null => {
    if (row === undefined) return null;
    const hours = at(interval, row);
    return {
      exchange: exchangeOf(row),
      symbol: table.text('symbol', row),
      rate_pct: at(rate, row),
      interval_hours: Number.isNaN(hours) ? null : hours,
    };
  };
  const timed = ranked.filter((row) => at(interval, row) > 0);
  const perHour = (row: number) => at(rate, row) / at(interval, row);
  const bestFor = (received: (row: number) => number): BestVenue | null => {
    const row = first(timed, received);
    return row === undefined ? null : { exchange: exchangeOf(row), wouldPay: received(row) < 0 };
  };

  return {
    order: [...linear, ...inverse].flatMap((venue) => venue.rows),
    venueCount: linear.length,
    highest: venueOf(first(ranked, (row) => at(rate, row))),
    lowest: venueOf(first(ranked, (row) => -at(rate, row))),
    bestShort: bestFor(perHour),
    bestLong: bestFor((row) => -perHour(row)),
    totalVolumeUsdt: Math.round(sumVolume(rowsOfVenues) * 100) / 100,
    inverseVenues: inverse.map((venue) => venue.exchange).sort(compareTexts),
  };
}

function isWanted(exchange: string, { only, without }: RankingFilter): boolean {
  return (only === undefined || only.includes(exchange)) && !without?.includes(exchange);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
