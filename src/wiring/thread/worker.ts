import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Clock, systemClock } from '../../base/clock.ts';
import { COLLECTOR_SHEDS } from '../../base/load.ts';
import { createLog } from '../../base/log.ts';
import { startRepeatingTask } from '../../base/repeating-task.ts';
import { SECOND_MS } from '../../base/times.ts';
import { sendThrough } from '../../cluster/port-feed.ts';
import { metricsJson } from '../../doors/http/metrics-text.ts';
import { type Collector, openCollector } from '../collector.ts';
import { type Foundation, openFoundation } from '../foundation.ts';
import type { ThreadData, ThreadMessage, ThreadOrder } from './messages.ts';

const STATUS_EVERY_MS = 5 * SECOND_MS;

export interface ThreadWork {
  /** Only tests replace it. */
  clock?: Clock;
  /** Runs before the venues are watched. Ends early, or rejects, on the signal. */
  beforeCollecting?: (collector: Collector, foundation: Foundation, stopping: AbortSignal) => Promise<void>;
  /** Runs beside the collecting, until the signal. */
  whileCollecting?: (collector: Collector, foundation: Foundation, stopping: AbortSignal) => Promise<void>;
}

/** Runs the collector in this thread until it is told to stop. An error ends the thread; it is then started again. */
export async function collectInThread(work: ThreadWork = {}): Promise<void> {
  const parent = parentPort as MessagePort;
  const { settings, frames } = workerData as ThreadData;
  const say = (message: ThreadMessage) => parent.postMessage(message);
  const log = createLog(settings.logLevel);
  // An unexpected failure of one task must not end the collecting.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  const stopping = new AbortController();
  const mayCollect = new Promise<void>((resolve) => {
    parent.on('message', (order: ThreadOrder) => {
      if (order === 'stop') stopping.abort();
      resolve();
    });
  });

  await using opened = new AsyncDisposableStack();
  opened.defer(() => parent.close());
  const foundation = await openFoundation(settings, work.clock ?? systemClock, log, {
    hasRedis: false,
    sheds: COLLECTOR_SHEDS,
  });
  opened.defer(foundation.close);
  const collector = await openCollector(foundation, frames && sendThrough(frames));
  opened.defer(collector.stop);
  const status = startRepeatingTask({
    name: 'report to the main thread',
    everyMs: STATUS_EVERY_MS,
    clock: systemClock,
    log,
    run: async () => {
      say({
        kind: 'status',
        jobs: collector.collecting.context.jobs.states(),
        faults: [...foundation.load.faults(), ...foundation.dependencies.unavailable()],
        disk: foundation.dependencies.diskFaults(),
        metrics: await metricsJson(foundation.metrics),
      });
      return undefined;
    },
  });
  opened.defer(() => status.stop());
  await mayCollect;
  if (stopping.signal.aborted) return;
  await work.beforeCollecting?.(collector, foundation, stopping.signal);
  if (stopping.signal.aborted) return;
  collector.start();
  say({ kind: 'collecting' });
  const beside = work.whileCollecting?.(collector, foundation, stopping.signal);
  opened.defer(() => beside);
  await new Promise((resolve) => {
    if (stopping.signal.aborted) resolve(null);
    stopping.signal.addEventListener('abort', resolve);
  });
}
