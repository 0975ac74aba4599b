import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { csvCell, csvOf, csvOfObjects, textOfCell } from './csv.ts';

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
    ['a full-width equals sign', '＝1+1', "'＝1+1"],
    ['a full-width plus sign', '＋cmd', "'＋cmd"],
    ['a full-width minus sign', '－cmd', "'－cmd"],
    ['a full-width at sign', '＠SUM(A1)', "'＠SUM(A1)"],
    ['a full-width sign inside', 'a＝1', 'a＝1'],
    ['a tab at the start', '\t=1', '"\'\t=1"'],
    ['a carriage return at the start', '\r=1', '"\'\r=1"'],
    ['a line feed at the start', '\n=1', '"\'\n=1"'],
    ['both at the start', '\r\n=1', '"\'\r\n=1"'],
    ['an apostrophe before a formula', "'=1", "''=1"],
    ['an apostrophe before a word', "'tis", "'tis"],
    ['a semicolon', 'a;b', '"a;b"'],
    ['a formula after a semicolon', 'a;=1+1', '"a;=1+1"'],
    ['a tab inside', 'a\tb', '"a\tb"'],
    ['a carriage return inside', 'a\rb', '"a\rb"'],
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

  test('a reader gets back every text, whatever it starts with', () => {
    for (const start of ['', ...'=+-@＝＋－＠\t\r\n;\',"', "'=", "''=", '-1', "'-1"])
      for (const text of [start, `${start}1+1`, `${start}a"b;c,d`]) {
        const cell = csvCell(text);
        const unquoted = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
        assert.equal(textOfCell(unquoted), text, JSON.stringify(text));
      }
  });

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
