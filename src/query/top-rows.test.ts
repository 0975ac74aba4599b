import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { ChangedTable, everyRow } from '../market/tables/changed-table.ts';
import { Table } from '../market/tables/table.ts';
import { between } from './row-filters.ts';
import { orderOf, type Sort } from './sorting.ts';
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

suite('the first rows of a table with changed figures', () => {
  test('are those that ordering and walking the whole table find, page by page', () => {
    const figures = fc.array(fc.option(fc.integer({ min: -3, max: 3 })), { maxLength: 60 });
    const names = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(
        figures,
        names,
        fc.array(fc.option(fc.integer({ min: -3, max: 3 })), { minLength: 60, maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom('asc', 'desc'),
        fc.boolean(),
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom({}, { thenBy: { column: 'name', direction: 'desc' as const } }),
        (cells, codes, others, step, direction, isBounded, isKnown, limit, then) => {
          const base = madeTable(cells, codes);
          const merged = cells.map((cell, row) => (row % step === 0 ? (others[row] ?? null) : cell));
          const own = new ChangedTable(
            base,
            step === 1 ? everyRow : (row) => row % step === 0,
            new Map([
              [
                'figure',
                { cell: (row: number) => others[row] ?? Number.NaN, ...(isKnown ? { maxChange: 6 } : {}) },
              ],
            ]),
          );
          const plain = madeTable(merged, codes);
          const sort: Sort = { column: 'figure', direction, ...then };
          const filtersOf = (table: Table) => [
            (row: number) => row % 3 !== 0,
            ...(isBounded ? [between(table, 'figure', -1, 2)] : []),
          ];
          const whole = walk(orderOf(plain, 'made', sort, ['name']), filtersOf(plain), 0, 1000);
          const paged: number[] = [];
          for (let position: number | null = 0; position !== null; ) {
            const page = topRows(own, 'made', sort, ['name'], filtersOf(own), position, limit);
            assert.equal(page.total, whole.total);
            paged.push(...page.rows);
            position = page.next;
          }
          assert.deepEqual(paged, [...whole.rows]);
          for (let row = 0; row < cells.length; row++) assert.equal(own.rowJson(row), plain.rowJson(row));
          assert.deepEqual(own.numbers('figure'), plain.numbers('figure'));
        },
      ),
    );
  });

  test('are found by a column of the base that no figure exceeds, and by a column that the base does not have', () => {
    const figure = fc.option(fc.integer({ min: -3, max: 3 }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), figure), { maxLength: 60 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('asc', 'desc'),
        fc.integer({ min: 1, max: 7 }),
        (rows, codes, direction, limit) => {
          const base = madeTable(
            rows.map(([bound]) => bound),
            codes,
          );
          const least = rows.map(([bound, other]) => (other === null ? null : Math.min(bound, other)));
          const cell = (row: number) => least[row] ?? Number.NaN;
          const columns = [{ name: 'own', type: 'number' as const, nullable: true, description: '' }];
          const plain = madeTable(least, codes);
          const bounded = new ChangedTable(base, everyRow, new Map([['figure', { cell, atMost: 'figure' }]]));
          const own = new ChangedTable(base, everyRow, new Map([['own', { cell }]]), {
            ...{ columns, texts: new Map() },
          });
          for (const [table, column] of [
            [bounded, 'figure'],
            [own, 'own'],
          ] as const) {
            const sort: Sort = { column, direction };
            const order = orderOf(plain, 'made', { ...sort, column: 'figure' }, ['name']);
            const inRange = between(plain, 'figure', -2, 1);
            const whole = walk(order, [inRange], 0, limit);
            const page = topRows(table, 'made', sort, ['name'], [between(table, column, -2, 1)], 0, limit);
            assert.deepEqual([...page.rows], [...whole.rows]);
            assert.equal(page.total, whole.total);
          }
          for (let row = 0; row < rows.length; row++) {
            assert.equal(bounded.rowJson(row), plain.rowJson(row));
            assert.equal(own.rowJson(row), base.rowJson(row).replace(/}$/, `,"own":${least[row] ?? null}}`));
          }
        },
      ),
    );
  });

  test('a second column orders nulls and equal rows', () => {
    const table = madeTable([null, 2, null, 1, 2, null], [1, 1, 3, 2, 2, 2]);
    const byName = { thenBy: { column: 'name', direction: 'desc' } } as const;
    const sort: Sort = { column: 'figure', direction: 'desc', ...byName };
    assert.deepEqual([...orderOf(table, 'made', sort, ['name'])], [4, 1, 3, 2, 5, 0]);
  });
});
