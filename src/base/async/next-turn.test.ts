import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { suite, test } from 'node:test';
import { isTurnAwaited, nextTurn, wholeTurn } from './next-turn.ts';

suite('the next turn of the event loop', () => {
  test('comes for one of several computations at a time, in the order in which they wait', async () => {
    let turn = 0;
    const count = () => {
      turn++;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const steps: { name: string; turn: number }[] = [];
    const compute = async (name: string) => {
      for (let step = 0; step < 3; step++) {
        await nextTurn();
        steps.push({ name, turn });
      }
    };
    await Promise.all(['a', 'b', 'c'].map(compute));
    clearImmediate(counting);
    assert.equal(steps.map(({ name }) => name).join(''), 'abcabcabc');
    assert.equal(new Set(steps.map((step) => step.turn)).size, 9, 'each step has a turn of its own');
  });

  test('comes after a turn that was long already', async () => {
    const seen: string[] = [];
    const work = () => {
      const untilMs = performance.now() + 6;
      while (performance.now() < untilMs);
    };
    // What comes before has seen the last turn, so this one is known to begin here.
    await nextTurn();
    setImmediate(() => {
      work();
      seen.push('end of the long turn');
      setImmediate(() => seen.push('end of the next turn'));
    });
    await nextTurn();
    seen.push('went on');
    assert.deepEqual(seen, ['end of the long turn', 'end of the next turn', 'went on']);
  });

  test('comes even if all turns are long', async () => {
    const work = () => {
      const untilMs = performance.now() + 6;
      while (performance.now() < untilMs);
      working = setImmediate(work);
    };
    let working = setImmediate(work);
    await nextTurn();
    clearImmediate(working);
  });

  test('comes again after all have gone on', async () => {
    await nextTurn();
    const next = nextTurn();
    assert.equal(isTurnAwaited(), true);
    await next;
    assert.equal(isTurnAwaited(), false);
  });

  test('a whole turn lets the loop poll for data before it goes on, also from within an event', async () => {
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      stat('.', () => {
        // Both immediates belong to the turn of this event, the timer and the next immediate do not.
        setImmediate(() => {
          seen.push('end of the turn');
          setImmediate(() => seen.push('next turn'));
        });
        void wholeTurn().then(() => {
          seen.push('went on');
          resolve();
        });
      });
    });
    assert.deepEqual(seen, ['end of the turn', 'next turn', 'went on']);
  });
});
