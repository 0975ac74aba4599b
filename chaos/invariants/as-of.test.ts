import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { AsOfWatch } from './as-of.ts';

suite('as_of', () => {
  const NOW_MS = Date.UTC(2026, 5, 1);

  test('it may stay or advance, for each path on its own', () => {
    const watch = new AsOfWatch();
    assert.deepEqual(watch.note('/a', NOW_MS - 10, NOW_MS), []);
    assert.deepEqual(watch.note('/a', NOW_MS - 10, NOW_MS), []);
    assert.deepEqual(watch.note('/b', NOW_MS - 20, NOW_MS), []);
  });

  test('backwards is a violation, also after the first time', () => {
    const watch = new AsOfWatch();
    watch.note('/a', NOW_MS - 10, NOW_MS);
    for (const agoMs of [20, 15])
      assert.match(watch.note('/a', NOW_MS - agoMs, NOW_MS).join(), /backwards: \/a/);
  });

  test('after a documented step back it starts again', () => {
    const watch = new AsOfWatch();
    watch.note('/a', NOW_MS, NOW_MS);
    watch.forget();
    assert.deepEqual(watch.note('/a', NOW_MS - 3_600_000, NOW_MS - 3_600_000), []);
  });

  test('an undisturbed service publishes: more than five minutes behind is a violation', () => {
    const watch = new AsOfWatch();
    assert.deepEqual(watch.note('/a', NOW_MS - 300_001, NOW_MS), []);
    assert.deepEqual(watch.note('/a', NOW_MS - 300_000, NOW_MS, true), []);
    assert.match(watch.note('/a', NOW_MS - 300_000, NOW_MS + 1, true).join(), /stands still/);
  });

  test('more than five seconds ahead of the clock is a violation', () => {
    const watch = new AsOfWatch();
    assert.deepEqual(watch.note('/a', NOW_MS + 5_000, NOW_MS), []);
    assert.match(watch.note('/a', NOW_MS + 5_001, NOW_MS).join(), /in the future/);
  });
});
