import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { FollowedRows } from './followed-rows.ts';

const LIST = {
  identity: ['name'],
  sorts: {
    rate_desc: { column: 'rate', direction: 'desc' },
    rate_asc: { column: 'rate', direction: 'asc' },
    abs_desc: { column: 'rate', direction: 'desc', isAbsolute: true },
    smaller_desc: { column: 'rate', direction: 'desc', orSmaller: 'other' },
    rate_then_other: {
      column: 'rate',
      direction: 'desc',
      thenBy: { column: 'other', direction: 'desc' },
    },
    name_asc: { column: 'name', direction: 'asc' },
    nearest: null,
  },
  defaultSort: 'rate_desc',
  ties: ['name'],
} as const;
const ROWS = [
  { name: 'b', rate: 1, other: 9 },
  { name: 'a', rate: 1, other: 0 },
  { name: 'c', rate: null, other: 3 },
  { name: 'd', rate: -5, other: 4 },
];
const names = (sort: string | undefined) =>
  new FollowedRows(LIST, sort, ROWS).rows.map(({ name }) => name).join('');

suite('rows of a followed list', () => {
  for (const [sort, expected] of [
    [undefined, 'abdc'],
    ['rate_asc', 'dabc'],
    ['abs_desc', 'dabc'],
    ['smaller_desc', 'badc'],
    ['rate_then_other', 'badc'],
    ['name_asc', 'abcd'],
    ['nearest', 'bacd'],
  ] as const) {
    test(`order ${sort ?? 'by default'}: nulls last, ties by their columns`, () =>
      assert.equal(names(sort), expected));
  }

  test('without the column of the order, rows stay as they came and new rows are last', () => {
    const followed = new FollowedRows(LIST, 'rate_desc', [{ name: 'z' }, { name: 'a' }]);
    followed.change({ upsert: [{ name: 'm' }, { name: 'z', is: 1 }], remove: [{ name: 'a' }] });
    assert.deepEqual(followed.rows, [{ name: 'z', is: 1 }, { name: 'm' }]);
  });
});
