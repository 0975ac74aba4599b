import type { Table } from '../../market/tables/table.ts';
import type { TableSnapshot, TableSource } from '../../market/timeline.ts';

/** A table derived from another one: computed once per snapshot, on first use, and dropped together with it. */
export function derivedSource(
  source: TableSource,
  derive: (table: Table, asOfMs: number) => Table,
  /** Derived snapshots by source table. A caller that already has one can add it here. */
  cache = new WeakMap<Table, TableSnapshot>(),
): TableSource {
  const derived = (snapshot: TableSnapshot | null): TableSnapshot | null => {
    if (!snapshot) return null;
    let known = cache.get(snapshot.table);
    if (!known) {
      known = { asOfMs: snapshot.asOfMs, table: derive(snapshot.table, snapshot.asOfMs) };
      cache.set(snapshot.table, known);
    }
    return known;
  };
  return {
    at: (delaySeconds, nowMs) => derived(source.at(delaySeconds, nowMs)),
    exactly: (asOfMs) => derived(source.exactly(asOfMs)),
    after: (asOfMs, delaySeconds, nowMs) => source.after(asOfMs, delaySeconds, nowMs),
    ...(source.fetch ? { fetch: source.fetch } : {}),
  };
}
