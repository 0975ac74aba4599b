import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cellText, tableText } from './table.ts';

const ROWS = [
  { venue: 'OKX', kind: 'crypto', coin: '币安', rate_pct: 0.01, volume: 1234567.8 },
  { venue: 'Binance', kind: 'crypto', coin: 'BTC', rate_pct: -0.5, volume: null },
];
const PLAIN = { hasColor: false, maxWidth: null };

suite('tables of the command line', () => {
  test('numbers are aligned right, texts left, wide characters count twice', () => {
    assert.deepEqual(tableText(ROWS, PLAIN).text.split('\n'), [
      'venue    kind    coin  rate_pct     volume',
      'OKX      crypto  币安      0.01  1,234,568',
      'Binance  crypto  BTC       -0.5          -',
      '',
    ]);
  });

  test('what does not fit is left out, columns without differences first', () => {
    const { text, hidden } = tableText(ROWS, { hasColor: false, maxWidth: 25 });
    assert.equal(text.split('\n')[0], 'venue    coin  rate_pct');
    assert.deepEqual(hidden, ['kind', 'volume']);
    assert.deepEqual(tableText(ROWS, { hasColor: false, maxWidth: 1 }).hidden.length, 4, 'one column stays');
  });

  test('colours: gains green, losses red, unknown dim', () => {
    const { text } = tableText(ROWS, { ...PLAIN, hasColor: true });
    assert.ok(text.includes('\x1b[32m    0.01\x1b[0m'));
    assert.ok(text.includes('\x1b[31m    -0.5\x1b[0m'));
    assert.ok(text.includes('\x1b[2m        -\x1b[0m'));
  });

  for (const [value, expected] of [
    [0.000012345678, '0.0000123457'],
    [99_999.5, '99999.5'],
    [-100_000.4, '-100,000'],
    [true, 'yes'],
    [null, '-'],
    [['a', 1], 'a 1'],
    ['2026-11-15T12:00:00Z', '2026-11-15 12:00:00'],
    ['a\x1b[31mb\n', 'a?[31mb?'],
  ] as const) {
    test(`${JSON.stringify(value)} is shown as ${expected}`, () => assert.equal(cellText(value), expected));
  }
});
