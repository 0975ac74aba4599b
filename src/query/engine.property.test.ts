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
import type { Cell } from '../market/table.ts';
import {
  absoluteBetween,
  between,
  flagIs,
  type MaybeFilter,
  numberIn,
  pairIn,
  textIn,
  textNotIn,
} from './filters.ts';
import { orderOf, type Sort } from './sorting.ts';
import { walk } from './walk.ts';

const RUNS = 1_500;
const TIES = ['exchange_a', 'exchange_b', 'note'];

const anySort: fc.Arbitrary<Sort> = fc.record({
  column: fc.constantFrom(...MIXED_TABLE.columns.map((column) => column.name)),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  isAbsolute: fc.boolean(),
});

const anyQuestion = fc.record({
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
type Question = typeof anyQuestion extends fc.Arbitrary<infer T> ? T : never;

/** The same question in the plainest words: filter, sort. */
function naively(rows: readonly Row[], q: Question, sort: Sort): Row[] {
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
        anyQuestion,
        anySort,
        fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 }),
        (rows, q, wanted, pageSizes) => {
          const isText = MIXED_TABLE.columns.some(
            ({ name, type }) => name === wanted.column && type === 'text',
          );
          const sort = { ...wanted, isAbsolute: wanted.isAbsolute === true && !isText };
          const table = tableOf(MIXED_TABLE, rows);
          const order = orderOf(table, 'asked', sort, TIES);
          const filters = [
            pairIn(table, ['exchange_a', 'exchange_b'], q.exchange, q.match),
            textNotIn(table, 'exchange_a', q.exclude),
            textNotIn(table, 'exchange_b', q.exclude),
            textIn(table, 'note', q.notes),
            q.longNote ? (row: number) => table.text('note', row).length >= 2 : null,
            numberIn(table, 'hours', q.hours),
            flagIs(table, 'is_inverse', q.isInverse),
            between(table, 'rate', q.minRate, q.maxRate),
            absoluteBetween(table, 'rate', q.minAbs, q.maxAbs),
            between(table, 'sum', q.minSum, q.maxSum),
            between(table, 'at', q.from, q.to),
          ];
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
  const kept = (filter: MaybeFilter) => [...walk(order, [filter], 0, 10).rows];

  test('are inclusive on both sides', () => assert.deepEqual(kept(between(table, 'sum', -1, 0.5)), [0, 1]));
  test('a lower bound alone drops nulls', () =>
    assert.deepEqual(kept(between(table, 'sum', -5, undefined)), [0, 1, 3]));
  test('an upper bound alone drops nulls', () =>
    assert.deepEqual(kept(between(table, 'sum', undefined, 5)), [0, 1, 3]));
  test('none keeps nulls', () =>
    assert.deepEqual(kept(between(table, 'sum', undefined, undefined)), [0, 1, 2, 3]));
  test('on the magnitude keep both signs', () =>
    assert.deepEqual(kept(absoluteBetween(table, 'sum', 1, undefined)), [0, 3]));
  test('on the magnitude drop nulls too', () =>
    assert.deepEqual(kept(absoluteBetween(table, 'sum', undefined, 5)), [0, 1, 3]));
});
