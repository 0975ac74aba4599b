import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { documentHtml } from './document-html.ts';
import { documentInThread } from './document-thread.ts';

suite('a document that a thread renders', () => {
  test('is the same as without it', async () => {
    for (const text of ['# One\n\nA *word* and `code`.', '| a | b |\n| - | - |\n| 1 % | 2 |\n', ''])
      assert.equal((await documentInThread(text)).markup, documentHtml(text).markup);
    assert.match((await documentInThread('A *word*')).markup, /<em>word<\/em>/);
  });

  test('rejects if it cannot be rendered', async () => {
    // A value that is no text, as a damaged file would not be.
    await assert.rejects(documentInThread(null as unknown as string));
  });
});
