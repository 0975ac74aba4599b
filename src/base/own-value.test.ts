import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ownValue } from './own-value.ts';

suite('the own value of a record', () => {
  test('is found under its word', () => assert.equal(ownValue({ k: 1e3 }, 'k'), 1e3));
  for (const word of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'm', ''])
    test(`there is none under "${word}"`, () => assert.equal(ownValue({ k: 1e3 }, word), undefined));
});
