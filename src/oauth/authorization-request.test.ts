import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SCOPES } from '../accounts/scopes.ts';
import { requestFault, withKnownScopes } from './authorization-request.ts';

const parametersOf = (url: string) => {
  const [, query = ''] = /^\/oauth\/authorize\?(.*)$/s.exec(url) ?? assert.fail(url);
  return Object.fromEntries(new URLSearchParams(query));
};

suite('scopes of an authorization request', () => {
  test('a literal ? in a value does not cut off the parameters after it', () => {
    const url = withKnownScopes(
      '/oauth/authorize?redirect_uri=app://back?from=x&scope=usage:read&state=a?b&code_challenge=c',
    );
    assert.deepEqual(parametersOf(url), {
      redirect_uri: 'app://back?from=x',
      scope: 'usage:read',
      state: 'a?b',
      code_challenge: 'c',
    });
  });

  test('unknown scopes are dropped', () => {
    const url = withKnownScopes('/oauth/authorize?scope=openid+usage:read+admin&state=s');
    assert.deepEqual(parametersOf(url), { scope: 'openid usage:read', state: 's' });
  });

  for (const query of ['?scope=admin', '?scope=', '?', '']) {
    test(`"${query}" without a known scope requests all of them`, () => {
      assert.equal(parametersOf(withKnownScopes(`/oauth/authorize${query}`)).scope, SCOPES.join(' '));
    });
  }
});

suite('the length of an authorization request', () => {
  for (const [name, mostBytes] of [
    ['state', 2_048],
    ['redirect_uri', 2_048],
    ['client_id', 2_048],
    ['id_token_hint', 2_048],
    ['scope', 1_024],
    ['resource', 1_024],
    ['nonce', 512],
    ['login_hint', 512],
    ['ui_locales', 512],
  ] as const)
    test(`"${name}" may have ${mostBytes} bytes`, () => {
      const urlOf = (value: string) => `/oauth/authorize?${new URLSearchParams({ x: 'y', [name]: value })}`;
      assert.equal(requestFault(urlOf('a'.repeat(mostBytes))), null);
      const fault = `the parameter "${name}" is longer than ${mostBytes} bytes`;
      assert.equal(requestFault(urlOf('a'.repeat(mostBytes + 1))), fault);
      assert.equal(requestFault(urlOf('ä'.repeat(mostBytes / 2 + 1))), fault, 'bytes, not characters');
    });

  test('a repeated parameter counts with all its values', () => {
    const resources = Array.from({ length: 3 }, () => `resource=${'a'.repeat(400)}`).join('&');
    assert.match(requestFault(`/oauth/authorize?${resources}`) ?? '', /"resource" is longer/);
  });

  test('unknown parameters are not stored, so they may be long', () => {
    assert.equal(requestFault(`/oauth/authorize?note=${'a'.repeat(4_000)}`), null);
  });
});
