import { type FastFilter, narrowOneByOne, type RowFilter } from './filters.ts';

export interface Page {
  rows: readonly number[];
  /** Where the next page starts in the order; null when this was the last. */
  next: number | null;
  /** How many rows match in all, on whatever page. */
  total: number;
}

/** The rows of one page, found by walking the order from a position until it is full. */
export function walk(
  order: Uint32Array,
  filters: readonly RowFilter[],
  position: number,
  limit: number,
): Page {
  if (filters.length === 0) {
    const end = Math.min(position + limit, order.length);
    const next = end < order.length ? end : null;
    return { rows: [...order.subarray(position, end)], next, total: order.length };
  }
  const { isKept } = scratchFor(order.length);
  const total = markKept(filters, order.length);
  const rows: number[] = [];
  let next: number | null = null;
  for (let i = position; i < order.length; i++) {
    const row = order[i] as number;
    if (isKept[row] === 0) continue;
    if (rows.length === limit) {
      next = i;
      break;
    }
    rows.push(row);
    if (rows.length === total) break;
  }
  isKept.fill(0, 0, order.length);
  return { rows, next, total };
}

/**
 * Marks the rows that pass all filters; says how many. The filter that leaves fewest lists them. Each other one either
 * narrows that list or takes the marks off what it drops, whichever is less to look at.
 */
function markKept(filters: readonly RowFilter[], rowCount: number): number {
  const { kept, isKept } = scratchFor(rowCount);
  let first: RowFilter | null = null;
  for (const filter of filters)
    if (filter.fast && filter.fast.atMost < (first?.fast?.atMost ?? Number.POSITIVE_INFINITY)) first = filter;
  let count = rowCount;
  if (first?.fast) count = first.fast.collect(kept);
  else for (let row = 0; row < rowCount; row++) kept[row] = row;
  const dropping: FastFilter[] = [];
  for (const filter of filters) {
    const { fast } = filter;
    if (filter === first) continue;
    if (!fast) count = narrowOneByOne(filter, kept, count, kept);
    else if (fast.failAtMost < count) dropping.push(fast);
    else count = fast.narrow(kept, count, kept);
  }
  for (let i = 0; i < count; i++) isKept[kept[i] as number] = 1;
  for (const fast of dropping) count -= fast.unmark(isKept);
  return count;
}

/** Reused by all requests: a walk never waits, so no two of them overlap. */
interface Scratch {
  kept: Uint32Array;
  /** By row number; all zero between walks. */
  isKept: Uint8Array;
}

let scratch: Scratch = { kept: new Uint32Array(0), isKept: new Uint8Array(0) };

function scratchFor(rowCount: number): Scratch {
  if (scratch.isKept.length < rowCount) {
    // One to spare: a loop may write the row that it then does not keep.
    scratch = { kept: new Uint32Array(rowCount + 1), isKept: new Uint8Array(rowCount) };
  }
  return scratch;
}
