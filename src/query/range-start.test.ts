import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Cell, TableSpec } from '../market/tables/table.ts';
import { TableBuilder } from '../market/tables/table-builder.ts';
import { rangeStart } from './range-start.ts';
import { absoluteBetween, between, numberIn, textIn } from './row-filters.ts';
import { orderOf, type Sort } from './sorting.ts';

const SPEC: TableSpec = {
  name: 'test',
  columns: [
    { name: 'coin', type: 'text', nullable: false, description: '' },
    { name: 'rate', type: 'number', nullable: true, description: '' },
    { name: 'other', type: 'number', nullable: true, description: '' },
  ],
};
const RATES: readonly Cell[] = [3, -4, null, 1, -2, 0, 3, null, 5];

function tableOf() {
  const builder = new TableBuilder(SPEC);
  for (const rate of RATES) builder.add({ coin: 'BTC', rate, other: rate });
  return builder.build();
}

suite('where a walk starts', () => {
  const table = tableOf();
  const startOf = (sort: Sort, filters: Parameters<typeof rangeStart>[3], position = 0) =>
    rangeStart(table, orderOf(table, JSON.stringify(sort), sort, []), sort, filters, position);
  const falling: Sort = { column: 'rate', direction: 'desc' };
  const rising: Sort = { column: 'rate', direction: 'asc' };

  // Falling: 5 3 3 1 0 -2 -4 null null.
  test('after the rows above an upper bound of a falling order', () => {
    assert.equal(startOf(falling, [between(table, 'rate', undefined, 3)]), 1);
    assert.equal(startOf(falling, [between(table, 'rate', undefined, 0.5)]), 4);
  });
  test('after the rows below a lower bound of a rising order', () => {
    assert.equal(startOf(rising, [between(table, 'rate', -2, undefined)]), 1);
    assert.equal(startOf(rising, [between(table, 'rate', 1, 4)]), 3);
  });
  test('before the nulls if no number is in the range', () => {
    assert.equal(startOf(falling, [between(table, 'rate', undefined, -9)]), 7);
  });
  test('at the first row for a bound at the other end', () => {
    assert.equal(startOf(falling, [between(table, 'rate', 2, undefined)]), 0);
    assert.equal(startOf(rising, [between(table, 'rate', undefined, 2)]), 0);
  });
  test('by magnitude only for an order by magnitude', () => {
    // By magnitude: 5 -4 3 3 -2 1 0.
    const filter = absoluteBetween(table, 'rate', undefined, 3);
    assert.equal(startOf({ ...falling, isAbsolute: true }, [filter]), 2);
    assert.equal(startOf(falling, [filter]), 0);
    assert.equal(startOf({ ...falling, isAbsolute: true }, [between(table, 'rate', undefined, 3)]), 0);
  });
  test('not by another column, a list or a text', () => {
    const others = [
      between(table, 'other', undefined, 0),
      numberIn(table, 'rate', [0]),
      textIn(table, 'coin', ['ETH']),
    ];
    assert.equal(startOf(falling, [...others, () => false]), 0);
  });
  test('never before the position of a cursor', () => {
    assert.equal(startOf(falling, [between(table, 'rate', undefined, 3)], 6), 6);
  });
  test('not for an order by the smaller of two columns, or the order of the table', () => {
    const filter = between(table, 'rate', undefined, 0);
    assert.equal(startOf({ ...falling, orSmaller: 'other' }, [filter]), 0);
    assert.equal(startOf({ ...falling, isTableOrder: true }, [filter]), 0);
  });
});
