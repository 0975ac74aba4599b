import type { Table } from '../../market/tables/table.ts';
import { type RowBits, setRow, wordsFor } from '../../query/row-bits.ts';
import { orderOf, type Sort } from '../../query/sorting.ts';

/** Number of rows with the highest net_apr_pct that callers with delayed data do not get. */
export const WITHHELD_ROWS = 5;
export const TIES = ['coin', 'long_exchange', 'short_exchange'];
const BEST: Sort = { column: 'net_apr_pct', direction: 'desc' };

const sameIntervals = new WeakMap<Float64Array, RowBits>();

/** The rows whose legs settle at the same interval; found once per snapshot. */
export function sameIntervalRows(table: Table): RowBits {
  const [long, short] = [table.numbers('long_interval_hours'), table.numbers('short_interval_hours')];
  let rows = sameIntervals.get(long);
  if (!rows) {
    rows = new Uint32Array(wordsFor(table.rowCount));
    for (let row = 0; row < table.rowCount; row++) if (long[row] === short[row]) setRow(rows, row);
    sameIntervals.set(long, rows);
  }
  return rows;
}

const best = new WeakMap<Table, ReadonlySet<number>>();

/** The best rows of the whole table at the default figures: chosen before any filter, so that no filter reveals them. */
export function bestRows(table: Table): ReadonlySet<number> {
  let rows = best.get(table);
  if (!rows) {
    rows = new Set(orderOf(table, 'net_apr_desc', BEST, TIES).subarray(0, WITHHELD_ROWS));
    best.set(table, rows);
  }
  return rows;
}
