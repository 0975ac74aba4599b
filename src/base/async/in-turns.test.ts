import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inTurns } from './in-turns.ts';

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
