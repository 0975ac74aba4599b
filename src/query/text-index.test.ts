import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { TableBuilder } from '../market/tables/table-builder.ts';
import { hasRow, wordsFor } from './row-bits.ts';
import { textIndex } from './text-index.ts';

function indexOf(notes: readonly (string | null)[]) {
  const builder = new TableBuilder({
    name: 'notes',
    columns: [{ name: 'note', type: 'text', nullable: true, description: '' }],
  });
  for (const note of notes) builder.add({ note });
  const index = textIndex(builder.build(), 'note');
  return (...names: string[]) => {
    const bits = new Uint32Array(wordsFor(notes.length));
    index.add(names, bits);
    return [...notes.keys()].filter((row) => hasRow(bits, row));
  };
}

suite('the index of a text column', () => {
  const rowsOf = indexOf(['b', null, 'a', 'b', '__proto__', '']);

  test('finds the rows of each text', () => assert.deepEqual(rowsOf('b', 'a'), [0, 2, 3]));
  test('takes a name that is given twice', () => assert.deepEqual(rowsOf('a', 'a'), [2]));
  test('leaves out what does not occur', () => assert.deepEqual(rowsOf('c', 'toString'), []));
  test('an empty text is not null', () => assert.deepEqual(rowsOf(''), [5]));
  test('a prototype name is a text like any other', () => assert.deepEqual(rowsOf('__proto__'), [4]));

  test('finds a rare text as well as a frequent one', () => {
    const find = indexOf(Array.from({ length: 300 }, (_, row) => (row % 100 === 7 ? 'few' : 'many')));
    assert.deepEqual(find('few'), [7, 107, 207]);
    assert.equal(find('many').length, 297);
    assert.equal(find('many', 'few').length, 300);
  });
});
