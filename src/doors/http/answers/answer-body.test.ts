import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Column, TableBuilder } from '../../../market/tables/table.ts';
import { type Answer, type AnswerRows, answerText } from '../../../operations/answer/answer.ts';
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
  for (const [what, answer, isLent] of [
    ['a list', list(rowsOf(100)), true],
    ['an empty list', list(rowsOf(0)), true],
    ['a list that is longer than a buffer', list(rowsOf(5_000)), false],
    ['a list with a row that is not ASCII', list(rowsOf(3, '€')), false],
    ['a list of some columns', list({ ...rowsOf(3), columns: COLUMNS.slice(0, 1) }), false],
    ['an object with rows', object(rowsOf(3), { size: 1 }), true],
    ['an object with a field that is not ASCII', object(rowsOf(3), { size: '€' }), false],
    ['an object without rows', { fields: { plan: '€' }, rows: null, meta: META }, false],
  ] as const) {
    test(`${what}: the bytes are its JSON, ${isLent ? 'in a lent buffer' : 'in memory of their own'}`, () => {
      const body = answerBody(answer, 1);
      assert.equal(body.plain.toString(), answerText(answer));
      assert.equal(body.giveBack !== null, isLent);
      body.giveBack?.();
    });
  }

  test('a buffer that was given back is used for the next answer', () => {
    const first = answerBody(list(rowsOf(2)), 1);
    first.giveBack?.();
    const second = answerBody(list(rowsOf(1)), 1);
    assert.equal(second.plain.buffer, first.plain.buffer);
    assert.equal(second.plain.toString(), answerText(list(rowsOf(1))));
  });

  test('the ETag of a list depends on its snapshot and query, that of other answers on their bytes', () => {
    const etag = (answer: Answer, queryHash: number) => answerBody(answer, queryHash).etag(null);
    assert.equal(etag(list(rowsOf(1)), 7), etag(list(rowsOf(2)), 7));
    assert.notEqual(etag(list(rowsOf(1)), 7), etag(list(rowsOf(1)), 8));
    const later = { ...META, as_of: '2026-11-15T12:00:10Z' };
    assert.notEqual(etag(list(rowsOf(1)), 7), etag({ ...list(rowsOf(1)), meta: later } as Answer, 7));
    const inObject = (rows: number): Answer =>
      ({ ...object(rowsOf(rows), {}), isOfSnapshot: true }) as Answer;
    assert.equal(etag(inObject(1), 7), etag(inObject(2), 7));
    assert.notEqual(etag(inObject(1), 7), etag(inObject(1), 8));
    assert.equal(etag(object(rowsOf(1), {}), 7), etag(object(rowsOf(1), {}), 8));
    assert.notEqual(etag(object(rowsOf(1), {}), 7), etag(object(rowsOf(2), {}), 7));
  });
});
