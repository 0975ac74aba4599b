import fc from 'fast-check';

/** Names that objects have by themselves, which code that uses texts as keys may confuse with entries. */
const INHERITED = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'length',
  'prototype',
];

/**
 * Texts of any code points. The same as fast-check's strings of the unit `binary`, which first makes a table of all of Unicode:
 * that takes two seconds of CPU time in each process.
 */
export function anyText({ maxLength = 10 } = {}): fc.Arbitrary<string> {
  const codePoint = fc.oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  );
  const texts = fc.array(codePoint, { maxLength }).map((points) => String.fromCodePoint(...points));
  const inherited = INHERITED.filter(({ length }) => length <= maxLength);
  return inherited.length === 0
    ? texts
    : fc.oneof({ arbitrary: texts, weight: 9 }, { arbitrary: fc.constantFrom(...inherited), weight: 1 });
}
