import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** What the probe prints as a line of JSON. */
export interface LoopMeasured {
  loop: true;
  /** CPU time of the main thread between two turns of the event loop. */
  workP99Ms: number;
  workMaxMs: number;
  /** The delay of a timer by the clock, which includes the time that other processes had the core. */
  delayP99Ms: number;
  delayMaxMs: number;
  /** Share of one core that the main thread used. */
  workPct: number;
}

/**
 * Loaded into a measured process with `node --import`. SIGUSR2 starts the measurement, and a second one ends it. A timer of
 * one millisecond fires in every turn that is long enough to delay anybody, and notes the CPU time since it last fired.
 */
if (isMainThread) {
  const cpuMicroseconds = () => {
    // The kernel adds up the time of a running thread every 4 ms, and when the time of its process is read.
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const work = createHistogram();
  let timer: NodeJS.Timeout | null = null;
  let startedMs = 0;
  let workMicroseconds = 0;

  const start = () => {
    let last = cpuMicroseconds();
    startedMs = performance.now();
    delay.enable();
    timer = setInterval(() => {
      const now = cpuMicroseconds();
      // A histogram starts at 1.
      work.record(Math.max(1, now - last));
      workMicroseconds += now - last;
      last = now;
    }, 1);
  };
  const end = (running: NodeJS.Timeout) => {
    clearInterval(running);
    delay.disable();
    const measured: LoopMeasured = {
      loop: true,
      workP99Ms: work.percentile(99) / 1e3,
      workMaxMs: work.max / 1e3,
      delayP99Ms: delay.percentile(99) / 1e6,
      delayMaxMs: delay.max / 1e6,
      workPct: workMicroseconds / 10 / (performance.now() - startedMs),
    };
    console.log(JSON.stringify(measured));
  };
  process.on('SIGUSR2', () => (timer === null ? start() : end(timer)));
}
