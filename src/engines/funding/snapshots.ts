import type { Table } from '../../market/table.ts';
import type { TableSnapshot, TableSource } from '../../market/timeline.ts';

/** A table made from another one: made once per moment, on first use, and dropped with it. */
export function derivedSource(
  source: TableSource,
  derive: (table: Table, asOfMs: number) => Table,
  /** Where a maker that has the derived table already may put it, beside the table it belongs to. */
  made = new WeakMap<Table, TableSnapshot>(),
): TableSource {
  const derived = (moment: TableSnapshot | null): TableSnapshot | null => {
    if (!moment) return null;
    let known = made.get(moment.table);
    if (!known) {
      known = { asOfMs: moment.asOfMs, table: derive(moment.table, moment.asOfMs) };
      made.set(moment.table, known);
    }
    return known;
  };
  return {
    at: (delaySeconds, nowMs) => derived(source.at(delaySeconds, nowMs)),
    exactly: (asOfMs) => derived(source.exactly(asOfMs)),
  };
}
