import type { Table } from '../../market/table.ts';
import type { Moment, TableSource } from '../../market/timeline.ts';

/** A table made from another one: made once per moment, on first use, and dropped with it. */
export function derivedSource(
  source: TableSource,
  derive: (table: Table, asOfMs: number) => Table,
  /** Where a maker that has the derived table already may put it, beside the table it belongs to. */
  made = new WeakMap<Table, Moment>(),
): TableSource {
  const derived = (moment: Moment | null): Moment | null => {
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
