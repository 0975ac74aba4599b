import type { Table } from '../market/tables/table.ts';

/** What requests have needed of a table so far that takes milliseconds to compute. */
export interface Asked {
  /** Names of orders. */
  orders: Set<string>;
  /** Number columns with a bound. */
  columns: Set<string>;
}

const asked = new WeakMap<Table, Asked>();

export function askedOf(table: Table): Asked {
  let known = asked.get(table);
  if (!known) {
    known = { orders: new Set(), columns: new Set() };
    asked.set(table, known);
  }
  return known;
}
