import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { createLog } from './log.ts';

/** The lines that are written. */
function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('info', { write: (line: string) => lines.push(line) }));
  for (const line of lines) JSON.parse(line);
  return lines.join('');
}

suite('the log hides', () => {
  for (const [what, text, shown] of [
    ['an address', 'no account for ada@example.com here', 'no account for [address] here'],
    ['an address in brackets', "550 <Ada.O'Neill+x@mail.example>", '550 <[address]>'],
    [
      'a key value of PostgreSQL',
      'Key (email)=(ada@example.com) already exists.',
      'Key (email)=([address]) already exists.',
    ],
    [
      'the password of a URL',
      'redis://default:secret@redis.example:6379/0',
      'redis://default:[address]:6379/0',
    ],
    ['an API key', 'header pw_live_0123456789abcdefgh', 'header pw_live_[hidden]'],
  ] as const)
    test(`${what}: in a message, in a field, and in an error with its cause`, () => {
      const error = Object.assign(new Error(text, { cause: new Error(text) }), { detail: text });
      for (const lines of [
        logged((log) => log.info(text)),
        logged((log) => log.info({ reason: { text } }, 'failed')),
        logged((log) => log.error({ err: error }, 'failed')),
      ]) {
        assert.ok(lines.includes(shown), lines);
        assert.ok(!lines.includes(text), lines);
      }
    });

  test('nothing of the places of code', () => {
    const path = 'file:///srv/node_modules/@scope/package/index.js:1:2';
    assert.ok(logged((log) => log.info(path)).includes(path));
  });
});
