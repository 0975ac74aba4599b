import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { byteRange } from './range.ts';

suite('the Range header', () => {
  for (const [header, wanted] of [
    [undefined, null],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=-8', { start: 92, end: 99 }],
    ['bytes=-500', { start: 0, end: 99 }],
    ['bytes=50-5000', { start: 50, end: 99 }],
    ['bytes=99-99', { start: 99, end: 99 }],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=9-3', null],
    ['bytes=-', null],
    ['bytes=0-1,5-6', null],
    ['rows=0-9', null],
    ['bytes=a-b', null],
  ] as const) {
    test(`${header ?? 'none'} of 100 bytes`, () => assert.deepEqual(byteRange(header, 100), wanted));
  }

  test('an empty file has no range', () => {
    assert.equal(byteRange('bytes=0-', 0), 'unsatisfiable');
    assert.equal(byteRange('bytes=-5', 0), 'unsatisfiable');
  });
});
