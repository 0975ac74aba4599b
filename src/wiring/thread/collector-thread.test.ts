import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { until } from '../../../test/support/until.ts';
import { createLog } from '../../base/log.ts';
import { createMetrics } from '../../base/metrics.ts';
import { readSettings } from '../../settings.ts';
import { CollectorThread } from './collector-thread.ts';

function threadOf(code: string): CollectorThread {
  return new CollectorThread({
    entry: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    settings: readSettings([], {}),
    log: createLog('silent'),
    metrics: createMetrics(),
    feed: null,
  });
}

const REPORTS = `
  import { parentPort } from 'node:worker_threads';
  parentPort.on('message', (order) => order === 'stop' && parentPort.close());
`;

suite('the thread of the collector', () => {
  test('one that ends with an error is started again, and its stop succeeds', async () => {
    const thread = threadOf('throw new Error("no venue answers")');
    thread.start();
    await until(() => thread.faults().length > 0, 'the fault');
    assert.match(thread.faults()[0] ?? '', /^The collector ended \(no venue answers\) and starts again/);
    await thread.stop();
  });

  test('one that fails while it is stopped has stopped', async () => {
    const thread = threadOf(
      `${REPORTS} parentPort.on('message', () => { throw new Error('cannot store'); });`,
    );
    thread.start();
    await thread.stop();
    assert.deepEqual(thread.faults(), []);
  });
});
