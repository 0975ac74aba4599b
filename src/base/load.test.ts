import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { LoadStages } from './load.ts';

const GRACE_MS = 60_000;

/** A process that runs and is stopped in turns; while it runs, its timer ticks every 50 ms. */
function dutyCycle() {
  let nowMs = 0;
  const changes: number[] = [];
  const stages = new LoadStages(0, (stage) => changes.push(stage));
  const tick = (gapMs: number) => {
    nowMs += gapMs;
    stages.tick(nowMs);
  };
  const run = (runMs: number, stoppedMs: number, forMs: number) => {
    for (const endMs = nowMs + forMs; nowMs < endMs; ) {
      for (let i = 0; i < runMs; i += 50) tick(50);
      if (stoppedMs > 0) tick(stoppedMs);
    }
  };
  return { stages, changes, run };
}

suite('load stages', () => {
  test('the average wait of an event: half of a stop, for the share of the time that is stopped', () => {
    const { stages, run } = dutyCycle();
    run(1000, 0, 20_000);
    assert.equal(Math.round(stages.waitMs), 25);
    run(2000, 2000, 20_000);
    assert.ok(stages.waitMs > 450 && stages.waitMs < 700, String(stages.waitMs));
  });

  test('a starved process stops one thing after the other, and starts them again in reverse', () => {
    const { stages, changes, run } = dutyCycle();
    run(1000, 0, GRACE_MS);
    run(2000, 6000, 60_000);
    assert.deepEqual(changes, [1, 2, 3, 4, 5]);
    run(1000, 0, 200_000);
    assert.deepEqual(changes, [1, 2, 3, 4, 5, 4, 3, 2, 1, 0]);
    assert.equal(stages.stage, 0);
  });

  test('half a core in short turns delays nobody much, and stops nothing', () => {
    const { changes, run } = dutyCycle();
    run(1000, 0, GRACE_MS);
    run(200, 200, 120_000);
    assert.deepEqual(changes, []);
  });

  test('half a core in turns of two seconds stops background work, but no requests', () => {
    const { changes, run } = dutyCycle();
    run(1000, 0, GRACE_MS);
    run(2000, 2000, 120_000);
    assert.ok(changes.length > 0 && Math.max(...changes) <= 3, String(changes));
  });

  test('neither a long start nor single pauses of seconds stop anything', () => {
    const { changes, run } = dutyCycle();
    run(100, 5000, GRACE_MS - 15_000);
    run(1000, 0, 20_000);
    for (let i = 0; i < 5; i++) {
      run(60_000, 0, 60_000);
      run(50, 2000, 2000);
    }
    assert.deepEqual(changes, []);
  });
});
