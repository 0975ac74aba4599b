import fc from 'fast-check';
import type { Cell, Table, TableSpec } from '../../src/market/tables/table.ts';
import { TableBuilder } from '../../src/market/tables/table-builder.ts';

export type Row = Record<string, Cell>;

/** Every column type, nullable where it can be; few distinct values, so that ties and matches are common. */
export const MIXED_TABLE: TableSpec = {
  name: 'mixed',
  columns: [
    { name: 'exchange_a', type: 'text', nullable: false, description: '' },
    { name: 'exchange_b', type: 'text', nullable: false, description: '' },
    { name: 'note', type: 'text', nullable: true, description: '' },
    { name: 'rate', type: 'number', nullable: false, description: '' },
    { name: 'sum', type: 'number', nullable: true, description: '' },
    { name: 'hours', type: 'integer', nullable: true, description: '' },
    { name: 'is_inverse', type: 'flag', nullable: false, description: '' },
    { name: 'at', type: 'time', nullable: true, description: '' },
  ],
};

const VENUE_NAMES = ['Aster', 'Binance', 'OKX', 'dYdX'];
const NOTES = ['', 'a', 'B', 'Ä', '"', '__proto__'];
const NUMBERS = [-2, -0.5, -0.01, 0, 0.01, 0.5, 2, 1e-9, 1e12];
const TIMES_MS = [0, 60_000, 61_001, 3_600_000].map((offsetMs) => Date.UTC(2026, 10, 14) + offsetMs);

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3, nil: null });

export const mixedRow: fc.Arbitrary<Row> = fc.record({
  exchange_a: fc.constantFrom(...VENUE_NAMES),
  exchange_b: fc.constantFrom(...VENUE_NAMES),
  note: orNull(fc.constantFrom(...NOTES)),
  rate: fc.constantFrom(...NUMBERS),
  sum: orNull(fc.constantFrom(...NUMBERS)),
  hours: orNull(fc.constantFrom(1, 4, 8)),
  is_inverse: fc.boolean(),
  at: orNull(fc.constantFrom(...TIMES_MS)),
});

/** Mostly absent: a query with all filters at once would match no row and so test nothing. */
export const sometimes = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

export const bound = sometimes(fc.constantFrom(...NUMBERS, 0.3, -0.3));
export const timeBound = sometimes(fc.constantFrom(...TIMES_MS));
export const noteList = sometimes(fc.subarray(NOTES));
export const venueList = sometimes(fc.subarray(VENUE_NAMES, { minLength: 1 }));
/** `size` because fast-check keeps lists short otherwise, and short lists have no second page. */
export const mixedRows = fc.array(mixedRow, { maxLength: 60, size: 'max' });

export function tableOf(spec: TableSpec, rows: readonly Row[]): Table {
  const builder = new TableBuilder(spec);
  for (const row of rows) builder.add(row);
  return builder.build();
}
