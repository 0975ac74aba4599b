import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { suite, test } from 'node:test';
import { ManualClock } from './clock.ts';
import { PRIORITY, RequestBudget } from './request-budget.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

function counted(
  budget: RequestBudget,
  weight: number,
  priority: 0 | 1 | 2 | 3,
  into: string[],
  name: string,
) {
  void budget.take(weight, priority).then(() => into.push(name));
}

suite('request budget', () => {
  test('never spends more than the capacity in any window', async () => {
    const clock = new ManualClock(0);
    const budget = new RequestBudget({ capacity: 10, windowSeconds: 60 }, clock);
    const gone: string[] = [];
    for (let i = 0; i < 25; i++) counted(budget, 1, PRIORITY.live, gone, String(i));
    await settled();
    assert.equal(gone.length, 10);
    for (let second = 0; second < 59; second++) {
      clock.advanceMs(1000);
      await settled();
    }
    assert.equal(gone.length, 10, 'still the same window');
    clock.advanceMs(1500);
    await settled();
    clock.advanceMs(1000);
    await settled();
    assert.equal(gone.length, 20);
  });

  test('live calls overtake waiting background calls and have a reserve', async () => {
    const clock = new ManualClock(0);
    const budget = new RequestBudget({ capacity: 10, windowSeconds: 60 }, clock);
    const gone: string[] = [];
    for (let i = 0; i < 10; i++) counted(budget, 1, PRIORITY.backfill, gone, 'backfill');
    await settled();
    assert.equal(gone.length, 7, 'background work leaves three tenths');
    counted(budget, 1, PRIORITY.live, gone, 'live');
    clock.advanceMs(1000);
    await settled();
    assert.equal(gone.at(-1), 'live');
  });

  test('a pause that the venue demands holds every call back', async () => {
    const clock = new ManualClock(0);
    const budget = new RequestBudget({ capacity: 10, windowSeconds: 1 }, clock);
    const gone: string[] = [];
    budget.pauseFor(5000);
    counted(budget, 1, PRIORITY.live, gone, 'live');
    clock.advanceMs(1000);
    await settled();
    assert.equal(gone.length, 0);
    for (let i = 0; i < 5; i++) {
      clock.advanceMs(1000);
      await settled();
    }
    assert.equal(gone.length, 1);
  });

  test('a call heavier than the whole budget is rejected at once', async () => {
    const budget = new RequestBudget({ capacity: 10, windowSeconds: 1 }, new ManualClock(0));
    await assert.rejects(budget.take(11, PRIORITY.live), /never fits/);
  });

  test('an aborted waiter leaves the queue', async () => {
    const budget = new RequestBudget({ capacity: 1, windowSeconds: 60 }, new ManualClock(0));
    await budget.take(1, PRIORITY.live);
    const stop = new AbortController();
    const waiting = budget.take(1, PRIORITY.live, stop.signal);
    stop.abort(new Error('stopped'));
    await assert.rejects(waiting, /stopped/);
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0);
  });

  test('a signal that has aborted already spends nothing', async () => {
    const budget = new RequestBudget({ capacity: 1, windowSeconds: 60 }, new ManualClock(0));
    const aborted = AbortSignal.abort(new Error('stopped'));
    await assert.rejects(budget.take(1, PRIORITY.live, aborted), /stopped/);
    assert.equal(budget.spentWeight(), 0);
  });

  // Not more of them: each new listener is compared with all others.
  test('2,000 calls under one signal leave no listener on it', async () => {
    const clock = new ManualClock(0);
    const budget = new RequestBudget({ capacity: 100, windowSeconds: 1 }, clock);
    const { signal } = new AbortController();
    let done = 0;
    for (let i = 0; i < 2_000; i++)
      void budget.take(1, PRIORITY.live, signal).then(() => {
        done++;
      });
    assert.equal(getEventListeners(signal, 'abort').length, 1_900, 'only those that wait listen');
    while (done < 2_000) {
      clock.advanceMs(1000);
      await settled();
    }
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
