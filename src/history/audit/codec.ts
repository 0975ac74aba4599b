import type { Table, TableSpec } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { decodeTable, encodeTable } from '../../market/tables/table-codec.ts';
import type { AuditedSettlement } from './model.ts';

/**
 * Rates are stored as whole numbers of this many to a percent. A decimal fraction fills all eight bytes of a float; a
 * whole number leaves most of them zero, which compress away.
 */
const UNITS_PER_PCT = 1e8;

const column = (name: string, type: 'text' | 'integer' | 'flag', nullable = false) => ({
  name,
  type,
  nullable,
  description: '',
});

/** One venue's settlements of one UTC day. */
const AUDIT_DAY_TABLE: TableSpec = {
  name: 'audit_day',
  columns: [
    column('venue_symbol', 'text'),
    column('minute', 'integer'),
    column('published', 'integer'),
    column('published_seconds_before', 'integer'),
    column('earlier', 'integer', true),
    column('interval_hours', 'integer', true),
    column('is_accrual', 'flag'),
    column('print', 'integer', true),
    column('previous_print', 'integer', true),
    column('gap_minutes', 'integer', true),
    column('delay_seconds', 'integer', true),
  ],
};

/** A rate as it is stored and read back. */
export function storedPct(ratePct: number): number {
  return Math.round(ratePct * UNITS_PER_PCT) / UNITS_PER_PCT;
}

export function encodeDay(settlements: readonly AuditedSettlement[]): Uint8Array {
  const units = (ratePct: number | null) => (ratePct === null ? null : Math.round(ratePct * UNITS_PER_PCT));
  const builder = new TableBuilder(AUDIT_DAY_TABLE);
  // By contract, then time: neighbouring values are alike, which compresses better than the order of arrival.
  const sorted = settlements.toSorted((a, b) =>
    a.venueSymbol === b.venueSymbol ? a.minute - b.minute : a.venueSymbol < b.venueSymbol ? -1 : 1,
  );
  for (const one of sorted)
    builder.add({
      venue_symbol: one.venueSymbol,
      minute: one.minute,
      published: units(one.publishedPct),
      published_seconds_before: one.publishedSecondsBefore,
      earlier: units(one.earlierPct),
      interval_hours: one.intervalHours,
      is_accrual: one.isAccrual,
      print: units(one.printPct),
      previous_print: units(one.previousPrintPct),
      gap_minutes: one.gapMinutes,
      delay_seconds: one.delaySeconds,
    });
  return encodeTable(builder.build());
}

/** Empty when the block is damaged or another version wrote it: a lost day of the audit must not stop the engine. */
export function decodeDay(block: Uint8Array): AuditedSettlement[] {
  let table: Table | null;
  try {
    table = decodeTable(block, AUDIT_DAY_TABLE);
  } catch {
    return [];
  }
  return table ? settlementsOf(table) : [];
}

function settlementsOf(table: Table): AuditedSettlement[] {
  const numbers = (name: string) => {
    const data = table.numbers(name);
    return (row: number) => data[row] ?? Number.NaN;
  };
  const orNull = (value: number) => (Number.isNaN(value) ? null : value);
  const rate = (value: number) => (Number.isNaN(value) ? null : value / UNITS_PER_PCT);
  const [minute, published, secondsBefore, earlier] = [
    numbers('minute'),
    numbers('published'),
    numbers('published_seconds_before'),
    numbers('earlier'),
  ];
  const [interval, isAccrual, print, previous] = [
    numbers('interval_hours'),
    numbers('is_accrual'),
    numbers('print'),
    numbers('previous_print'),
  ];
  const [gap, delay] = [numbers('gap_minutes'), numbers('delay_seconds')];
  return Array.from({ length: table.rowCount }, (_, row) => ({
    venueSymbol: table.text('venue_symbol', row),
    minute: minute(row),
    publishedPct: published(row) / UNITS_PER_PCT,
    publishedSecondsBefore: secondsBefore(row),
    earlierPct: rate(earlier(row)),
    intervalHours: orNull(interval(row)),
    isAccrual: isAccrual(row) === 1,
    printPct: rate(print(row)),
    previousPrintPct: rate(previous(row)),
    gapMinutes: orNull(gap(row)),
    delaySeconds: orNull(delay(row)),
  }));
}
