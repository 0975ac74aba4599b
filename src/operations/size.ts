import { FILLS, SIZE_COLUMNS, SIZE_PARAMETER } from '../engines/depth/size-columns.ts';
import { atLeast, atMost, equals } from '../query/filter-kinds.ts';
import type { ListFilter } from '../query/filter-set.ts';
import { integer } from '../query/kinds.ts';
import type { Parameter } from '../query/parameter.ts';
import type { Sort, Sorts } from '../query/sorting.ts';

/** Sizes of an order that lists price, in USD. */
export const SIZE_BOUNDS = { min: 100, max: 250_000 };

export function sizeParameter(effect: string): Parameter<number> {
  return {
    ...integer(SIZE_PARAMETER, SIZE_BOUNDS, `Size in USD, of each leg. ${effect}`),
    example: '20000',
    adds: SIZE_COLUMNS.map(({ name }) => name),
  };
}

/** The names of bounds and sorts: the column without its unit. */
const FIGURES: Readonly<Record<string, { column: string; words: string }>> = {
  entry_cost: { column: 'entry_cost_pct', words: 'entry_cost_pct, in percent' },
  exit_cost: { column: 'exit_cost_pct', words: 'exit_cost_pct, in percent' },
  exit_cost_worst: { column: 'exit_cost_worst_pct', words: 'exit_cost_worst_pct, in percent' },
  book_age: { column: 'book_age_seconds', words: 'book_age_seconds' },
};

/** Filters of the figures that rows have with `size_usd`; each needs it. */
export const SIZE_FILTERS: Readonly<Record<string, ListFilter>> = {
  ...Object.fromEntries(
    Object.values(FIGURES).flatMap(({ column, words }) => [
      [`min_${column}`, atLeast(column, `Lowest ${words}`)],
      [`max_${column}`, atMost(column, `Highest ${words}`)],
    ]),
  ),
  fills: equals('fills', FILLS, 'full: leaves out pairs whose books do not take size_usd'),
};

export const SIZE_SORTS: Sorts = Object.fromEntries(
  Object.entries(FIGURES).flatMap(([name, { column }]): [string, Sort][] => [
    [`${name}_asc`, { column, direction: 'asc' }],
    [`${name}_desc`, { column, direction: 'desc' }],
  ]),
);
