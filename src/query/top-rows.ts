import type { Table } from '../market/table.ts';
import type { RowBits } from './row-bits.ts';
import { countRows, hasRow } from './row-bits.ts';
import type { RowFilter } from './row-filters.ts';
import { keysOf, type Sort } from './sorting.ts';
import { keptRows, type Page } from './walk.ts';

/**
 * The same rows as `orderOf` and `walk` find, without ordering the whole table: for a table that serves one request.
 * `ties` has all rows in tie-breaking order. A position counts matching rows, not rows of the order.
 */
export function topRows(
  table: Table,
  sort: Sort,
  ties: Uint32Array,
  filters: readonly RowFilter[],
  position: number,
  limit: number,
): Page {
  const kept = keptRows(filters, table.rowCount);
  const total = countRows(kept);
  const keys = keysOf(table, sort);
  const best = bestRows(keys, ties, kept, position + limit);
  const end = Math.min(best.length, position + limit);
  return { rows: best.slice(position, end), next: end < total ? end : null, total };
}

/** The first `count` of the kept rows by key, then by their order in `rows`. NaN comes last. */
function bestRows(keys: Float64Array, rows: Uint32Array, kept: RowBits, count: number): number[] {
  // A heap of the best so far, the worst on top: most rows are compared with the top only.
  const heap: number[] = [];
  const places = placesOf(rows);
  const isAfter = (a: number, b: number) => {
    const [keyA, keyB] = [keys[a] as number, keys[b] as number];
    if (keyA !== keyB && !(Number.isNaN(keyA) && Number.isNaN(keyB)))
      return Number.isNaN(keyA) || keyA > keyB;
    return (places[a] as number) > (places[b] as number);
  };
  for (let row = 0; row < keys.length; row++) {
    if (!hasRow(kept, row)) continue;
    if (heap.length < count) {
      heap.push(row);
      siftUp(heap, isAfter);
    } else if (count > 0 && isAfter(heap[0] as number, row)) {
      heap[0] = row;
      siftDown(heap, isAfter);
    }
  }
  return heap.sort((a, b) => (isAfter(a, b) ? 1 : -1));
}

const knownPlaces = new WeakMap<Uint32Array, Uint32Array>();

/** The inverse of an order: the place of each row. */
function placesOf(order: Uint32Array): Uint32Array {
  let places = knownPlaces.get(order);
  if (!places) {
    places = new Uint32Array(order.length);
    for (let place = 0; place < order.length; place++) places[order[place] as number] = place;
    knownPlaces.set(order, places);
  }
  return places;
}

function siftUp(heap: number[], isAfter: (a: number, b: number) => boolean): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isAfter(heap[at] as number, heap[parent] as number)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown(heap: number[], isAfter: (a: number, b: number) => boolean): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const child = right < heap.length && isAfter(heap[right] as number, heap[left] as number) ? right : left;
    if (!isAfter(heap[child] as number, heap[at] as number)) return;
    swap(heap, at, child);
    at = child;
  }
}

function swap(heap: number[], a: number, b: number): void {
  const held = heap[a] as number;
  heap[a] = heap[b] as number;
  heap[b] = held;
}
