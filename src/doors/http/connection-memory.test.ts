import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryOf } from './connection-memory.ts';

suite('connection memory', () => {
  test('with an empty Authorization, X-Api-Key is used, also on a new connection', () => {
    const memory = memoryOf({});
    assert.equal(memory.keyIn({ authorization: '', 'x-api-key': 'own' }), 'own');
    assert.equal(memory.keyIn({ authorization: '' }), null);
  });

  test('with another scheme than Bearer, X-Api-Key is used, also after a good key', () => {
    const memory = memoryOf({});
    assert.equal(memory.keyIn({ authorization: 'Bearer one' }), 'one');
    assert.equal(memory.keyIn({ authorization: 'Basic abc', 'x-api-key': 'own' }), 'own');
    assert.equal(memory.keyIn({}), null);
  });

  test('a token with a space in it is a credential, not a missing one', () => {
    const memory = memoryOf({});
    assert.equal(memory.keyIn({ authorization: 'Bearer a b' }), 'a b');
    assert.equal(memory.keyIn({ authorization: 'Bearer a b' }), 'a b');
    assert.equal(memory.keyIn({ authorization: 'Bearer' }), null);
    assert.equal(memory.keyIn({ authorization: 'Bearer ' }), null);
  });

  test('alternating keys, as behind a proxy, are not mixed up', () => {
    const memory = memoryOf({});
    const sent = ['Bearer one', 'Bearer two', 'bearer one', 'Bearer one'];
    assert.deepEqual(
      sent.map((authorization) => memory.keyIn({ authorization })),
      ['one', 'two', 'one', 'one'],
    );
  });

  test('the cache key depends on plan and URL', () => {
    const memory = memoryOf({});
    const keys = [
      memory.cacheKeyOf('demo', '/a'),
      memory.cacheKeyOf('pro', '/a'),
      memory.cacheKeyOf('pro', '/b'),
    ];
    for (const part of ['text', 'hash'] as const)
      assert.equal(new Set(keys.map((key) => key[part])).size, keys.length);
    assert.deepEqual(memory.cacheKeyOf('demo', '/a'), keys[0]);
  });

  test('each connection has its own memory', () => {
    const [first, second] = [{}, {}];
    memoryOf(first).keyIn({ authorization: 'Bearer one' });
    assert.equal(memoryOf(second).keyIn({}), null);
    assert.equal(memoryOf(first), memoryOf(first));
  });
});
