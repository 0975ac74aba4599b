import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AnswerCache } from './answer-cache.ts';

const kept = (bytes: number) => ({ bytes });

class AnswerCacheWith extends AnswerCache<{ bytes: number }> {
  constructor(key: string, answer: { bytes: number }) {
    super(10_000);
    this.set(key, answer);
  }
}

suite('answer cache', () => {
  test('never holds more than its bytes, keys included', () => {
    const cache = new AnswerCache<{ bytes: number }>(100_000);
    for (let i = 0; i < 5000; i++) {
      cache.set(`pro /api/v1/funding?_=${'x'.repeat(i % 700)}${i}`, kept(i % 3000));
      assert.ok(cache.calculatedSize <= 100_000, `${cache.calculatedSize} bytes`);
    }
    assert.ok(cache.calculatedSize > 40_000, 'and uses most of them');
  });

  test('keeps what is used again and drops the rest', () => {
    const cache = new AnswerCache<{ bytes: number }>(40_000);
    cache.set('hot', kept(1000));
    cache.set('cold', kept(1000));
    for (let i = 0; i < 100; i++) {
      cache.set(`other ${i}`, kept(1000));
      assert.ok(cache.get('hot'), `after ${i} others`);
    }
    assert.equal(cache.get('cold'), undefined);
  });

  test('an answer over half of it is not kept, and a new answer replaces the old one', () => {
    const cache = new AnswerCache<{ bytes: number }>(10_000);
    cache.set('a', kept(9000));
    assert.equal(cache.get('a'), undefined);
    const [old, fresh] = [kept(10), kept(20)];
    cache.set('a', old);
    cache.set('a', fresh);
    assert.equal(cache.get('a'), fresh);
    assert.equal(
      cache.calculatedSize,
      new AnswerCacheWith('a', fresh).calculatedSize,
      'the old one is no longer counted',
    );
  });
});
