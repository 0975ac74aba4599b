import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isTurnAwaited, nextTurn } from './next-turn.ts';

suite('the next turn of the event loop', () => {
  test('comes for one of several computations at a time, in the order in which they wait', async () => {
    let turn = 0;
    const count = () => {
      turn++;
      if (turn < 20) setImmediate(count);
    };
    setImmediate(count);
    const steps: { name: string; turn: number }[] = [];
    const compute = async (name: string) => {
      for (let step = 0; step < 3; step++) {
        await nextTurn();
        steps.push({ name, turn });
      }
    };
    await Promise.all(['a', 'b', 'c'].map(compute));
    assert.equal(steps.map(({ name }) => name).join(''), 'abcabcabc');
    assert.equal(new Set(steps.map((step) => step.turn)).size, 9, 'each step has a turn of its own');
  });

  test('comes again after all have gone on', async () => {
    await nextTurn();
    const next = nextTurn();
    assert.equal(isTurnAwaited(), true);
    await next;
    assert.equal(isTurnAwaited(), false);
  });
});
