import type { Table } from '../market/tables/table.ts';
import type { RowFilter } from './row-filters.ts';
import type { Sort } from './sorting.ts';

/**
 * The first place of an order that can pass the filters, at or after `position`. A bound on the sorted column excludes all
 * rows before some place, which would otherwise be looked at one by one: for the spreads up to 1 % that is most rows.
 */
export function rangeStart(
  table: Table,
  order: Uint32Array,
  sort: Sort,
  filters: readonly RowFilter[],
  position: number,
): number {
  if (sort.orSmaller !== undefined || sort.isTableOrder) return position;
  let start = position;
  for (const filter of filters) {
    const range = typeof filter === 'function' ? undefined : filter.range;
    if (range?.column !== sort.column || range.isAbsolute !== (sort.isAbsolute ?? false)) continue;
    const bound = sort.direction === 'desc' ? -range.high : range.low;
    if (bound > Number.NEGATIVE_INFINITY)
      start = firstPlace(order, table.numbers(sort.column), sort, bound, start);
  }
  return start;
}

/** Binary search for the first row whose sort key is not below the bound. Nulls are last, and below no bound. */
function firstPlace(
  order: Uint32Array,
  values: Float64Array,
  { direction, isAbsolute }: Sort,
  bound: number,
  start: number,
): number {
  const sign = direction === 'desc' ? -1 : 1;
  let low = start;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = values[order[middle] as number] as number;
    if (sign * (isAbsolute ? Math.abs(value) : value) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}
