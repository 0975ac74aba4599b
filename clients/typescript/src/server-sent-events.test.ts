import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { EventParser } from './server-sent-events.ts';

const TEXT =
  'retry: 500\nevent: change\nid: 1\ndata: {"a":\ndata: 2}\n\n: comment\ndata:é\n\nevent: none\n\ndata\n\n';
const EVENTS = [
  { kind: 'change', data: '{"a":\n2}', id: '1', retryMs: 500 },
  { kind: 'message', data: 'é', id: '1', retryMs: 500 },
  { kind: 'message', data: '', id: '1', retryMs: 500 },
];

suite('server-sent events', () => {
  for (const [name, end] of [
    ['LF', '\n'],
    ['CR', '\r'],
    ['CRLF', '\r\n'],
  ] as const) {
    test(`pieces may end anywhere; lines end with ${name}`, () => {
      const text = TEXT.replaceAll('\n', end);
      for (let size = 1; size <= text.length; size++) {
        const parser = new EventParser();
        const events = [];
        for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
        // A CR at the very end may be half of a CRLF, so it needs the next piece.
        events.push(...parser.push(':'));
        assert.deepEqual(events, EVENTS, `pieces of ${size}`);
      }
    });
  }

  test('a retry that is not a number and an id with NUL are ignored', () => {
    const [event] = new EventParser().push('retry: soon\nid: a\0b\ndata: x\n\n');
    assert.deepEqual(event, { kind: 'message', data: 'x', id: '', retryMs: null });
  });
});
