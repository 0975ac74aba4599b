import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { redirectFault } from './redirects.ts';

suite('redirects of clients', () => {
  for (const allowed of [
    'https://assistant.example/callback',
    'https://assistant.example:8443/callback?from=perpwire',
    'http://127.0.0.1:4711/callback',
    'http://localhost/callback',
    'http://[::1]:4711/callback',
    'com.example.app:/callback',
    'com.example.app://oauth/callback',
  ]) {
    test(`${allowed} is allowed`, () => {
      assert.equal(redirectFault(allowed), null);
    });
  }

  for (const [attack, redirect] of [
    ['plain http', 'http://assistant.example/callback'],
    ['a host that only begins like loopback', 'http://127.0.0.1.evil.example/callback'],
    ['script', 'javascript:alert(1)'],
    ['script with a domain', 'javascript://assistant.example/%0aalert(1)'],
    ['inline data', 'data:text/html,hello'],
    ['an app scheme without a domain', 'app://callback'],
    ['a scheme of the system', 'ms-settings:privacy'],
    ['a mail program', 'mailto:eve@evil.example'],
    ['a scheme of the browser', 'view-source:https://evil.example'],
    ['a search handler', 'search-ms:query=x'],
    ['an intent', 'intent://evil.example#Intent;end'],
    ['a file', 'file:///etc/passwd'],
    ['a scheme that ends with a dot', 'com.:/callback'],
    ['a user name', 'https://user@assistant.example/callback'],
    ['a fragment', 'https://assistant.example/callback#x'],
    ['a dot at the end of the host', 'https://assistant.example./callback'],
    ['a backslash', 'https://assistant.example\\@evil.example/callback'],
    ['a control character', 'https://assistant.example/\u0009callback'],
    ['a space', ' https://assistant.example/callback'],
    ['a bidi override', 'https://assistant.example/\u202ecallback'],
    ['no scheme', '//assistant.example/callback'],
    ['more than 2,000 characters', `https://assistant.example/${'z'.repeat(2_000)}`],
  ] as const) {
    test(`${attack} is refused`, () => {
      assert.notEqual(redirectFault(redirect), null);
    });
  }
});
