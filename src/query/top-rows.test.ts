import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Table } from '../market/table.ts';
import { orderOf, type Sort, tieOrder } from './sorting.ts';
import { topRows } from './top-rows.ts';
import { walk } from './walk.ts';

const SPEC = {
  name: 'made',
  columns: [
    { name: 'figure', type: 'number' as const, nullable: true, description: '' },
    { name: 'name', type: 'text' as const, nullable: false, description: '' },
  ],
};

function madeTable(figures: readonly (number | null)[], names: readonly number[]): Table {
  return new Table(
    SPEC,
    figures.length,
    new Map([['figure', Float64Array.from(figures, (figure) => figure ?? Number.NaN)]]),
    new Map([
      [
        'name',
        {
          codes: Uint32Array.from(figures, (_, row) => names[row % names.length] ?? 1),
          values: ['', 'a', 'b', 'c'],
        },
      ],
    ]),
  );
}

suite('the first rows of a table', () => {
  test('are those that ordering and walking the whole table find, page by page', () => {
    const figures = fc.array(fc.option(fc.integer({ min: -3, max: 3 })), { maxLength: 60 });
    const names = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        figures,
        names,
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 1, max: 7 }),
        (cells, codes, direction, limit) => {
          const table = madeTable(cells, codes);
          const sort: Sort = { column: 'figure', direction };
          const filters = [(row: number) => row % 3 !== 0];
          const ties = tieOrder(table, ['name']);
          const whole = walk(orderOf(table, 'made', sort, ['name']), filters, 0, 1000);
          const paged: number[] = [];
          for (let position: number | null = 0; position !== null; ) {
            const page = topRows(table, sort, ties, filters, position, limit);
            assert.equal(page.total, whole.total);
            paged.push(...page.rows);
            position = page.next;
          }
          assert.deepEqual(paged, [...whole.rows]);
        },
      ),
    );
  });
});
