import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** What the probe writes into the folder, under the process id. */
export interface LoopMeasured {
  /** CPU time of the main thread between two turns of the event loop, in milliseconds. */
  workP99Ms: number;
  workMaxMs: number;
  /** The delay of a timer by the clock, which includes the time that other processes had the core. */
  delayP99Ms: number;
  delayMaxMs: number;
  seconds: number;
}

/**
 * Imported into a measured process (`node --import`). SIGUSR2 starts the measurement, and a second one ends it. A timer of
 * one millisecond fires in every turn that is long enough to delay anybody, and notes the CPU time since it last fired.
 */
const folder = process.env.LOOP_PROBE_FOLDER;
if (folder !== undefined && isMainThread && process.argv[1]?.endsWith('src/perpwire.js')) {
  const cpuMicroseconds = () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const work = createHistogram();
  let timer: NodeJS.Timeout | null = null;
  let startedMs = 0;
  process.on('SIGUSR2', () => {
    if (timer === null) {
      let last = cpuMicroseconds();
      startedMs = performance.now();
      delay.enable();
      timer = setInterval(() => {
        const now = cpuMicroseconds();
        // A histogram starts at 1.
        work.record(Math.max(1, now - last));
        last = now;
      }, 1);
      return;
    }
    clearInterval(timer);
    delay.disable();
    const measured: LoopMeasured = {
      workP99Ms: work.percentile(99) / 1e3,
      workMaxMs: work.max / 1e3,
      delayP99Ms: delay.percentile(99) / 1e6,
      delayMaxMs: delay.max / 1e6,
      seconds: (performance.now() - startedMs) / 1000,
    };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(measured));
  });
  writeFileSync(join(folder, `${process.pid}.started`), '');
}
