import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { textHash } from './text-hash.ts';

suite('textHash', () => {
  test('is FNV-1a: published values', () => {
    assert.equal(textHash(''), 0x811c9dc5);
    assert.equal(textHash('a'), 0xe40c292c);
    assert.equal(textHash('foobar'), 0xbf9cf968);
  });

  test('one altered character always shows', () => {
    const text = 'funding.mfx3k2.0.1a2b3c4d.2s';
    for (let i = 0; i < text.length; i++)
      for (const other of '0z.~')
        if (other !== text[i])
          assert.notEqual(textHash(text.slice(0, i) + other + text.slice(i + 1)), textHash(text));
  });

  test('the seed makes it another one', () => {
    assert.notEqual(textHash('a', 1), textHash('a', 2));
  });
});
