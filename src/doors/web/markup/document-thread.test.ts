import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { documentHtml } from './document-html.ts';
import { documentsInThread } from './document-thread.ts';

suite('documents that a thread renders', () => {
  test('are the same as without it, in their order', async () => {
    const texts = ['# One\n\nA *word* and `code`.', '## Two\n\n| a | b |\n| - | - |\n| 1 % | 2 |\n', ''];
    const rendered = await documentsInThread(texts);
    assert.deepEqual(
      rendered.map(({ markup }) => markup),
      texts.map((text) => documentHtml(text).markup),
    );
    assert.match(rendered[0]?.markup ?? '', /<em>word<\/em>/);
  });

  test('a text that cannot be rendered rejects', async () => {
    // A value that is no text, as a damaged file would not be.
    await assert.rejects(documentsInThread([null as unknown as string]));
  });
});
