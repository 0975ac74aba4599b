import { readdirSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { collectGarbage } from '../../test/support/collect-garbage.ts';
import type { Measured } from '../world/messages.ts';

let delays: ReturnType<typeof monitorEventLoopDelay> | null = null;

/** Measures this process. The first call starts the measurement of delays. */
export async function measure(): Promise<Measured> {
  if (!delays) {
    delays = monitorEventLoopDelay({ resolution: 10 });
    delays.enable();
  }
  const loopDelayP99Ms = delays.count === 0 ? 0 : delays.percentile(99) / 1e6;
  const loopDelayMaxMs = delays.count === 0 ? 0 : delays.max / 1e6;
  const residentBytes = process.memoryUsage.rss();
  await collectGarbage();
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
