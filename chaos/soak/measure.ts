import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Measured } from '../world/messages.ts';

let delays: ReturnType<typeof monitorEventLoopDelay> | null = null;
let collectGarbage: (() => void) | null = null;

/** Measures this process. The first call starts the measurement of delays. */
export function measure(): Measured {
  if (!delays) {
    delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
  }
  const loopDelayP99Ms = delays.count === 0 ? 0 : delays.percentile(99) / 1e6;
  const loopDelayMaxMs = delays.count === 0 ? 0 : delays.max / 1e6;
  const residentBytes = process.memoryUsage.rss();
  collectGarbage ??= exposedGarbageCollector();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  delays.reset();
  return {
    residentBytes,
    heapBytes: heapUsed,
    bufferBytes: external,
    descriptors: readdirSync('/proc/self/fd').length,
    loopDelayP99Ms,
    loopDelayMaxMs,
  };
}

function exposedGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
