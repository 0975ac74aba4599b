import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { checkName } from './account-store.ts';

suite('names of accounts and keys', () => {
  for (const [what, name] of [
    ['nothing', ''],
    ['spaces', '  \u3000'],
    ['only invisible characters', '\u200b\u2060\ufeff'],
    ['a Hangul filler', '\u3164'],
    ['a line break', 'bot\r\nadmin'],
    ['a line separator', 'bot\u2028admin'],
    ['an escape sequence of a terminal', '\u001b[31mbot'],
    ['a right-to-left override', 'bot\u202enimda'],
    ['a bidi isolate', '\u2066bot\u2069'],
    ['101 characters', 'x'.repeat(101)],
  ] as const)
    test(`refused: ${what}`, () => {
      assert.throws(() => checkName(name), /A name has 1 to 100 characters/);
    });

  for (const name of ['Trading bot', 'مساعد', '👩‍💻 desk', 'x'.repeat(100)])
    test(`accepted: ${name.slice(0, 20)}`, () => {
      assert.equal(checkName(` ${name} `), name);
    });
});
