import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { type LongTurn, TurnProfile } from './turn-profile.ts';

/** What the probe writes into the folder, under the process id. */
export interface LoopMeasured {
  /** CPU time of the main thread between two turns of the event loop, in milliseconds. */
  workP99Ms: number;
  workP999Ms: number;
  workMaxMs: number;
  /** The delay of a timer by the clock, which includes the time that other processes had the core. */
  delayP99Ms: number;
  delayMaxMs: number;
  seconds: number;
  /** CPU time of the main thread in all turns, in seconds. */
  workSeconds: number;
  /** The longest turns with what took their time; empty without a profile. */
  longest: LongTurn[];
}

/**
 * Imported into a measured process (`node --import`). SIGUSR2 starts the measurement, and a second one ends it. A timer of
 * one millisecond fires in every turn that is long enough to delay anybody, and notes the CPU time since it last fired.
 */
const folder = process.env.LOOP_PROBE_FOLDER;
if (folder !== undefined && isMainThread && process.argv[1]?.endsWith('src/perpwire.js')) {
  const cpuMicroseconds = () => {
    // The kernel adds up the time of a running thread every 4 ms, and when the time of its process is read.
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const work = createHistogram();
  const profile = process.env.LOOP_PROBE_PROFILE === undefined ? null : new TurnProfile();
  let timer: NodeJS.Timeout | null = null;
  let startedMs = 0;
  let workMicroseconds = 0;

  const start = async () => {
    await profile?.start();
    let last = cpuMicroseconds();
    let lastMs = performance.now();
    startedMs = lastMs;
    delay.enable();
    timer = setInterval(() => {
      const now = cpuMicroseconds();
      const nowMs = performance.now();
      // A histogram starts at 1.
      work.record(Math.max(1, now - last));
      workMicroseconds += now - last;
      profile?.addTurn({ startMs: lastMs, endMs: nowMs, cpuMs: (now - last) / 1e3 });
      last = now;
      lastMs = nowMs;
    }, 1);
  };
  const end = async (running: NodeJS.Timeout) => {
    clearInterval(running);
    delay.disable();
    const measured: LoopMeasured = {
      workP99Ms: work.percentile(99) / 1e3,
      workP999Ms: work.percentile(99.9) / 1e3,
      workMaxMs: work.max / 1e3,
      delayP99Ms: delay.percentile(99) / 1e6,
      delayMaxMs: delay.max / 1e6,
      seconds: (performance.now() - startedMs) / 1000,
      workSeconds: workMicroseconds / 1e6,
      longest: (await profile?.end()) ?? [],
    };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(measured));
  };
  process.on('SIGUSR2', () => void (timer === null ? start() : end(timer)));
  writeFileSync(join(folder, `${process.pid}.started`), '');
}
