import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { printable } from './printable.ts';

suite('text from outside on a terminal', () => {
  for (const [what, text, shown] of [
    ['an escape sequence', 'a\u001b[2Jb', 'a [2Jb'],
    ['the one-byte form of its start', 'a\u009b31mb', 'a 31mb'],
    ['a title of the window with a bell', '\u001b]0;root\u0007x', ']0;root x'],
    ['lines that look like those of the program', 'no\r\nperpwire: all is well', 'no perpwire: all is well'],
    ['a line separator', 'a\u2028b', 'a b'],
    ['NUL and backspace', 'a\u0000\bb', 'a b'],
    ['a right-to-left override', 'a\u202eb', 'a b'],
    ['plain words, also of other languages', 'Übertragung 完了 👩‍💻', 'Übertragung 完了 👩‍💻'],
  ] as const)
    test(what, () => assert.equal(printable(text), shown));
});
