import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ConfirmableReplies } from './confirmable-replies.ts';

const MB = 1024 * 1024;
const body = (bytes: number) => ({ bytes: new Uint8Array(bytes), encoding: 'gzip' });

suite('replies that a server can confirm', () => {
  test('the least recently used ones are dropped when they take more than eight megabytes', () => {
    const replies = new ConfirmableReplies();
    for (const name of ['a', 'b', 'c', 'd']) replies.put(name, { etag: name }, body(2 * MB));
    replies.confirmed('a');
    replies.put('e', { etag: 'e' }, body(2 * MB));
    assert.equal(replies.confirmed('b'), null);
    assert.deepEqual(replies.conditions('b'), {});
    assert.deepEqual(replies.conditions('a'), { 'if-none-match': 'a' });
    assert.deepEqual(replies.conditions('e'), { 'if-none-match': 'e' });
  });

  test('a reply that replaces another one counts once', () => {
    const replies = new ConfirmableReplies();
    replies.put('small', { etag: 's' }, body(1));
    for (let i = 0; i < 20; i++) replies.put('large', { etag: String(i) }, body(2 * MB));
    assert.deepEqual(replies.conditions('small'), { 'if-none-match': 's' });
  });

  test('a reply of more than two megabytes is not cached', () => {
    const replies = new ConfirmableReplies();
    replies.put('a', { etag: 'a' }, body(2 * MB + 1));
    assert.equal(replies.confirmed('a'), null);
  });

  test('a reply without ETag and time of the last change is not cached', () => {
    const replies = new ConfirmableReplies();
    replies.put('a', {}, body(10));
    assert.equal(replies.confirmed('a'), null);
  });
});
