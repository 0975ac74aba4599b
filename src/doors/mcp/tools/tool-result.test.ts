import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Column, TableBuilder } from '../../../market/tables/table.ts';
import { type Answer, type AnswerRows, answerText } from '../../../operations/answer/answer.ts';
import type { Era } from '../protocol/protocol.ts';
import { resultTail } from './tool-result.ts';

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
const TOOL = { name: 'svc_made', title: 'Made', place: 1, conclusion: () => 'A "quoted" conclusion.' };

function rowsOf(count: number, note = 'a "plain" note'): AnswerRows {
  const builder = new TableBuilder({ name: 'made', columns: COLUMNS });
  for (let row = 0; row < count; row++) builder.add({ name: `row ${row}`, note });
  return { table: builder.build(), numbers: Array.from({ length: count }, (_, row) => row), columns: null };
}

const list = (rows: AnswerRows): Answer => ({ fields: null, rows, meta: META });

suite('the result of a tool', () => {
  for (const [what, answer, form] of [
    ['a short list', list(rowsOf(3)), 'string'],
    ['an empty list', list(rowsOf(0)), 'string'],
    ['a long list', list(rowsOf(500)), 'lent'],
    ['a list that is longer than a buffer', list(rowsOf(5_000)), 'string'],
    ['a list with a row that is not ASCII', list(rowsOf(500, '€')), 'string'],
    [
      'an object with rows',
      { fields: { size: 1 }, rows: { ...rowsOf(3), field: 'rows' }, meta: META },
      'string',
    ],
    ['an object without rows', { fields: { plan: '€' }, rows: null, meta: META }, 'string'],
  ] as const) {
    for (const era of ['handshake', 'modern'] as const satisfies Era[]) {
      test(`${what}, ${era}: the envelope in the text and in structuredContent`, () => {
        const tail = resultTail(TOOL, answer, era);
        assert.equal(typeof tail.content === 'string' ? 'string' : 'lent', form);
        const { content } = tail;
        const text = typeof content === 'string' ? content : content.bytes.toString();
        assert.equal(tail.byteLength, Buffer.byteLength(text));
        const { result } = JSON.parse(`{"result":${text}`) as { result: Record<string, unknown> };
        const [first] = result.content as { type: string; text: string }[];
        const envelope = answerText(answer);
        assert.equal(
          first?.text,
          `A "quoted" conclusion. As of 2026-11-15T12:00:00Z.\n${envelope}\n${META.url}`,
        );
        assert.equal(JSON.stringify(result.structuredContent), envelope);
        assert.equal(result.resultType, era === 'modern' ? 'complete' : undefined);
        tail.giveBack?.();
      });
    }
  }
});
