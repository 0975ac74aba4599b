import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { credentialIn } from './credential.ts';

suite('the credential of a request', () => {
  test('is the Bearer value, in any case of the scheme', () => {
    assert.equal(credentialIn({ authorization: 'Bearer one' }), 'one');
    assert.equal(credentialIn({ authorization: 'bearer  two' }), 'two');
    assert.equal(credentialIn({ authorization: 'Bearer one', 'x-api-key': 'own' }), 'one');
  });

  test('is X-Api-Key when Authorization is absent, empty or of another scheme', () => {
    assert.equal(credentialIn({ 'x-api-key': 'own' }), 'own');
    assert.equal(credentialIn({ authorization: '', 'x-api-key': 'own' }), 'own');
    assert.equal(credentialIn({ authorization: 'Basic abc', 'x-api-key': 'own' }), 'own');
  });

  test('with a space in it is a credential, not a missing one', () => {
    assert.equal(credentialIn({ authorization: 'Bearer a b' }), 'a b');
  });

  test('is missing without a value', () => {
    for (const authorization of ['', 'Bearer', 'Bearer ', 'Basic abc'])
      assert.equal(credentialIn({ authorization }), null, authorization);
    assert.equal(credentialIn({}), null);
    assert.equal(credentialIn({ 'x-api-key': '' }), null);
  });
});
