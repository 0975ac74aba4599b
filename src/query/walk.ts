import { clearRow, countRows, hasRow, type RowBits, setAllRows, wordsFor } from './row-bits.ts';
import type { RowFilter } from './row-filters.ts';

export interface Page {
  rows: readonly number[];
  /** Position in the order at which the next page starts; null on the last page. */
  next: number | null;
  /** Number of matching rows on all pages. */
  total: number;
}

/** Finds the rows of one page: walks the order from a position until the page is full. */
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
  const kept = passingRows(filters, order.length);
  const total = countRows(kept);
  // Allocated at its largest possible length: growing would copy it several times.
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
  // Guarded: assigning the length costs as much as finding a dozen rows, even when it does not change.
  if (found < rows.length) rows.length = found;
  return { rows, next, total };
}

/** The rows that pass all filters. Set filters run first, so that predicates see fewer rows. */
export function passingRows(filters: readonly RowFilter[], rowCount: number): RowBits {
  const bits = new Uint32Array(wordsFor(rowCount));
  setAllRows(bits, rowCount);
  for (const filter of filters) if (typeof filter !== 'function') filter.keep(bits);
  for (const filter of filters) {
    if (typeof filter !== 'function') continue;
    for (let row = 0; row < rowCount; row++) if (hasRow(bits, row) && !filter(row)) clearRow(bits, row);
  }
  return bits;
}
