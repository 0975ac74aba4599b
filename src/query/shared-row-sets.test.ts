import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TableSpec } from '../market/tables/table.ts';
import { TableBuilder } from '../market/tables/table-builder.ts';
import {
  atLeast,
  atMost,
  equals,
  inColumns,
  isFlag,
  notOlderThan,
  oneOf,
  startsWith,
  unless,
} from './filter-kinds.ts';
import { FilterSet } from './filter-set.ts';
import { text } from './kinds.ts';
import type { Parameter } from './parameter.ts';
import { rowsIn } from './row-bits.ts';
import { SharedRowSets } from './shared-row-sets.ts';
import { passingRows } from './walk.ts';

const SPEC: TableSpec = {
  name: 'made',
  columns: [
    { name: 'a', type: 'text', nullable: false, description: '' },
    { name: 'b', type: 'text', nullable: false, description: '' },
    { name: 'n', type: 'number', nullable: true, description: '' },
    { name: 'is_new', type: 'flag', nullable: false, description: '' },
    { name: 'at', type: 'time', nullable: false, description: '' },
  ],
};
const AS_OF_MS = Date.UTC(2026, 10, 16);
const list = (name: string, description: string) =>
  text(name, 9, description) as unknown as Parameter<readonly string[]>;
const FILTERS = new FilterSet({
  a: oneOf('a', list, ''),
  side: inColumns(['a', 'b'], list, '', { name: 'side_match', description: '' }),
  start: startsWith(['b'], 9, ''),
  new: isFlag('is_new', ''),
  kind: unless(['a'], equals('b', ['x0', 'x1', 'x2'], '')),
  min: atLeast('n', ''),
  max: atMost('n', ''),
  age: notOlderThan('at', 1_000, { min: 1, max: 120 }, ''),
});

function tableOf(rowCount: number) {
  const builder = new TableBuilder(SPEC);
  for (let i = 0; i < rowCount; i++)
    builder.add({
      ...{ a: `x${i % 7}`, b: `x${(i * 3) % 5}`, n: i % 11 === 0 ? null : (i % 23) - 9 },
      ...{ is_new: i % 4 === 0, at: AS_OF_MS - (i % 50) * 1_000 },
    });
  return builder.build();
}

suite('row sets that questions share', () => {
  const table = tableOf(300);
  const sets = new SharedRowSets();
  for (const values of [
    {},
    { a: ['x3'] },
    { a: ['x3', 'x5'], min: 2 },
    { min: 2, max: 5 },
    { max: 5, min: 2, new: true },
    { max: -3 },
    { side: ['x1', 'x2'] },
    { side: ['x1', 'x2'], side_match: 'all' },
    { side: ['x1', 'x2'], side_match: 'any', age: 10 },
    { start: 'X1', new: false },
    { kind: 'x1' },
    { kind: 'x1', a: ['x2'] },
    { a: ['unknown'], min: 0 },
    { min: 100 },
  ] as const) {
    test(`the same rows as the filters of a request: ${JSON.stringify(values)}`, () => {
      const snapshot = { table, asOfMs: AS_OF_MS };
      const expected = rowsIn(passingRows(FILTERS.rowFilters(values, snapshot), table.rowCount));
      for (const time of ['first', 'second'])
        assert.deepEqual(sets.matching(FILTERS.parts(values), snapshot), expected, time);
    });
  }

  test('a table that is of two times is filtered for each of them', () => {
    const parts = FILTERS.parts({ age: 10 });
    const now = sets.matching(parts, { table, asOfMs: AS_OF_MS }).length;
    const later = sets.matching(parts, { table, asOfMs: AS_OF_MS + 5_000 }).length;
    assert.deepEqual([now, later], [66, 36]);
  });

  test('parts with the same effect have one key, others have their own', () => {
    const keyOf = (values: Record<string, unknown>) => FILTERS.parts(values).map(({ key }) => key);
    assert.deepEqual(keyOf({ min: 1, max: 2 }), keyOf({ max: 2, min: 1 }));
    assert.notDeepEqual(keyOf({ min: 1 }), keyOf({ max: 1 }));
    assert.notDeepEqual(keyOf({ side: ['x1'] }), keyOf({ side: ['x1'], side_match: 'all' }));
  });
});
