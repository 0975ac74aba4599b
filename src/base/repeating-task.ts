import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export interface RepeatingTask {
  stop(): Promise<void>;
  /** Starts the next run now instead of waiting for its turn. */
  hurry(): void;
}

export interface RepeatingTaskOptions {
  name: string;
  everyMs: number;
  clock: Clock;
  log: Log;
  /** May return the delay in milliseconds until the next start, when it is not the usual one. */
  run: (signal: AbortSignal) => Promise<number | undefined>;
  /** Delay before the first run; 0 by default. */
  firstDelayMs?: number;
}

/** Runs a task again and again, never two at once. A failed run is logged, and the next one still comes. */
export function startRepeatingTask(options: RepeatingTaskOptions): RepeatingTask {
  const stopping = new AbortController();
  let waiting = new AbortController();

  const loop = async () => {
    if (options.firstDelayMs) await options.clock.sleep(options.firstDelayMs, stopping.signal);
    while (!stopping.signal.aborted) {
      const startedMs = options.clock.nowMs();
      let delayMs = options.everyMs;
      waiting = new AbortController();
      try {
        delayMs = (await options.run(stopping.signal)) ?? delayMs;
      } catch (error) {
        if (!stopping.signal.aborted) options.log.error({ err: error, task: options.name }, 'task failed');
      }
      const restMs = Math.max(0, startedMs + delayMs - options.clock.nowMs());
      if (!stopping.signal.aborted) {
        await options.clock.sleep(restMs, AbortSignal.any([stopping.signal, waiting.signal]));
      }
    }
  };
  const running = loop();
  return {
    hurry: () => waiting.abort(),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
