import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { sentValues } from './sent-values.ts';

/** Every name that the queries below hold. */
const NAMES = ['coin', 'sort', 'a', 'b', '', 'a b', '?a', '__proto__', 'constructor', 'é', ',', 'ab', '+'];

function asTheStandardReads(query: string): [string, string[]][] {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    if (NAMES.includes(name)) values.set(name, [...(values.get(name) ?? []), value]);
  return [...values];
}

suite('values sent in an address', () => {
  for (const query of [
    'coin=BTC%2CETH&sort=rate_asc',
    'a=1&b=2&a=3',
    '&&a=1&',
    'a',
    'a=',
    '=b',
    '=',
    'a=b=c',
    'a==&=a',
    'a+b=c+d',
    'a=%',
    'a=%4',
    'a=%zz&b=%41',
    'a=%ff%41',
    'a=%ed%a0%80',
    'a=%EF%BB%BFx',
    'a=%00',
    '%61=%26%3D',
    '?a=1',
    'a=1?b=2',
    '__proto__=1&constructor=2',
  ]) {
    test(`"${query}" is read as URLSearchParams reads it`, () => {
      assert.deepEqual([...sentValues(`/x?${query}`, {}, NAMES)], asTheStandardReads(`?${query}`));
    });
  }

  test('any mixture of separators, escapes and text too', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '&',
      '=',
      '%',
      '%2',
      '%2C',
      '%c3%a9',
      '%e2%82',
      '+',
      'é',
      '?',
      ',',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const query = pieces.join('');
        assert.deepEqual([...sentValues(`/x?${query}`, {}, NAMES)], asTheStandardReads(`?${query}`));
      }),
    );
  });

  test('an address without a query has none', () => {
    assert.deepEqual([...sentValues('/x', {}, NAMES), ...sentValues('/x?', {}, NAMES)], []);
  });

  test('other names are left out', () => {
    assert.deepEqual([...sentValues('/x?coin=BTC&other=1', {}, ['coin'])], [['coin', ['BTC']]]);
  });

  test('a value from the path is not replaced by one of the query', () => {
    assert.deepEqual([...sentValues('/x/BTC?coin=ETH', { coin: 'BTC' }, ['coin'])], [['coin', ['BTC']]]);
  });
});
