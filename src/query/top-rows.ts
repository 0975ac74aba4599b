import { perSnapshot } from '../base/per-snapshot.ts';
import type { ChangedTable } from '../market/tables/changed-table.ts';
import type { Table } from '../market/tables/table.ts';
import { countRows, hasRow, type RowBits } from './row-bits.ts';
import type { RowFilter } from './row-filters.ts';
import { equalsOrder, orderOf, type Sort } from './sorting.ts';
import { type Page, passingRows } from './walk.ts';

/**
 * The same rows as ordering and walking the whole table would find, by a column that the table changes. Walks the order of
 * the base until no later row can be among them. A position counts matching rows, not rows of the order.
 */
export function topRows(
  table: ChangedTable,
  sortName: string,
  sort: Sort,
  tieColumns: readonly string[],
  filters: readonly RowFilter[],
  position: number,
  limit: number,
): Page {
  const kept = passingRows(filters, table.rowCount);
  const total = countRows(kept);
  const end = Math.min(position + limit, total);
  const rows = firstRows(table, sortName, sort, tieColumns, kept, end).slice(position);
  return { rows, next: end < total ? end : null, total };
}

export interface Ranked {
  row: number;
  key: number;
  /** Place in tie-breaking order. */
  place: number;
}

function firstRows(
  table: ChangedTable,
  sortName: string,
  sort: Sort,
  tieColumns: readonly string[],
  kept: RowBits,
  count: number,
): number[] {
  if (count === 0) return [];
  const equals = equalsOrder(table.base, sort, tieColumns);
  const places = placesOf(equals);
  const keyOf = keys(table, sort);
  const { order, leastKey } = boundsOf(table, sortName, sort, tieColumns) ?? {
    order: equals,
    leastKey: null,
  };
  // A heap of the first so far, the last of them on top: most rows are compared with the top only.
  const heap: Ranked[] = [];
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    if (!hasRow(kept, row)) continue;
    const last = heap.length === count ? (heap[0] as Ranked) : null;
    // Bounds only rise from here on.
    if (last && leastKey && leastKey(row) > last.key) break;
    const key = keyOf(row);
    if (last && key > last.key) continue;
    const ranked: Ranked = { row, key, place: places[row] as number };
    if (!last) {
      heap.push(ranked);
      siftUp(heap);
    } else if (isAfter(last, ranked)) {
      heap[0] = ranked;
      siftDown(heap);
    }
  }
  return heap.sort((a, b) => (isAfter(a, b) ? 1 : -1)).map(({ row }) => row);
}

/**
 * The first row of each group, in their order. A row's figure is computed only if its bound says that it can be before the
 * first one so far.
 */
export function firstOfGroups(
  table: ChangedTable,
  sortName: string,
  sort: Sort,
  tieColumns: readonly string[],
  isKept: (row: number) => boolean,
  groupOf: (row: number) => number,
): Ranked[] {
  const equals = equalsOrder(table.base, sort, tieColumns);
  const places = placesOf(equals);
  const keyOf = keys(table, sort);
  const { order, leastKey } = boundsOf(table, sortName, sort, tieColumns) ?? {
    order: equals,
    leastKey: null,
  };
  const first: (Ranked | undefined)[] = [];
  for (let i = 0; i < order.length; i++) {
    const row = order[i] as number;
    if (!isKept(row)) continue;
    const group = groupOf(row);
    const known = first[group];
    if (known && leastKey && leastKey(row) > known.key) continue;
    const ranked: Ranked = { row, key: keyOf(row), place: places[row] as number };
    if (!known || isAfter(known, ranked)) first[group] = ranked;
  }
  return first.filter((ranked) => ranked !== undefined).sort((a, b) => (isAfter(a, b) ? 1 : -1));
}

/** An order of the base, and for each row of it a number that its key is not below; null if none is known. */
function boundsOf(
  table: ChangedTable,
  sortName: string,
  sort: Sort,
  tieColumns: readonly string[],
): { order: Uint32Array; leastKey: (row: number) => number } | null {
  const { base } = table;
  const { maxChange, atMost } = table.changes.get(sort.column) ?? {};
  if (maxChange !== undefined) {
    const keyInBase = keys(base, sort);
    return {
      order: orderOf(base, sortName, sort, tieColumns),
      leastKey: (row) => keyInBase(row) - maxChange,
    };
  }
  if (atMost === undefined || sort.direction === 'asc' || sort.isAbsolute) return null;
  const bound: Sort = { column: atMost, direction: 'desc' };
  return { order: orderOf(base, `at most ${atMost}`, bound, tieColumns), leastKey: keys(base, bound) };
}

/** By key, nulls last, then by tie-breaking order. */
function isAfter(a: Ranked, b: Ranked): boolean {
  if (a.key !== b.key && !(Number.isNaN(a.key) && Number.isNaN(b.key)))
    return Number.isNaN(a.key) || a.key > b.key;
  return a.place > b.place;
}

/** Ascending order of these numbers is the sort. */
function keys(table: Table, { column, direction, isAbsolute }: Sort): (row: number) => number {
  const cell = table.cell(column);
  const sign = direction === 'desc' ? -1 : 1;
  return isAbsolute ? (row) => sign * Math.abs(cell(row)) : (row) => sign * cell(row);
}

/** The inverse of an order: the place of each row. */
const placesOf = perSnapshot((order: Uint32Array): Uint32Array => {
  const places = new Uint32Array(order.length);
  for (let place = 0; place < order.length; place++) places[order[place] as number] = place;
  return places;
});

function siftUp(heap: Ranked[]): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isAfter(heap[at] as Ranked, heap[parent] as Ranked)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown(heap: Ranked[]): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && isAfter(heap[right] as Ranked, heap[left] as Ranked) ? right : left;
    if (!isAfter(heap[child] as Ranked, heap[at] as Ranked)) return;
    swap(heap, at, child);
    at = child;
  }
}

function swap(heap: Ranked[], a: number, b: number): void {
  const held = heap[a] as Ranked;
  heap[a] = heap[b] as Ranked;
  heap[b] = held;
}
