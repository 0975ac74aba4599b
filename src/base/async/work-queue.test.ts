import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { QueueFullError, WorkQueue } from './work-queue.ts';

suite('work queue', () => {
  test('runs at most the given number at a time, in order, and refuses what cannot wait', async () => {
    const queue = new WorkQueue({ running: 2, waiting: 3 });
    const started: number[] = [];
    const finish: (() => void)[] = [];
    const add = (number: number) =>
      queue.run(() => {
        started.push(number);
        return new Promise<number>((resolve) => finish.push(() => resolve(number)));
      });
    const added = [1, 2, 3, 4, 5].map(add);
    await assert.rejects(add(6), QueueFullError);
    assert.deepEqual(started, [1, 2]);
    finish[1]?.();
    assert.equal(await added[1], 2);
    assert.deepEqual(started, [1, 2, 3]);
    const late = add(7);
    for (let i = 0; i < 6; i++) {
      finish[i]?.();
      await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(await Promise.all([...added, late]), [1, 2, 3, 4, 5, 7]);
    assert.deepEqual(started, [1, 2, 3, 4, 5, 7]);
  });

  test('a task that is aborted while it waits leaves at once, and its place is free', async () => {
    const queue = new WorkQueue({ running: 1, waiting: 1 });
    const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
    const first = queue.run(() => isHeld);
    const leaving = new AbortController();
    const left = queue.run(async () => assert.fail('must not run'), leaving.signal);
    leaving.abort(new Error('hung up'));
    await assert.rejects(left, /hung up/);
    const next = queue.run(async () => 'done', new AbortController().signal);
    release();
    await first;
    assert.equal(await next, 'done');
    await assert.rejects(
      queue.run(async () => assert.fail('must not run'), leaving.signal),
      /hung up/,
    );
    assert.equal(await queue.run(async () => 'again'), 'again');
  });

  test('a task that fails makes room for the next', async () => {
    const queue = new WorkQueue({ running: 1, waiting: 1 });
    const failed = queue.run(() => Promise.reject(new Error('broken')));
    const next = queue.run(async () => 'done');
    await assert.rejects(failed, /broken/);
    assert.equal(await next, 'done');
    assert.equal(await queue.run(async () => 'again'), 'again');
  });
});
