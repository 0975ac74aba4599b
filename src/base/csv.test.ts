import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { csvOf, csvOfObjects } from './csv.ts';

suite('CSV', () => {
  for (const [what, value, written] of [
    ['a text', 'BTC-USDT', 'BTC-USDT'],
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'say "x"', '"say ""x"""'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['a formula', '=1+1', "'=1+1"],
    ['a formula with a quote', '=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
    ['a plus sign', '+cmd', "'+cmd"],
    ['a minus sign', '-cmd', "'-cmd"],
    ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
    ['a tab', '\t=1', "'\t=1"],
    ['a negative number', -0.01, '-0.01'],
    ['a small number', -1e-7, '-1e-7'],
    ['a number as text', '-0.01', '-0.01'],
    ['a sum as text', '-1+1', "'-1+1"],
    ['a truth value', true, 'true'],
    ['null', null, ''],
    ['an empty text', '', ''],
  ] as const) {
    test(what, () => assert.equal(csvOf(['a', 'b'], [[value, 1]]), `a,b\r\n${written},1\r\n`));
  }

  test('without rows there is a header line', () => {
    assert.equal(csvOf(['a', 'b'], []), 'a,b\r\n');
    assert.equal(csvOfObjects([], ['a', 'b']), 'a,b\r\n');
  });

  test('objects have the columns of the first one', () => {
    assert.equal(
      csvOfObjects(
        [
          { x: 1, y: null },
          { x: 2, y: 'z' },
        ],
        ['a'],
      ),
      'x,y\r\n1,\r\n2,z\r\n',
    );
  });
});
