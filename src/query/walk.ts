import type { MaybeFilter } from './filters.ts';
import { countRows, hasRow, type RowBits, setAllRows, wordsFor } from './row-bits.ts';

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
  filters: readonly MaybeFilter[],
  position: number,
  limit: number,
): Page {
  if (filters.every((filter) => filter === null)) {
    const end = Math.min(position + limit, order.length);
    const next = end < order.length ? end : null;
    return { rows: [...order.subarray(position, end)], next, total: order.length };
  }
  const kept = keptRows(filters, order.length);
  const total = countRows(kept);
  // Made as long as it can get: growing would copy it several times.
  const rows = new Array<number>(Math.min(limit, total));
  let found = 0;
  let next: number | null = null;
  for (let i = position; i < order.length; i++) {
    const row = order[i] as number;
    if (!hasRow(kept, row)) continue;
    if (found === limit) {
      next = i;
      break;
    }
    rows[found++] = row;
    if (found === total) break;
  }
  // Even setting the length that it has takes as long as finding a dozen rows.
  if (found < rows.length) rows.length = found;
  return { rows, next, total };
}

/** The rows that pass all filters: those that treat a whole set first, so that the others have less to look at. */
function keptRows(filters: readonly MaybeFilter[], rowCount: number): RowBits {
  const bits = allRows(rowCount);
  for (const filter of filters) if (filter !== null && typeof filter !== 'function') filter.keep(bits);
  for (const filter of filters) {
    if (typeof filter !== 'function') continue;
    for (let row = 0; row < rowCount; row++)
      if (hasRow(bits, row) && !filter(row))
        bits[row >>> 5] = (bits[row >>> 5] as number) & ~(1 << (row & 31));
  }
  return bits;
}

let reused: RowBits = new Uint32Array(0);

/** One set serves all requests: a walk never waits, so no two of them overlap. */
function allRows(rowCount: number): RowBits {
  const words = wordsFor(rowCount);
  if (reused.length < words) reused = new Uint32Array(words);
  const bits = reused.length === words ? reused : reused.subarray(0, words);
  setAllRows(bits, rowCount);
  return bits;
}
