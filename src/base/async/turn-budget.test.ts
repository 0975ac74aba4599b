import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { TurnBudget } from './turn-budget.ts';

suite('a budget of time for each turn of the event loop', () => {
  /** Each task takes one millisecond of this clock. */
  const setUp = (budgetMs: number) => {
    let timeMs = 0;
    const done: number[] = [];
    const budget = new TurnBudget(budgetMs, () => timeMs);
    const task = (number: number) => () => {
      timeMs += 1;
      done.push(number);
    };
    return { budget, task, done };
  };

  test('tasks run at once until the time is used, the others in order in later turns', async () => {
    const { budget, task, done } = setUp(3);
    const hasRun = Array.from({ length: 8 }, (_, i) => budget.run(task(i)));
    assert.deepEqual(hasRun, [true, true, true, false, false, false, false, false]);
    assert.deepEqual(done, [0, 1, 2]);
    const counts = new Set<number>();
    while (done.length < 8) {
      await endOfTurn();
      counts.add(done.length);
    }
    assert.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert.ok(counts.has(6), `three in a turn: ${[...counts]}`);
  });

  test('a task that comes while others wait runs after them', async () => {
    const { budget, task, done } = setUp(1);
    for (const number of [0, 1]) budget.run(task(number));
    await endOfTurn();
    budget.run(task(2));
    while (done.length < 3) await endOfTurn();
    assert.deepEqual(done, [0, 1, 2]);
  });

  test('the next turn has its whole time again', async () => {
    const { budget, task } = setUp(1);
    assert.ok(budget.run(task(0)));
    await endOfTurn();
    await endOfTurn();
    assert.ok(budget.run(task(1)));
  });
});
