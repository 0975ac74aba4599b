import type { Clock } from './clock.ts';
import type { Log } from './log.ts';

export interface RepeatingTask {
  stop(): Promise<void>;
  /** Ends the present pause, so that the next run starts now; during a run it skips the pause that follows. */
  hurry(): void;
}

interface RepeatingTaskOptions {
  name: string;
  everyMs: number;
  clock: Clock;
  log: Log;
  /** May return the delay in milliseconds from this start to the next; undefined means `everyMs`. */
  run: (signal: AbortSignal) => Promise<number | undefined>;
  /** Delay before the first run; 0 by default. */
  firstDelayMs?: number;
}

/** Runs a task periodically, never two runs at once. A failed run is logged; the next one runs as scheduled. */
export function startRepeatingTask(options: RepeatingTaskOptions): RepeatingTask {
  const stopping = new AbortController();
  let pause = new AbortController();

  const loop = async () => {
    if (options.firstDelayMs) await options.clock.sleep(options.firstDelayMs, stopping.signal);
    while (!stopping.signal.aborted) {
      const startedMs = options.clock.monotonicMs();
      let delayMs = options.everyMs;
      pause = new AbortController();
      try {
        delayMs = (await options.run(stopping.signal)) ?? delayMs;
      } catch (error) {
        if (!stopping.signal.aborted) options.log.error({ err: error, task: options.name }, 'task failed');
      }
      const restMs = Math.max(0, startedMs + delayMs - options.clock.monotonicMs());
      if (!stopping.signal.aborted) await options.clock.sleep(restMs, pause.signal);
    }
  };
  const running = loop();
  return {
    hurry: () => pause.abort(),
    stop: async () => {
      stopping.abort();
      pause.abort();
      await running;
    },
  };
}
