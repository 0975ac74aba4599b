import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import {
  bound,
  MIXED_TABLE,
  mixedRow,
  mixedRows,
  noteList,
  type Row,
  sometimes,
  tableOf,
  timeBound,
  venueList,
} from '../../test/query/random-rows.ts';
import type { Cell } from '../market/tables/table.ts';
import {
  atLeast,
  atMost,
  filter,
  inColumns,
  isFlag,
  magnitudeAtLeast,
  magnitudeAtMost,
  noneOf,
  oneOf,
  oneOfIntegers,
} from './filter-kinds.ts';
import { FilterSet, type FilterValues } from './filter-set.ts';
import { exchanges, flag } from './kinds.ts';
import { flagIs } from './row-filters.ts';
import { orderOf, type Sort } from './sorting.ts';
import { walk } from './walk.ts';

const RUNS = 1_500;
const TIES = ['exchange_a', 'exchange_b', 'note'];

const anySort: fc.Arbitrary<Sort> = fc.record({
  column: fc.constantFrom(...MIXED_TABLE.columns.map((column) => column.name)),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  isAbsolute: fc.boolean(),
});

const anyQuery = fc.record({
  exchange: venueList,
  match: fc.constantFrom('any' as const, 'all' as const, undefined),
  exclude: venueList,
  notes: noteList,
  minRate: bound,
  maxRate: bound,
  minAbs: bound,
  maxAbs: bound,
  minSum: bound,
  maxSum: bound,
  hours: sometimes(fc.subarray([1, 4, 8, 24])),
  isInverse: sometimes(fc.boolean()),
  from: timeBound,
  to: timeBound,
  longNote: sometimes(fc.constant(true)),
});
type Query = typeof anyQuery extends fc.Arbitrary<infer T> ? T : never;

const FILTERS = new FilterSet({
  exchange: inColumns(['exchange_a', 'exchange_b'], exchanges, 'Venues', {
    name: 'match',
    description: 'How',
  }),
  exclude: noneOf(['exchange_a', 'exchange_b'], exchanges, 'Venues to leave out'),
  notes: oneOf('note', exchanges, 'Notes'),
  minRate: atLeast('rate', 'Lowest rate'),
  maxRate: atMost('rate', 'Highest rate'),
  minAbs: magnitudeAtLeast('rate', 'Lowest magnitude'),
  maxAbs: magnitudeAtMost('rate', 'Highest magnitude'),
  minSum: atLeast('sum', 'Lowest sum'),
  maxSum: atMost('sum', 'Highest sum'),
  hours: oneOfIntegers('hours', { min: 1, max: 24 }, 'Hours'),
  isInverse: isFlag('is_inverse', 'Inverse'),
  from: atLeast('at', 'First time'),
  to: atMost('at', 'Last time'),
  longNote: filter(
    (name) => flag(name, 'Long notes'),
    ['note'],
    (_wanted, { table }) =>
      (row) =>
        table.text('note', row).length >= 2,
  ),
});

/** The same query written naively: filter, sort. */
function naively(rows: readonly Row[], q: Query, sort: Sort): Row[] {
  const inside = (value: Cell | undefined, min: number | undefined, max: number | undefined) =>
    (min === undefined && max === undefined) ||
    (typeof value === 'number' && value >= (min ?? -Infinity) && value <= (max ?? Infinity));
  const size = (value: Cell | undefined) => (typeof value === 'number' ? Math.abs(value) : null);
  const named = (list: readonly string[] | undefined, value: Cell | undefined) =>
    list?.includes(String(value ?? '\0')) ?? false;
  const kept = rows.filter((row) => {
    const legs = [row.exchange_a, row.exchange_b].map((leg) => named(q.exchange, leg));
    if (q.exchange && !(q.match === 'all' ? legs.every(Boolean) : legs.some(Boolean))) return false;
    if (named(q.exclude, row.exchange_a) || named(q.exclude, row.exchange_b)) return false;
    if (q.notes && !named(q.notes, row.note)) return false;
    if (q.hours && !q.hours.some((hours) => hours === row.hours)) return false;
    if (q.isInverse !== undefined && row.is_inverse !== q.isInverse) return false;
    if (q.longNote && String(row.note ?? '').length < 2) return false;
    return (
      inside(row.rate, q.minRate, q.maxRate) &&
      inside(size(row.rate), q.minAbs, q.maxAbs) &&
      inside(row.sum, q.minSum, q.maxSum) &&
      inside(row.at, q.from, q.to)
    );
  });
  return kept.sort((a, b) => compare(a, b, sort) || rows.indexOf(a) - rows.indexOf(b));
}

function compare(a: Row, b: Row, { column, direction, isAbsolute }: Sort): number {
  const key = (row: Row) => {
    const value = row[column];
    if (typeof value === 'boolean') return Number(value);
    return isAbsolute && typeof value === 'number' ? Math.abs(value) : (value ?? null);
  };
  const [x, y] = [key(a), key(b)];
  if (x !== y) {
    if (x === null) return 1;
    if (y === null) return -1;
    return (x < y ? -1 : 1) * (direction === 'asc' ? 1 : -1);
  }
  for (const tie of TIES) {
    const [s, t] = [a[tie] ?? null, b[tie] ?? null];
    if (s === t) continue;
    if (s === null || t === null) return s === null ? 1 : -1;
    return s < t ? -1 : 1;
  }
  return 0;
}

suite('the query engine beside a naive filter, sort and slice', () => {
  test('gives the same rows in the same order, page by page, with the same total', () => {
    fc.assert(
      fc.property(
        mixedRows,
        anyQuery,
        anySort,
        fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 }),
        (rows, q, wanted, pageSizes) => {
          const isText = MIXED_TABLE.columns.some(
            ({ name, type }) => name === wanted.column && type === 'text',
          );
          const sort = { ...wanted, isAbsolute: wanted.isAbsolute === true && !isText };
          const table = tableOf(MIXED_TABLE, rows);
          const order = orderOf(table, 'wanted', sort, TIES);
          const filters = FILTERS.rowFilters(q, { table, asOfMs: 0 });
          const expected = naively(rows, q, sort);
          const got: Row[] = [];
          let position: number | null = 0;
          for (let page = 0; position !== null; page++) {
            const size = pageSizes[page % pageSizes.length] ?? 1;
            const { rows: numbers, next, total } = walk(order, filters, position, size);
            assert.equal(total, expected.length);
            assert.ok(numbers.length === size || next === null, 'only the last page is short');
            got.push(...numbers.map((row) => rows[row] as Row));
            position = next;
          }
          assert.deepEqual(got, expected);
        },
      ),
      { numRuns: RUNS },
    );
  });

  test('a scratch made for a larger table leaves nothing behind for a smaller one', () => {
    const rows = fc.sample(mixedRow, { numRuns: 300, seed: 7 });
    const large = tableOf(MIXED_TABLE, rows);
    const small = tableOf(MIXED_TABLE, rows.slice(0, 10));
    const sort: Sort = { column: 'rate', direction: 'asc' };
    for (const table of [large, small, large]) {
      const page = walk(orderOf(table, 'rate', sort, TIES), [flagIs(table, 'is_inverse', true)], 0, 1_000);
      const inverse = rows.slice(0, table.rowCount).filter((row) => row.is_inverse).length;
      assert.equal(page.total, inverse);
      assert.equal(page.rows.length, inverse);
    }
  });
});

suite('bounds', () => {
  const rows: Row[] = [-1, 0.5, null, 1].map((sum, hours) => ({
    exchange_a: 'OKX',
    exchange_b: 'Aster',
    note: null,
    rate: sum ?? 0,
    sum,
    hours,
    is_inverse: false,
    at: null,
  }));
  const table = tableOf(MIXED_TABLE, rows);
  const order = orderOf(table, 'hours', { column: 'hours', direction: 'asc' }, TIES);
  const sums = new FilterSet({
    min: atLeast('sum', 'Lowest sum'),
    max: atMost('sum', 'Highest sum'),
    minAbs: magnitudeAtLeast('sum', 'Lowest magnitude'),
    maxAbs: magnitudeAtMost('sum', 'Highest magnitude'),
  });
  const kept = (values: FilterValues) => [
    ...walk(order, sums.rowFilters(values, { table, asOfMs: 0 }), 0, 10).rows,
  ];

  test('are inclusive on both sides', () => assert.deepEqual(kept({ min: -1, max: 0.5 }), [0, 1]));
  test('a lower bound alone drops nulls', () => assert.deepEqual(kept({ min: -5 }), [0, 1, 3]));
  test('an upper bound alone drops nulls', () => assert.deepEqual(kept({ max: 5 }), [0, 1, 3]));
  test('none keeps nulls', () => assert.deepEqual(kept({}), [0, 1, 2, 3]));
  test('on the magnitude keep both signs', () => assert.deepEqual(kept({ minAbs: 1 }), [0, 3]));
  test('on the magnitude drop nulls too', () => assert.deepEqual(kept({ maxAbs: 5 }), [0, 1, 3]));
  test('both ends of a range become one filter', () => {
    assert.equal(sums.rowFilters({ min: -1, max: 1 }, { table, asOfMs: 0 }).length, 1);
    assert.equal(sums.rowFilters({ max: 1, min: -1 }, { table, asOfMs: 0 }).length, 1);
  });
});
