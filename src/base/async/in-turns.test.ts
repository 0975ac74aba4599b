import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inTurns, inTurnsIfLong } from './in-turns.ts';

suite('a computation in turns', () => {
  test('other events come between its steps, and its result is that of all steps', async () => {
    const seen: string[] = [];
    function* steps(): Generator<undefined, number, undefined> {
      for (let step = 1; step <= 3; step++) {
        seen.push(`step ${step}`);
        // Queued before the pause after this step, so it runs before the next one.
        setImmediate(() => seen.push(`event ${step}`));
        yield;
      }
      return seen.length;
    }
    assert.equal(await inTurns(steps()), 6);
    assert.deepEqual(seen, ['step 1', 'event 1', 'step 2', 'event 2', 'step 3', 'event 3']);
  });

  test('an error of a step rejects', async () => {
    function* steps(): Generator<undefined, number, undefined> {
      yield;
      throw new Error('of the second step');
    }
    await assert.rejects(inTurns(steps()), /of the second step/);
  });
});

suite('a computation whose steps take long only sometimes', () => {
  function* steps(workMs: number): Generator<undefined, string, undefined> {
    for (let step = 0; step < 3; step++) {
      const untilMs = performance.now() + workMs;
      while (performance.now() < untilMs);
      yield;
    }
    return 'all';
  }

  test('long steps have turns between them, and the caller goes on in another turn', async () => {
    let turns = 0;
    const count = () => {
      turns++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    assert.equal(await inTurnsIfLong(steps(5)), 'all');
    clearImmediate(counting);
    assert.ok(turns >= 3, `${turns} turns`);
  });

  test('an error of a step rejects', async () => {
    // biome-ignore lint/correctness/useYield: it fails before the first one.
    function* failing(): Generator<undefined, string, undefined> {
      throw new Error('of the first step');
    }
    await assert.rejects(inTurnsIfLong(failing()), /of the first step/);
  });
});
