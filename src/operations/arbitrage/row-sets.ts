import { perSnapshot } from '../../base/per-snapshot.ts';
import type { Table } from '../../market/tables/table.ts';
import { type RowBits, setRow, wordsFor } from '../../query/row-bits.ts';
import { orderOf, type Sort } from '../../query/sorting.ts';

/** Number of rows with the highest net_apr_pct that callers with delayed data do not get. */
export const WITHHELD_ROWS = 5;
export const TIES = ['coin', 'long_exchange', 'short_exchange'];
const BEST: Sort = { column: 'net_apr_pct', direction: 'desc' };

/** The rows whose legs settle at the same interval: the same for all tables of a snapshot. */
export function sameIntervalRows(table: Table): RowBits {
  return equalRows(table.numbers('long_interval_hours'), table.numbers('short_interval_hours'));
}

const equalRows = perSnapshot((long: Float64Array, short: Float64Array): RowBits => {
  const rows = new Uint32Array(wordsFor(long.length));
  for (let row = 0; row < long.length; row++) if (long[row] === short[row]) setRow(rows, row);
  return rows;
});

/** The best rows of the whole table at the default figures: chosen before any filter, so that no filter reveals them. */
export const bestRows = perSnapshot(
  (table: Table): ReadonlySet<number> =>
    new Set(orderOf(table, 'net_apr_desc', BEST, TIES).subarray(0, WITHHELD_ROWS)),
);
