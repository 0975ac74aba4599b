import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ManualClock } from './clock.ts';
import { Jobs, lateJobTexts } from './jobs.ts';

suite('late jobs', () => {
  const start = (everyMs: number) => {
    const clock = new ManualClock(0);
    const jobs = new Jobs(clock);
    const job = jobs.job('backtest', everyMs);
    job.start();
    return { clock, jobs, job, late: () => lateJobTexts(jobs.states()) };
  };

  test('a job is late after three of its periods, until it finishes', () => {
    const { clock, job, late } = start(60_000);
    clock.advanceMs(180_000);
    assert.deepEqual(late(), []);
    clock.advanceMs(1);
    assert.deepEqual(late(), ['Job late: backtest has not finished for 3 min; it runs every 1 min']);
    job.finished();
    assert.deepEqual(late(), []);
  });

  test('a job that looks for work often is late after 15 seconds', () => {
    const { clock, late } = start(500);
    clock.advanceMs(15_000);
    assert.deepEqual(late(), []);
    clock.advanceMs(1000);
    assert.deepEqual(late(), ['Job late: backtest has not finished for 16 s; it runs every 0.5 s']);
  });

  test('a clock that is set makes no job late', () => {
    const { clock, late } = start(60_000);
    clock.step(86_400_000);
    assert.deepEqual(late(), []);
  });

  test('a job that was stopped, or that another process has now, is not late', () => {
    const { clock, jobs, job, late } = start(60_000);
    clock.advanceMs(600_000);
    jobs.restart();
    assert.deepEqual(late(), []);
    clock.advanceMs(600_000);
    job.stop();
    job.finished();
    assert.deepEqual(jobs.states(), []);
  });
});
