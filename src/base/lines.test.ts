import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LineTooLong, linesWithin } from './lines.ts';

async function linesOf(...chunks: readonly (string | Uint8Array)[]): Promise<string[]> {
  async function* bytes() {
    for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
  return await Array.fromAsync(linesWithin(bytes(), 10));
}

suite('lines of a file', () => {
  for (const [what, chunks, lines] of [
    ['LF and CRLF, with and without one at the end', ['a\nb\r\n\nc'], ['a', 'b', '', 'c']],
    ['an end of line between two parts', ['a\r', '\nb\n'], ['a', 'b']],
    [
      'a character between two parts',
      [Buffer.from('é').subarray(0, 1), Buffer.from('é\n').subarray(1)],
      ['é'],
    ],
    ['a byte order mark stays', ['\ufeffa\n'], ['\ufeffa']],
    ['as many characters as allowed', ['0123456789\n0123456789'], ['0123456789', '0123456789']],
    ['nothing', [], []],
  ] as const)
    test(what, async () => assert.deepEqual(await linesOf(...chunks), lines));

  test('a line that is too long is named by its number', async () => {
    await assert.rejects(linesOf('a\n01234567890\nb'), (error) => {
      assert.ok(error instanceof LineTooLong);
      return error.line === 2 && error.message === 'the line has more than 10 characters';
    });
  });

  test('a line that never ends is not collected', async () => {
    let parts = 0;
    async function* endless() {
      for (;;) {
        parts++;
        yield Buffer.alloc(8, 'x');
      }
    }
    await assert.rejects(Array.fromAsync(linesWithin(endless(), 10)), LineTooLong);
    assert.equal(parts, 2);
  });
});
