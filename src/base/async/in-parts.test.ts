import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inParts } from './in-parts.ts';

suite('work in parts', () => {
  test('all items, in order, and never more than a part at once', async () => {
    for (const count of [0, 1, 3, 4, 10]) {
      const items = Array.from({ length: count }, (_, i) => i);
      const parts = await Array.fromAsync(inParts(items, 3));
      assert.deepEqual(parts.flat(), items);
      assert.ok(parts.every(({ length }) => length >= 1 && length <= 3));
    }
  });

  test('other work is done between two parts', async () => {
    const done: string[] = [];
    setImmediate(() => done.push('other work'));
    for await (const [item] of inParts(['first', 'second'], 1)) done.push(item ?? '');
    assert.deepEqual(done, ['first', 'other work', 'second']);
  });

  test('items are made when they are needed', async () => {
    let made = 0;
    function* items() {
      for (;;) yield made++;
    }
    for await (const part of inParts(items(), 5)) {
      assert.equal(part.length, 5);
      break;
    }
    assert.equal(made, 5);
  });
});
