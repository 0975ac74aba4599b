import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { safePath } from './safe-path.ts';

suite('open redirects', () => {
  for (const attack of [
    '//evil.example',
    '///evil.example',
    '/.//evil.example',
    '/..//evil.example',
    '/./..//evil.example/x',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2E%2e//evil.example',
    '/a/%2e%2e//evil.example',
    '/.///evil.example',
    '/\\evil.example',
    '/.\\/evil.example',
    '\\\\evil.example',
    '/%5cevil.example',
    '/%2fevil.example',
    '/%2F%2Fevil.example',
    '/.%2f/evil.example',
    '/\t/evil.example',
    '/.\n//evil.example',
    '/\u0000/evil.example',
    '/\u202e/evil.example',
    ' //evil.example',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'evil.example',
    '',
    null,
  ]) {
    test(`${JSON.stringify(attack)} leads to the account`, () => {
      assert.equal(safePath(attack, '/account'), '/account');
    });
  }

  for (const [sent, path] of [
    ['/account/keys', '/account/keys'],
    ['/funding?coin=BTC&next=https%3A%2F%2Fa.example', '/funding?coin=BTC&next=https%3A%2F%2Fa.example'],
    ['/a/./b/../c', '/a/c'],
    ['/oauth/interaction/x_-Y', '/oauth/interaction/x_-Y'],
    ['/account#keys', '/account'],
  ] as const) {
    test(`${sent} is followed`, () => {
      assert.equal(safePath(sent, '/'), path);
    });
  }
});
