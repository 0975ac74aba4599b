import { MINUTE_MS } from '../../../../base/times.ts';
import type { Table } from '../../../../market/tables/table.ts';
import type { Row } from '../../layout/visitor.ts';
import { type Html, html } from '../../markup/html.ts';

/** From this age on a page shows how old a number is. */
export const OLD_MS = MINUTE_MS;

/** Minutes for which a venue had not confirmed a rate at the time of the snapshot; null up to one minute. */
export function oldMinutes(table: Table, row: number, asOfMs: number): number | null {
  return minutesOf(asOfMs - (table.numbers('rate_at_ms')[row] ?? Number.NaN));
}

/** An age that is not known, from a snapshot of an earlier version, is none. */
function minutesOf(ageMs: number): number | null {
  return ageMs > OLD_MS ? Math.max(1, Math.round(ageMs / MINUTE_MS)) : null;
}

const keyOf = (exchange: unknown, venueSymbol: unknown) => `${exchange} ${venueSymbol}`;

/** The ages of rows that are older than a minute, found by venue and contract. */
export function agesOf(table: Table, asOfMs: number): (row: Row) => number | undefined {
  const confirmedAtMs = table.numbers('rate_at_ms');
  const ages = new Map<string, number>();
  for (let row = 0; row < table.rowCount; row++) {
    const minutes = minutesOf(asOfMs - (confirmedAtMs[row] ?? Number.NaN));
    if (minutes !== null)
      ages.set(keyOf(table.text('exchange', row), table.text('venue_symbol', row)), minutes);
  }
  return ({ exchange, venue_symbol: symbol }) => ages.get(keyOf(exchange, symbol));
}

export function ageTag(minutes: number | undefined): Html | null {
  if (minutes === undefined) return null;
  const ago = `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}`;
  const words = `The venue last confirmed this rate ${ago} before the time of this page`;
  return html` <span class="tag warn" title="${words}">${minutes}\u00a0min old</span>`;
}
