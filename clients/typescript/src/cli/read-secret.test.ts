import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { suite, test } from 'node:test';
import type { ReadStream } from 'node:tty';
import { readSecret } from './read-secret.ts';

/** A terminal that notes in which order it is used. */
function terminal() {
  const steps: string[] = [];
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (isRaw: boolean) => steps.push(isRaw ? 'hidden' : 'shown'),
  });
  const stderr = { write: (text: string) => steps.push(text) };
  return { steps, stdin, read: () => readSecret('Key: ', stdin as unknown as ReadStream, stderr) };
}

suite('the prompt for a key', () => {
  test('nothing that is typed is shown, from the prompt on', async () => {
    const { steps, stdin, read } = terminal();
    const typed = read();
    stdin.write('ab');
    stdin.write('x\x7fc\rignored');
    assert.equal(await typed, 'abc');
    assert.deepEqual(steps, ['hidden', 'Key: ', 'shown', '\n']);
  });

  test('a pipe has the key in its first line and gets no prompt', async () => {
    const { steps, stdin, read } = terminal();
    stdin.isTTY = false;
    stdin.end('key\nmore\n');
    assert.equal(await read(), 'key');
    assert.deepEqual(steps, []);
  });
});
