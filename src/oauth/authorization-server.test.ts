import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SCOPES } from '../accounts/scopes.ts';
import { withKnownScopes } from './authorization-server.ts';

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
