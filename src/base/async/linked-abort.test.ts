import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { linkedAbort } from './linked-abort.ts';

suite('linked abort', () => {
  test('follows its parent, with the parent’s reason', () => {
    const parent = new AbortController();
    const linked = linkedAbort(parent.signal);
    parent.abort(new Error('stopped'));
    assert.match(String(linked.signal.reason), /stopped/);
  });

  test('of a parent that has aborted already is aborted from the start', () => {
    assert.equal(linkedAbort(AbortSignal.abort()).signal.aborted, true);
  });

  test('aborts on its own without touching the parent', () => {
    const parent = new AbortController();
    const linked = linkedAbort(parent.signal);
    linked.abort();
    assert.deepEqual([linked.signal.aborted, parent.signal.aborted], [true, false]);
  });

  test('leaves no listener on the parent after its release', () => {
    const parent = new AbortController();
    for (let i = 0; i < 1000; i++) linkedAbort(parent.signal).release();
    assert.equal(getEventListeners(parent.signal, 'abort').length, 0);
  });
});
