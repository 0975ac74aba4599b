import { MINUTE_MS } from '../../../../base/times.ts';
import type { Table } from '../../../../market/tables/table.ts';
import { type Html, html } from '../../markup/html.ts';
import type { Row } from '../../visitor.ts';

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

interface Ages {
  asOfMs: number;
  /** By venue and contract. */
  minutes: ReadonlyMap<string, number>;
}

const keptAges = new WeakMap<Table, Ages>();

/** The ages of rows that are older than a minute, found by venue and contract. */
export function agesOf(table: Table, asOfMs: number): (row: Row) => number | undefined {
  let ages = keptAges.get(table);
  if (ages?.asOfMs !== asOfMs) {
    ages = { asOfMs, minutes: findAges(table, asOfMs) };
    keptAges.set(table, ages);
  }
  const { minutes } = ages;
  if (minutes.size === 0) return () => undefined;
  return ({ exchange, venue_symbol: symbol }) => minutes.get(keyOf(exchange, symbol));
}

function findAges(table: Table, asOfMs: number): Map<string, number> {
  const ages = new Map<string, number>();
  for (const [row, confirmedAtMs] of table.numbers('rate_at_ms').entries()) {
    const minutes = minutesOf(asOfMs - confirmedAtMs);
    if (minutes !== null)
      ages.set(keyOf(table.text('exchange', row), table.text('venue_symbol', row)), minutes);
  }
  return ages;
}

export function ageTag(minutes: number | undefined): Html | null {
  if (minutes === undefined) return null;
  const words = `The venue last confirmed this rate ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} before the time of this page`;
  return html` <span class="tag warn" title="${words}">${minutes}\u00a0min old</span>`;
}
