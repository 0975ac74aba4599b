import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Column } from '../../../market/tables/table.ts';
import { TableBuilder } from '../../../market/tables/table-builder.ts';
import { type Answer, type AnswerRows, answerText } from '../../../operations/answer/answer.ts';
import type { AnyOperation } from '../../../operations/operation.ts';
import type { Era } from '../protocol/protocol.ts';
import { MAX_TEXT_BYTES } from './result-words.ts';
import { toolResult } from './tool-result.ts';

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
const TOOL = {
  description: { name: 'svc_made', title: 'Made', place: 1, conclusion: () => 'A "quoted" conclusion.' },
  operation: { shortRows: { leading: ['note', 'name'] } } as unknown as AnyOperation,
};
const REST = 'All rows with all their fields are in structuredContent.';

function rowsOf(count: number, note = 'a "plain" note'): AnswerRows {
  const builder = new TableBuilder({ name: 'made', columns: COLUMNS });
  for (let row = 0; row < count; row++) builder.add({ name: `row ${row}`, note });
  return { table: builder.build(), numbers: Array.from({ length: count }, (_, row) => row), columns: null };
}

const list = (rows: AnswerRows): Answer => ({ fields: null, rows, meta: META });

suite('the result of a tool', () => {
  for (const [what, answer] of [
    ['a short list', list(rowsOf(3))],
    ['an empty list', list(rowsOf(0))],
    ['a long list', list(rowsOf(500))],
    ['a very long list', list(rowsOf(5_000))],
    ['a list with a row that is not ASCII', list(rowsOf(500, '€'))],
    ['an object with rows', { fields: { size: 1 }, rows: { ...rowsOf(3), field: 'rows' }, meta: META }],
    ['an object without rows', { fields: { plan: '€' }, rows: null, meta: META }],
  ] as const) {
    for (const era of ['handshake', 'modern'] as const satisfies Era[]) {
      test(`${what}, ${era}: words and the first rows in the text, the envelope once`, () => {
        const result = JSON.parse(toolResult(TOOL, answer, era).text) as Record<string, unknown>;
        const [first] = result.content as { type: string; text: string }[];
        const envelope = answerText(answer).text;
        const lines = first?.text.split('\n') ?? [];
        assert.equal(lines[0], 'A "quoted" conclusion. As of 2026-11-15T12:00:00Z.');
        assert.equal(lines.at(-1), META.url);
        const table = lines.filter((line) => line.startsWith('|'));
        const { rows } = answer;
        if (rows && rows.numbers.length > 0) {
          assert.deepEqual(table.slice(0, 2), ['| note | name |', '| --- | --- |']);
          assert.match(table[2] ?? '', / \| row 0 \|$/);
          assert.equal(table.length, 2 + Math.min(50, rows.numbers.length));
          assert.equal(lines.at(-2), REST);
        } else assert.deepEqual(table, []);
        assert.ok(Buffer.byteLength(first?.text ?? '') <= MAX_TEXT_BYTES);
        assert.equal(JSON.stringify(result.structuredContent), envelope);
        assert.equal(
          toolResult(TOOL, answer, era).bytes,
          Buffer.byteLength(toolResult(TOOL, answer, era).text),
        );
        assert.equal(result.resultType, era === 'modern' ? 'complete' : undefined);
      });
    }
  }

  const textOf = (answer: Answer) => {
    const result = JSON.parse(toolResult(TOOL, answer, 'modern').text) as {
      content: { text: string }[];
    };
    return result.content[0]?.text ?? '';
  };

  test('long rows end the table before 6 kB, and the cursor of the next page follows', () => {
    const meta = { ...META, next_cursor: 'abc' };
    const text = textOf({ ...list(rowsOf(100, 'x'.repeat(500))), meta });
    assert.ok(Buffer.byteLength(text) <= MAX_TEXT_BYTES);
    assert.equal(text.split('\n').filter((line) => line.startsWith('|')).length, 2 + 11);
    assert.ok(text.endsWith(`${REST}\nNext page: cursor abc\n${META.url}`));
  });

  test('a bar or a line feed in a name does not break the table', () => {
    assert.match(textOf(list(rowsOf(1, 'a|b\nc'))), /^\| a b c \| row 0 \|$/m);
  });

  test('a rate carries its interval', () => {
    const columns: readonly Column[] = [
      { name: 'rate_pct', type: 'number', nullable: false, description: '' },
      { name: 'interval_hours', type: 'integer', nullable: true, description: '' },
    ];
    const builder = new TableBuilder({ name: 'made', columns });
    builder.add({ rate_pct: 0.01, interval_hours: 8 });
    builder.add({ rate_pct: -0.02, interval_hours: null });
    const rows = { table: builder.build(), numbers: [0, 1], columns: null };
    const shortRows = { leading: ['rate_pct'], intervals: { rate_pct: 'interval_hours' } };
    const tool = { ...TOOL, operation: { shortRows } as unknown as AnyOperation };
    assert.match(toolResult(tool, list(rows), 'modern').text, /\| 0\.01\/8h \|.*\| -0\.02\/\?h \|/);
  });

  test('the values of an answer that is no list are named in its text', () => {
    const fields = { plan: 'Demo', month: { used: 3 }, scopes: ['a', 'b'], none: null };
    assert.match(
      textOf({ fields, rows: null, meta: META }),
      /\nplan: Demo\nmonth\.used: 3\nscopes: a, b\nnone: null\n/,
    );
  });
});
