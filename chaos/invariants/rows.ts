import { isoTime } from '../../src/base/times.ts';
import { ALLOWED_INTERVALS_HOURS } from '../../src/market/interval.ts';
import { maxRatePct } from '../../src/market/limits.ts';
import type { Venue } from '../../src/venues/venue.ts';

export interface FundingRow {
  exchange: string;
  venue_symbol: string;
  coin: string;
  rate_pct: number;
  interval_hours: number | null;
  next_funding_at: string | null;
  volume_24h_usdt: number | null;
  mark_price: number | null;
  last_funding_at: string | null;
}

interface RowsContext {
  asOfMs: number;
  venueOf(exchange: string): Venue | undefined;
  /** Whether the venue has shown this rate of the contract while a row may live; null: unknown. */
  hasShown(exchange: string, venueSymbol: string, ratePct: number): boolean | null;
  /** Whether the venue has listed the contract as trading while a row may live. */
  isTraded(exchange: string, venueSymbol: string): boolean;
}

/** Checks each row of /funding: its bounds, and that the venue has shown this rate within the life of a row. */
export function wrongRows(rows: readonly FundingRow[], context: RowsContext): string[] {
  const violations: string[] = [];
  const seen = new Set<string>();
  for (const row of rows) {
    const name = `${row.exchange} ${row.venue_symbol}`;
    const fail = (why: string) => violations.push(`row out of bounds: ${name}: ${why}`);
    if (seen.has(name)) fail('the row is there twice');
    seen.add(name);
    const venue = context.venueOf(row.exchange);
    if (!venue) {
      fail('this venue is not watched');
      continue;
    }
    if (!context.isTraded(row.exchange, row.venue_symbol)) fail('the venue does not trade this contract');
    if (Math.abs(row.rate_pct) > maxRatePct(venue, row.interval_hours) * (1 + 1e-9))
      fail(`a rate of ${row.rate_pct} % is above the cap`);
    const hours: readonly number[] = ALLOWED_INTERVALS_HOURS;
    if (row.interval_hours !== null && !hours.includes(row.interval_hours))
      fail(`an interval of ${row.interval_hours} h`);
    if (row.next_funding_at !== null && Date.parse(row.next_funding_at) <= context.asOfMs)
      fail(`next_funding_at ${row.next_funding_at} is not after as_of ${isoTime(context.asOfMs)}`);
    if (row.last_funding_at !== null && Date.parse(row.last_funding_at) > context.asOfMs)
      fail(`last_funding_at ${row.last_funding_at} is after as_of ${isoTime(context.asOfMs)}`);
    if (row.volume_24h_usdt !== null && !(row.volume_24h_usdt >= 0))
      fail(`a volume of ${row.volume_24h_usdt}`);
    if (row.mark_price !== null && !(row.mark_price > 0)) fail(`a mark price of ${row.mark_price}`);
    if (context.hasShown(row.exchange, row.venue_symbol, row.rate_pct) === false)
      fail(`the venue has not shown a rate of ${row.rate_pct} %`);
  }
  return violations;
}

/** Checks that every contract which must have a row has one. */
export function missingRows(
  rows: readonly FundingRow[],
  due: readonly { exchange: string; venueSymbol: string }[],
): string[] {
  const shown = new Set(rows.map((row) => `${row.exchange} ${row.venue_symbol}`));
  return due.flatMap(({ exchange, venueSymbol }) =>
    shown.has(`${exchange} ${venueSymbol}`) ? [] : [`missing row: ${exchange} ${venueSymbol}`],
  );
}
