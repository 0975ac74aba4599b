import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { memoryOf } from './connection-memory.ts';

suite('what a connection remembers', () => {
  test('an empty Authorization leaves the word to X-Api-Key, on a fresh connection too', () => {
    const memory = memoryOf({});
    assert.equal(memory.keyIn({ authorization: '', 'x-api-key': 'own' }), 'own');
    assert.equal(memory.keyIn({ authorization: '' }), null);
  });

  test('another scheme than Bearer does too, also after a good key', () => {
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

  test('keys that take turns, as behind a proxy, are each their own', () => {
    const memory = memoryOf({});
    const sent = ['Bearer one', 'Bearer two', 'bearer one', 'Bearer one'];
    assert.deepEqual(
      sent.map((authorization) => memory.keyIn({ authorization })),
      ['one', 'two', 'one', 'one'],
    );
  });

  test('a question is that of a plan', () => {
    const memory = memoryOf({});
    const questions = [
      memory.questionOf('demo', '/a'),
      memory.questionOf('pro', '/a'),
      memory.questionOf('pro', '/b'),
    ];
    for (const part of ['text', 'hash'] as const)
      assert.equal(new Set(questions.map((question) => question[part])).size, questions.length);
    assert.deepEqual(memory.questionOf('demo', '/a'), questions[0]);
  });

  test('each connection has its own memory', () => {
    const [first, second] = [{}, {}];
    memoryOf(first).keyIn({ authorization: 'Bearer one' });
    assert.equal(memoryOf(second).keyIn({}), null);
    assert.equal(memoryOf(first), memoryOf(first));
  });
});
