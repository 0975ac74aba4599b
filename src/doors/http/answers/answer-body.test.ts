import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Column } from '../../../market/tables/table.ts';
import { TableBuilder } from '../../../market/tables/table-builder.ts';
import { type Answer, type AnswerRows, dataOf } from '../../../operations/answer/answer.ts';
import { answerBody } from './answer-body.ts';

const COLUMNS: readonly Column[] = ['name', 'note'].map((name) => ({
  name,
  type: 'text',
  nullable: false,
  description: name,
}));
const META = {
  as_of: '2026-11-15T12:00:00Z',
  delayed_seconds: 0,
  source: 'Perpwire',
  url: 'https://perpwire.example/page',
  count: null,
  total: null,
};

function rowsOf(count: number, note = 'plain'): AnswerRows {
  const builder = new TableBuilder({ name: 'made', columns: COLUMNS });
  for (let row = 0; row < count; row++) builder.add({ name: `row ${row}`, note });
  return { table: builder.build(), numbers: Array.from({ length: count }, (_, row) => row), columns: null };
}

const list = (rows: AnswerRows): Answer => ({ fields: null, rows, meta: META });
const object = (rows: AnswerRows, fields: object): Answer => ({
  fields,
  rows: { ...rows, field: 'rows' },
  meta: META,
});

suite('the body of an answer', () => {
  for (const [what, answer] of [
    ['a list', list(rowsOf(100))],
    ['an empty list', list(rowsOf(0))],
    ['a long list', list(rowsOf(5_000))],
    ['a list with a row that is not ASCII', list(rowsOf(3, '€'))],
    ['a list of some columns', list({ ...rowsOf(3), columns: COLUMNS.slice(0, 1) })],
    ['an object with rows', object(rowsOf(3), { size: 1 })],
    ['an object with a field that is not ASCII', object(rowsOf(3), { size: '€' })],
    ['an object without rows', { fields: { plan: '€' }, rows: null, meta: META }],
  ] as const) {
    test(`${what}: the bytes are its JSON`, () => {
      const { plain, length } = answerBody(answer, 'pro /a');
      assert.equal(plain.toString(), JSON.stringify({ data: dataOf(answer), meta: META }));
      assert.equal(length, plain.length);
    });
  }

  test('the ETag of a list depends on its snapshot and query, that of other answers on their bytes', () => {
    const etag = (answer: Answer, query: string) => answerBody(answer, query).etag(null);
    assert.equal(etag(list(rowsOf(1)), '/a'), etag(list(rowsOf(2)), '/a'));
    assert.notEqual(etag(list(rowsOf(1)), '/a'), etag(list(rowsOf(1)), '/b'));
    const later = { ...META, as_of: '2026-11-15T12:00:10Z' };
    assert.notEqual(etag(list(rowsOf(1)), '/a'), etag({ ...list(rowsOf(1)), meta: later } as Answer, '/a'));
    const inObject = (rows: number): Answer =>
      ({ ...object(rowsOf(rows), {}), isOfSnapshot: true }) as Answer;
    assert.equal(etag(inObject(1), '/a'), etag(inObject(2), '/a'));
    assert.notEqual(etag(inObject(1), '/a'), etag(inObject(1), '/b'));
    assert.equal(etag(object(rowsOf(1), {}), '/a'), etag(object(rowsOf(1), {}), '/b'));
    assert.notEqual(etag(object(rowsOf(1), {}), '/a'), etag(object(rowsOf(2), {}), '/a'));
  });
});
