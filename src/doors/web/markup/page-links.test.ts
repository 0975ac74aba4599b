import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { linkChanged, linkTo, linkWith } from './page-links.ts';

const SENT = new Map([
  ['coin', ['BTC', 'ETH']],
  ['q', ['a b&c="<é>']],
  ['cursor', ['abc']],
  ['sort', ['apr_desc']],
]);

suite('links of a page to itself', () => {
  test('every value survives encoding, also with special characters', () => {
    const link = linkTo('/funding', SENT);
    assert.match(link, /^\/funding\?[\w.*%=&+,-]+$/);
    assert.deepEqual(
      [...new URL(link, 'http://here').searchParams],
      [...SENT].map(([name, values]) => [name, values.join(',')]),
    );
  });

  test('a change replaces a value, and the cursor of the old query is dropped', () => {
    const query = new URL(linkWith('/funding', SENT, { sort: 'coin_asc', at: '2026-11-15' }), 'http://here')
      .searchParams;
    assert.deepEqual(Object.fromEntries(query), {
      coin: 'BTC,ETH',
      q: 'a b&c="<é>',
      sort: 'coin_asc',
      at: '2026-11-15',
    });
    const next = new URL(linkWith('/funding', SENT, { cursor: 'x=/+' }), 'http://here').searchParams;
    assert.deepEqual(next.getAll('cursor'), ['x=/+']);
  });

  test('changes of the whole query keep the places of its values, and undefined removes one', () => {
    const change = { coin: 'SOL', cursor: undefined, at: 'x=/+', not: undefined };
    assert.deepEqual(
      [...new URL(linkChanged('/funding', SENT, change), 'http://here').searchParams],
      [
        ['coin', 'SOL'],
        ['q', 'a b&c="<é>'],
        ['sort', 'apr_desc'],
        ['at', 'x=/+'],
      ],
    );
    assert.equal(linkChanged('/funding', new Map([['page', ['2']]]), { page: undefined }), '/funding');
    assert.equal(linkChanged('/funding', new Map([['constructor', ['2']]]), {}), '/funding?constructor=2');
  });

  test('names are encoded too, and an empty query adds nothing to the path', () => {
    const query = new URL(linkTo('/funding', new Map([['a&b', ['1']]])), 'http://here').searchParams;
    assert.deepEqual([...query], [['a&b', '1']]);
    assert.equal(linkTo('/funding', new Map()), '/funding');
    assert.equal(linkWith('/funding', new Map([['cursor', ['abc']]]), {}), '/funding');
  });
});
