import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import type { Cell, Column, Table } from '../../market/tables/table.ts';
import { TableBuilder } from '../../market/tables/table-builder.ts';
import { type Answer, type AnswerRows, answerText, dataOf, rowObject, rowText } from './answer.ts';
import type { Meta } from './meta.ts';

const META: Meta = {
  as_of: '2026-11-15T12:00:00Z',
  delayed_seconds: 0,
  source: 'Perpwire',
  url: 'https://perpwire.example/page',
  count: null,
  total: null,
};
const COLUMNS: readonly Column[] = (['text', 'texts', 'number', 'integer', 'flag', 'time'] as const).map(
  (type) => ({ name: `a_${type}`, type, nullable: type !== 'flag', description: type }),
);
const orNull = (value: fc.Arbitrary<Cell>) => fc.option(value, { nil: null });
const anyRow: fc.Arbitrary<Record<string, Cell>> = fc.record({
  a_text: orNull(anyText()),
  a_texts: orNull(fc.array(fc.string())),
  a_number: orNull(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
  a_integer: orNull(fc.integer()),
  a_flag: fc.boolean(),
  a_time: orNull(fc.nat(4e12)),
});
const anyRows = fc.array(anyRow, { maxLength: 8 });

function tableOf(rows: readonly Record<string, Cell>[]): Table {
  const builder = new TableBuilder({ name: 'made', columns: COLUMNS });
  for (const row of rows) builder.add(row);
  return builder.build();
}

const rowsOf = (rows: readonly Record<string, Cell>[], columns: readonly Column[] | null): AnswerRows => ({
  table: tableOf(rows),
  numbers: rows.map((_, row) => row).reverse(),
  columns,
});

suite('answers', () => {
  const anyColumns = fc.option(fc.subarray([...COLUMNS], { minLength: 1 }), { nil: null });

  test('a row as an object is what its JSON describes, with the fields in the same order', () => {
    fc.assert(
      fc.property(anyRows, anyColumns, (made, columns) => {
        const rows = rowsOf(made, columns);
        for (const row of rows.numbers)
          assert.equal(JSON.stringify(rowObject(rows, row)), JSON.stringify(JSON.parse(rowText(rows, row))));
      }),
    );
  });

  for (const [what, answerOf] of Object.entries({
    'a list': (rows: AnswerRows): Answer => ({ fields: null, rows, meta: META }),
    'an object with rows': (rows: AnswerRows): Answer => ({
      fields: { size: 1, 'a "name"': ['€', { deep: null }] },
      rows: { ...rows, field: 'rows' },
      meta: META,
    }),
    'an object with nothing but rows': (rows: AnswerRows): Answer => ({
      fields: {},
      rows: { ...rows, field: 'rows' },
      meta: META,
    }),
    'an object without rows': (): Answer => ({ fields: { plan: 'pro' }, rows: null, meta: META }),
    'an empty object': (): Answer => ({ fields: {}, rows: null, meta: META }),
  })) {
    test(`${what}: the text is the JSON of data and meta`, () => {
      fc.assert(
        fc.property(anyRows, anyColumns, (made, columns) => {
          const answer = answerOf(rowsOf(made, columns));
          const { text, bytes } = answerText(answer);
          assert.equal(
            JSON.stringify(JSON.parse(text)),
            JSON.stringify({ data: dataOf(answer), meta: META }),
          );
          assert.equal(bytes, Buffer.byteLength(text));
        }),
      );
    });
  }
});
